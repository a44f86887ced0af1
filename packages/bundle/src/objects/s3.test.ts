import {
  CopyObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectTaggingCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Ceph, sharedCeph } from '../../../../test/ceph.js';
import { describePart } from '../../../../test/part.js';
import { bucketOf, newBucket } from '../../test/bucket.js';
import { describeObjects } from '../../test/objects-conformance.js';
import { must, reasonOf } from '../../test/scratch.js';
import { agentObjects, sendUpload } from '../access/agent-objects.js';
import { type Credential, DEFAULT_LIFETIME_MS, openCredential } from '../access/credential.js';
import { presign, presignCreate } from '../access/presign.js';
import { type Purpose, scopeOf } from '../access/scope-of.js';
import { stsIssuer } from '../access/sts.js';
import { KEYS } from '../ids.js';
import { placeSchema } from '../place/manifest.js';
import { type S3Place, s3Objects } from './s3.js';

const TOPIC = placeSchema.parse({ kind: 'topic', id: 't', title: 'Talk', mode: 'freeform' });
const TASK = placeSchema.parse({
  kind: 'task',
  id: 'k',
  title: 'Work',
  participants: [{ agent_id: 'ada', role: 'writer' }],
});
const PLACES = { topic: TOPIC, task: TASK };

const scopeFor = (agent: string, purpose: Purpose) => {
  const place = purpose.kind === 'topic' || purpose.kind === 'task' ? PLACES[purpose.kind] : undefined;
  return must(scopeOf({ agent, cardVersion: 1, circles: new Set() }, purpose, place, Date.now()));
};

