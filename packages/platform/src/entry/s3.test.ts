import {
  agentObjects,
  KEYS,
  type Purpose,
  placeSchema,
  s3Objects,
  signChallenge,
  stsIssuer,
  syncTrust,
} from '@cuebook/bundle';
import { beforeAll, expect } from 'vitest';
import { type Ceph, sharedCeph } from '../../../../test/ceph.js';
import { describePart } from '../../../../test/part.js';
import { itInTurn as test } from '../../../../test/runs.js';
import { newBucket } from '../../../bundle/test/bucket.js';
import { must, reasonOf } from '../../../bundle/test/scratch.js';
import { agentKey, newParts, settle } from '../../test/parts.js';
import { readAudit } from '../audit.js';
import { publishOffline } from '../home/found.js';
import { putPlace } from '../places.js';
import { beginAdmission, finishAdmission } from './admit.js';
import { issueCredential, issueUpload } from './credentials.js';

const TOPIC = placeSchema.parse({ kind: 'topic', id: 't', title: 'Talk', mode: 'freeform' });

describePart('s3', 'a platform on S3', () => {
  let ceph: Ceph;
  beforeAll(async () => {
    ceph = await sharedCeph();
  });

  test('a platform publishes, admits, and its agents take their bundles from the store with sessions of their own', async () => {
    const place = await newBucket(ceph);
    const issuer = stsIssuer({ place, broker: ceph.broker, roleArn: await ceph.roleFor(place.bucket) });
    const parts = await newParts({ objects: s3Objects(place), issuer });
    // Sessions end by the store's clock.
    parts.clock.now = Date.now();
    must(await publishOffline(parts.objects, parts.trust));
    await settle(parts, 'ada', { discovery: { public: true, tags: [] } });
    await settle(parts, 'bo');
    const enter = async (agent: string) => {
      const challenge = must(await beginAdmission(parts, { agent, by: 'owner' }));
      const signature = must(signChallenge(challenge, challenge, agentKey(parts, agent)));
      const { floor } = must(await finishAdmission(parts, { challenge, signature }));
      const connection = {
        credential: (purpose: Purpose) => issueCredential(parts, { agent, purpose }),
        upload: (purpose: Purpose, key: string, length: number) =>
          issueUpload(parts, { agent, purpose, key, length }),
      };
      return { floor, objects: agentObjects(connection, parts.now) };
    };
    const ada = await enter('ada');
    const bo = await enter('bo');
    const anchor = { root: parts.trust.root.bytes, log: 'test', now: parts.now() };
    for (const [agent, { objects, floor }] of [
      ['ada', ada],
      ['bo', bo],
    ] as const) {
      const synced = must(await syncTrust({ ...anchor, agent, objects, floor }));
      expect(synced.accepted.card.agent_id).toBe(agent);
      expect(must(await syncTrust({ ...anchor, agent, objects, floor, state: synced.state })).changed).toBe(
        false,
      );
    }
    const read = async (key: string, { objects }: typeof ada) => reasonOf(await objects.get(key));
    expect(await read(KEYS.card('ada'), bo)).toBe('ok');
    expect(await read(KEYS.card('bo'), ada)).toBe('E_OBJECT denied');
    expect(await read(KEYS.bundle('bo'), ada)).toBe('E_OBJECT denied');
    must(await putPlace(parts, TOPIC, 'pia'));
    const message = KEYS.message('t', 'ada', 'one');
    expect(reasonOf(await ada.objects.put(message, Buffer.from('x'), { ifAbsent: true }))).toBe('ok');
    expect(reasonOf(await ada.objects.put(message, Buffer.from('y'), { ifAbsent: true }))).toBe(
      'E_OBJECT exists',
    );
    expect(await read(message, bo)).toBe('ok');
    const trail = (await readAudit(parts, { agent: 'ada' })).filter(
      ({ type }) => type === 'credential.issued',
    );
    expect(trail.length).toBeGreaterThanOrEqual(3);
  });
});