describePart('s3', 'S3 with sessions', () => {
  let ceph: Ceph;
  beforeAll(async () => {
    ceph = await sharedCeph();
  });

  describeObjects('a bucket', async () => s3Objects(await newBucket(ceph)));
  describeObjects('a part of a bucket', async () =>
    s3Objects({ ...(await newBucket(ceph)), prefix: 'home/one/' }),
  );

  describe('a session', () => {
    let place: S3Place;
    let credential: Extract<Credential, { kind: 's3' }>;
    const purposes = { topic: { kind: 'topic', id: 't' }, task: { kind: 'task', id: 'k' } } as const;
    const issuer = () => stsIssuer({ place, broker: ceph.broker, roleArn });
    let roleArn = '';
    const session = async (
      agent: string,
      purpose: Purpose = { kind: 'registry' },
      lifetimeMs = DEFAULT_LIFETIME_MS,
    ) =>
      must(
        await issuer().issue(scopeFor(agent, purpose), { now: Date.now(), lifetimeMs }),
      ) as typeof credential;
    beforeAll(async () => {
      ({ place } = await bucketOf(ceph, ['ada', 'ada2', 'bo', 'cy'], ['bo']));
      roleArn = await ceph.roleFor(place.bucket);
      credential = await session('ada');
    });

    test('opens what is the agent’s own, what is shared, and public cards', async () => {
      const ada = openCredential(credential);
      for (const key of [
        KEYS.card('ada'),
        KEYS.bundle('ada'),
        KEYS.timestamp('ada'),
        KEYS.root(1),
        KEYS.card('bo'),
      ])
        expect([key, reasonOf(await ada.get(key))]).toEqual([key, 'ok']);
      expect(reasonOf(await ada.put(KEYS.heartbeat('ada'), Buffer.from('1')))).toBe('ok');
      expect(must(await ada.list('agents/all/')).keys).toContain(KEYS.card('cy'));
    });

    test.each(['bo', 'ada2', 'cy'])(
      'is refused the bundle of %s by the store itself, in every way',
      async (other) => {
        const client = clientOf(credential.place);
        const { bucket: Bucket } = place;
        for (const Key of [
          KEYS.bundle(other),
          KEYS.timestamp(other),
          ...(other === 'bo' ? [] : [KEYS.card(other)]),
        ]) {
          const ways = [
            new GetObjectCommand({ Bucket, Key }),
            new GetObjectCommand({ Bucket, Key, Range: 'bytes=0-3' }),
            new HeadObjectCommand({ Bucket, Key }),
            new CopyObjectCommand({ Bucket, Key: KEYS.heartbeat('ada'), CopySource: `${Bucket}/${Key}` }),
          ];
          for (const way of ways)
            expect([Key, way.constructor.name, await statusOf(client.send(way as GetObjectCommand))]).toEqual(
              [Key, way.constructor.name, 403],
            );
        }
        const address = await presignedGet(credential.place, KEYS.bundle(other));
        expect((await fetch(address)).status).toBe(403);
        expect((await fetch(await presignedGet(credential.place, KEYS.bundle('ada')))).status).toBe(200);
        client.destroy();
      },
    );

    test('writes nothing but the heartbeat, and cannot make a card public', async () => {
      const ada = openCredential(credential);
      const others = [
        KEYS.heartbeat('bo'),
        KEYS.card('ada'),
        KEYS.bundle('ada'),
        KEYS.topic('t'),
        KEYS.timestamp('ada'),
      ];
      for (const key of others)
        expect([key, reasonOf(await ada.put(key, Buffer.from('x')))]).toEqual([key, 'E_OBJECT denied']);
      for (const prefix of ['', 'agents/', 'agents/all', 'agents/prompts/', 'trust/'])
        expect([prefix, reasonOf(await ada.list(prefix))]).toEqual([prefix, 'E_OBJECT denied']);
      expect(reasonOf(await ada.remove(KEYS.card('bo')))).toBe('E_OBJECT denied');
      const client = clientOf(credential.place);
      const Tagging = { TagSet: [{ Key: 'visibility', Value: 'public' }] };
      const tagged = client.send(
        new PutObjectTaggingCommand({ Bucket: place.bucket, Key: KEYS.card('cy'), Tagging }),
      );
      expect(await statusOf(tagged)).toBe(403);
      client.destroy();
    });

    test('is nothing without its token, and there is nothing for nobody', async () => {
      const { sessionToken: _, ...without } = credential.place.credentials;
      const bare = s3Objects({ ...place, credentials: without });
      expect(reasonOf(await bare.get(KEYS.bundle('ada')))).toBe('E_OBJECT denied');
      expect((await fetch(`${place.endpoint}/${place.bucket}/${KEYS.bundle('ada')}`)).status).toBe(403);
      const broker = s3Objects({ ...place, credentials: ceph.broker });
      expect(reasonOf(await broker.get(KEYS.bundle('ada')))).toBe('E_OBJECT denied');
    });

    test('writes a message once, through a signed address, and only what was asked for', async () => {
      const session = await issuer().issue(scopeFor('ada', purposes.topic), {
        now: Date.now(),
        lifetimeMs: DEFAULT_LIFETIME_MS,
      });
      const key = KEYS.message('t', 'ada', 'one');
      // The session itself cannot write there at all: it could overwrite.
      expect(
        reasonOf(await openCredential(must(session)).put(key, Buffer.from('x'), { ifAbsent: true })),
      ).toBe('E_OBJECT denied');
      const ada = agentObjects(
        {
          credential: async (purpose) =>
            issuer().issue(scopeFor('ada', purpose), { now: Date.now(), lifetimeMs: DEFAULT_LIFETIME_MS }),
          upload: async (purpose, to, length) => {
            const term = { now: Date.now(), lifetimeMs: 60_000 };
            const upload = await issuer().upload(scopeFor('ada', purpose), { key: to, length }, term);
            if (!upload.ok || upload.value === undefined) return { ok: false, error: { code: 'E_ACCESS' } };
            return { ok: true, value: upload.value };
          },
        },
        Date.now,
      );
      const racers = Array.from({ length: 20 }, (_, n) =>
        ada.put(key, Buffer.from(`racer ${n}`.padEnd(12)), { ifAbsent: true }),
      );
      const results = (await Promise.all(racers)).map(reasonOf);
      expect(results.filter((result) => result === 'ok')).toHaveLength(1);
      expect(results.filter((result) => result === 'E_OBJECT exists')).toHaveLength(19);
      expect(Buffer.from(must(await ada.get(key))).toString()).toBe(
        `racer ${results.indexOf('ok')}`.padEnd(12),
      );
      for (const other of [KEYS.message('t', 'bo', 'one'), KEYS.topic('t'), KEYS.message('t2', 'ada', 'one')])
        expect(
          reasonOf(
            await issuer().upload(
              scopeFor('ada', purposes.topic),
              { key: other, length: 1 },
              { now: Date.now(), lifetimeMs: 60_000 },
            ),
          ),
        ).toBe('E_ACCESS not-covered');
      expect(reasonOf(await ada.put(`${KEYS.taskFolder('k', 'ada')}notes.md`, Buffer.from('1')))).toBe('ok');
      expect(reasonOf(await ada.put(`${KEYS.taskFolder('k', 'ada')}notes.md`, Buffer.from('2')))).toBe('ok');
      expect(reasonOf(await ada.put(`${KEYS.taskFolder('k', 'bo')}notes.md`, Buffer.from('2')))).toBe(
        'E_OBJECT denied',
      );
      expect(reasonOf(await ada.put(KEYS.proposal('k'), Buffer.from('2')))).toBe('E_OBJECT denied');
    });

    test('of a signed address: without the condition, or with more bytes, the store refuses', async () => {
      const key = KEYS.message('t', 'ada', 'two');
      const now = Date.now();
      const upload = await presignCreate(place, { key, length: 3 }, { now, lifetimeMs: 60_000 });
      const { 'if-none-match': _, ...without } = upload.headers;
      expect(reasonOf(await sendUpload(key, Buffer.from('abc'), { ...upload, headers: without }))).toBe(
        'E_OBJECT denied',
      );
      expect(reasonOf(await sendUpload(key, Buffer.from('abcd'), upload))).toBe('E_OBJECT denied');
      expect(reasonOf(await sendUpload(key, Buffer.from('abc'), upload))).toBe('ok');
      expect(reasonOf(await sendUpload(key, Buffer.from('abc'), upload))).toBe('E_OBJECT exists');
      const old = await presignCreate(
        place,
        { key: `${key}x`, length: 3 },
        { now: now - 120_000, lifetimeMs: 60_000 },
      );
      expect(reasonOf(await sendUpload(key, Buffer.from('abc'), old))).toBe('E_OBJECT denied');
    });

    test('ends with its time, and is not given for longer than an hour', async () => {
      const tooLong = await issuer().issue(scopeFor('ada', { kind: 'registry' }), {
        now: Date.now(),
        lifetimeMs: 3_600_001,
      });
      expect(reasonOf(tooLong)).toBe('E_ACCESS lifetime');
      await ceph.setShortestSession(2);
      const short = await session('ada', { kind: 'registry' }, 3000);
      const ada = openCredential(short);
      expect(reasonOf(await ada.get(KEYS.bundle('ada')))).toBe('ok');
      // The store's own clock decides, so it is asked until it says no.
      let answer = 'ok';
      while (answer === 'ok' && Date.now() < short.expiresAt + 20_000)
        answer = reasonOf(await ada.get(KEYS.bundle('ada')));
      expect(answer).toBe('E_OBJECT denied');
    });

    test('is not had by who is not the broker', async () => {
      const other = stsIssuer({ place, broker: ceph.platform, roleArn });
      const refused = await other.issue(scopeFor('ada', { kind: 'registry' }), {
        now: Date.now(),
        lifetimeMs: DEFAULT_LIFETIME_MS,
      });
      expect(reasonOf(refused)).toBe('E_ACCESS unavailable');
    });
  });
});

const clientOf = ({ endpoint = '', region, credentials }: S3Place) =>
  new S3Client({ endpoint, region, credentials, forcePathStyle: true, maxAttempts: 1 });

const statusOf = (
  sent: Promise<{ $metadata: { httpStatusCode?: number | undefined } }>,
): Promise<number | undefined> =>
  sent.then(
    ({ $metadata }) => $metadata.httpStatusCode,
    (error) => error.$metadata?.httpStatusCode,
  );

/** A signed address to read, made from a session as its holder could. */
const presignedGet = (place: S3Place, key: string): Promise<string> =>
  presign(place, { method: 'GET', key }, { now: Date.now(), lifetimeMs: 60_000 });
