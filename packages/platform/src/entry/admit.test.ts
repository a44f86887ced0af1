import { type Challenge, createKey, KEYS, newChallenge, placeSchema, signChallenge } from '@cuebook/bundle';
import { describe, expect, test } from 'vitest';
import { must, reasonOf } from '../../../bundle/test/scratch.js';
import { agentKey, cardKey, newParts, save, settle, type TestParts } from '../../test/parts.js';
import { readAudit } from '../audit.js';
import { findAgent } from '../cards.js';
import { putPlace } from '../places.js';
import { beginAdmission, beginSession, finishAdmission, revokeAdmission, sessionChallenge } from './admit.js';
import { issueCredential, issueUpload } from './credentials.js';
import { authenticate } from './tokens.js';

const proof = (parts: TestParts, challenge: Challenge, signer = agentKey(parts, challenge.agent)) => ({
  challenge,
  signature: must(signChallenge(challenge, challenge, signer)),
});
const begin = async (parts: TestParts, agent: string) =>
  must(await beginAdmission(parts, { agent, by: 'owner' }));

/** Published and admitted. */
async function admitted(agent = 'ada') {
  const parts = await newParts();
  await settle(parts, agent);
  const session = must(await finishAdmission(parts, proof(parts, await begin(parts, agent))));
  return { parts, session };
}
const registry = { kind: 'registry' } as const;
const typesOf = async (parts: TestParts) => (await readAudit(parts, {})).map(({ type }) => type);

describe('admission', () => {
  test('is by proof of the registered key, and tells the floor', async () => {
    const { parts, session } = await admitted();
    expect(session.floor).toBe(1);
    expect(must(await authenticate(parts, session.token))).toEqual({ who: 'ada', role: 'agent' });
    const issued = must(await issueCredential(parts, { agent: 'ada', purpose: registry }));
    expect(issued.expiresAt).toBe(parts.now() + 15 * 60_000);
    parts.clock.now += 24 * 60 * 60_000;
    expect(reasonOf(await authenticate(parts, session.token))).toBe('E_PLATFORM_ROLE token');
  });

  test('is refused to a wrong key, another agent’s challenge, one that was changed, used or is too old', async () => {
    const parts = await newParts();
    for (const agent of ['ada', 'bo']) await settle(parts, agent);
    const challenge = await begin(parts, 'ada');
    const bo = await begin(parts, 'bo');
    const finish = async (given: Parameters<typeof finishAdmission>[1]) =>
      reasonOf(await finishAdmission(parts, given));
    expect(await finish(proof(parts, challenge, agentKey(parts, 'bo')))).toBe('E_ADMISSION bad-proof');
    expect(await finish({ ...proof(parts, bo), challenge })).toBe('E_ADMISSION bad-proof');
    expect(await finish({ challenge, signature: 'x' })).toBe('E_ADMISSION bad-proof');
    const own = newChallenge({ platform: 'test', agent: 'ada', purpose: 'admit' }, parts.now());
    expect(await finish(proof(parts, own))).toBe('E_ADMISSION other-challenge');
    expect(await finish(proof(parts, { ...challenge, expires_at: challenge.expires_at + 1 }))).toBe(
      'E_ADMISSION other-challenge',
    );
    expect(await finish(proof(parts, challenge))).toBe('ok');
    expect(await finish(proof(parts, challenge))).toBe('E_ADMISSION no-challenge');
    parts.clock.now += 10 * 60_000;
    expect(await finish(proof(parts, bo))).toBe('E_ADMISSION expired');
    expect(await finish(proof(parts, { ...bo, agent: 'nobody' }, agentKey(parts, 'bo')))).toBe(
      'E_ADMISSION unknown-agent',
    );
  });

  test('is asked for by an agent with the key on its card, and by nobody else; who is admitted asks no more', async () => {
    const parts = await newParts();
    for (const agent of ['ada', 'bo']) await settle(parts, agent);
    const asked = async () => (await findAgent(parts, 'ada'))?.admission.asked;
    const ask = async (signer = agentKey(parts, 'ada'), change = {}) => {
      const { challenge, seal } = sessionChallenge(parts, 'ada');
      return reasonOf(
        await beginSession(parts, { ...proof(parts, { ...challenge, ...change }, signer), seal }),
      );
    };
    expect(await ask(agentKey(parts, 'bo'))).toBe('E_ADMISSION not-admitted');
    expect(await ask(undefined, { nonce: 'x'.repeat(43) })).toBe('E_ADMISSION not-admitted');
    expect(await asked()).toBeUndefined();
    expect(await ask()).toBe('E_ADMISSION not-admitted');
    expect(await asked()).toBe(parts.now());
    expect(await typesOf(parts)).toContain('admission.asked');
    must(await finishAdmission(parts, proof(parts, await begin(parts, 'ada'))));
    expect(await asked()).toBeUndefined();
  });

  test('of fifty proofs at once succeeds once', async () => {
    const parts = await newParts();
    await settle(parts, 'ada');
    const given = proof(parts, await begin(parts, 'ada'));
    const all = await Promise.all(Array.from({ length: 50 }, () => finishAdmission(parts, given)));
    const results = all.map(reasonOf);
    expect(results.filter((result) => result === 'ok')).toHaveLength(1);
    expect(results.filter((result) => result === 'E_ADMISSION no-challenge')).toHaveLength(49);
  });

  test('is refused to a key that was replaced, also after it was ended, and whatever the card says', async () => {
    const parts = await newParts();
    await settle(parts, 'ada');
    const old = agentKey(parts, 'ada');
    must(await finishAdmission(parts, proof(parts, await begin(parts, 'ada'))));
    const next = createKey().signer;
    const newKey = next.publicKey.hex;
    const change = must(await beginAdmission(parts, { agent: 'ada', by: 'owner', newKey }));
    must(await finishAdmission(parts, proof(parts, change, next)));
    must(await revokeAdmission(parts, { agent: 'ada', by: 'pia' }));
    expect(reasonOf(await finishAdmission(parts, proof(parts, await begin(parts, 'ada'), old)))).toBe(
      'E_ADMISSION replaced-key',
    );
    // One that is written on the card is let in.
    await settle(parts, 'ada', { agent_public_key: cardKey(next) });
    expect(reasonOf(await finishAdmission(parts, proof(parts, await begin(parts, 'ada'), next)))).toBe('ok');
  });

  test('is begun by the owner alone, of an agent that is published', async () => {
    const parts = await newParts();
    await save(parts, 'ada');
    const start = async (by: string, agent = 'ada') => reasonOf(await beginAdmission(parts, { agent, by }));
    expect(await start('owner')).toBe('E_ADMISSION not-approved');
    await settle(parts, 'ada');
    expect(await start('somebody')).toBe('E_ADMISSION not-owner');
    expect(await start('owner', 'nobody')).toBe('E_ADMISSION unknown-agent');
    expect(await start('owner')).toBe('ok');
  });

  test('refused again and again is on record so many times and no more', async () => {
    const parts = await newParts();
    await settle(parts, 'ada');
    const challenge = await begin(parts, 'ada');
    const wrong = proof(parts, challenge, createKey().signer);
    for (let n = 0; n < 30; n += 1) await finishAdmission(parts, wrong);
    const refused = async () => (await typesOf(parts)).filter((type) => type === 'admission.refused').length;
    expect(await refused()).toBe(20);
    expect(reasonOf(await finishAdmission(parts, proof(parts, challenge)))).toBe('ok');
    parts.clock.now += 60 * 60_000;
    await finishAdmission(parts, wrong);
    expect(await refused()).toBe(21);
  });

  test('stays while a new challenge is open', async () => {
    const { parts } = await admitted();
    await begin(parts, 'ada');
    expect(reasonOf(await issueCredential(parts, { agent: 'ada', purpose: registry }))).toBe('ok');
  });

  test('an agent signs only what it set out to sign', () => {
    const signer = createKey().signer;
    const challenge = newChallenge({ platform: 'test', agent: 'ada', purpose: 'session' }, 0);
    const expect_ = { platform: 'test', agent: 'ada', purpose: 'session' } as const;
    expect(reasonOf(signChallenge(challenge, expect_, signer))).toBe('ok');
    for (const other of [{ platform: 'evil' }, { agent: 'bo' }, { purpose: 'rotate' as const }])
      expect(reasonOf(signChallenge({ ...challenge, ...other }, expect_, signer))).toBe(
        'E_ADMISSION other-challenge',
      );
  });

  test('goes over to a new key, shown by that key, and the old one is none from then on', async () => {
    const { parts, session } = await admitted();
    const next = createKey().signer;
    const rotate = must(
      await beginAdmission(parts, { agent: 'ada', by: 'owner', newKey: next.publicKey.hex }),
    );
    expect(reasonOf(await finishAdmission(parts, proof(parts, rotate)))).toBe('E_ADMISSION bad-proof');
    expect(reasonOf(await finishAdmission(parts, proof(parts, rotate, next)))).toBe('ok');
    expect(reasonOf(await authenticate(parts, session.token))).toBe('E_PLATFORM_ROLE token');
    const { challenge, seal } = sessionChallenge(parts, 'ada');
    const with_ = (signer = next) => beginSession(parts, { ...proof(parts, challenge, signer), seal });
    expect(reasonOf(await with_(agentKey(parts, 'ada')))).toBe('E_ADMISSION bad-proof');
    expect(reasonOf(await with_())).toBe('ok');
  });
});

describe('a session', () => {
  test('is opened by a sealed challenge, once', async () => {
    const { parts } = await admitted();
    const { challenge, seal } = sessionChallenge(parts, 'ada');
    const open = async (sealed = seal, of = challenge) =>
      reasonOf(await beginSession(parts, { ...proof(parts, of), seal: sealed }));
    expect(await open('x')).toBe('E_ADMISSION other-challenge');
    expect(await open(seal, { ...challenge, expires_at: challenge.expires_at + 1 })).toBe(
      'E_ADMISSION other-challenge',
    );
    expect(await open()).toBe('ok');
    expect(await open()).toBe('E_ADMISSION used');
    const later = sessionChallenge(parts, 'ada');
    parts.clock.now += 10 * 60_000;
    expect(await open(later.seal, later.challenge)).toBe('E_ADMISSION expired');
  });

  test('and credentials end with the admission', async () => {
    const { parts, session } = await admitted();
    must(await revokeAdmission(parts, { agent: 'ada', by: 'publisher' }));
    expect(reasonOf(await authenticate(parts, session.token))).toBe('E_PLATFORM_ROLE token');
    const { challenge, seal } = sessionChallenge(parts, 'ada');
    expect(reasonOf(await beginSession(parts, { ...proof(parts, challenge), seal }))).toBe(
      'E_ADMISSION not-admitted',
    );
    expect(reasonOf(await issueCredential(parts, { agent: 'ada', purpose: registry }))).toBe(
      'E_ADMISSION not-admitted',
    );
  });
});

describe('credentials', () => {
  test('are not given before admission, and that is on record', async () => {
    const parts = await newParts();
    await settle(parts, 'ada');
    expect(reasonOf(await issueCredential(parts, { agent: 'ada', purpose: registry }))).toBe(
      'E_ADMISSION not-admitted',
    );
    expect(await typesOf(parts)).toContain('credential.refused');
    const before = (await typesOf(parts)).length;
    expect(reasonOf(await issueCredential(parts, { agent: 'nobody', purpose: registry }))).toBe(
      'E_ADMISSION unknown-agent',
    );
    expect(await typesOf(parts)).toHaveLength(before);
  });

  test('are on record with what they open and until when, and without their secret', async () => {
    const { parts } = await admitted();
    const issued = must(
      await issueCredential(parts, { agent: 'ada', purpose: registry, lifetimeMs: 60_000 }),
    );
    const entry = (await readAudit(parts, { agent: 'ada' })).at(-1);
    expect(entry).toMatchObject({
      type: 'credential.issued',
      agent: 'ada',
      data: { purpose: registry, rules: issued.scope.rules, expiresAt: parts.now() + 60_000 },
    });
    const token = issued.kind === 'token' ? issued.token : '';
    expect(JSON.stringify(await parts.store.readAll())).not.toContain(token.slice(-20));
  });

  test('are not given when they cannot be put on record', async () => {
    const { parts } = await admitted();
    const deaf = {
      ...parts,
      store: {
        ...parts.store,
        append: async () => ({
          ok: false as const,
          error: { code: 'E_JOURNAL_UNAVAILABLE' as const, reason: 'disk' as const },
        }),
      },
    };
    expect(reasonOf(await issueCredential(deaf, { agent: 'ada', purpose: registry }))).toBe(
      'E_PLATFORM unavailable',
    );
  });

  test('are not given for longer than an hour, nor for a place that cannot be seen', async () => {
    const { parts } = await admitted();
    const ask = async (purpose: Parameters<typeof issueCredential>[1]['purpose'], lifetimeMs = 60_000) =>
      reasonOf(await issueCredential(parts, { agent: 'ada', purpose, lifetimeMs }));
    expect(await ask(registry, 3_600_001)).toBe('E_ACCESS lifetime');
    expect(await ask({ kind: 'topic', id: 't' })).toBe('E_ACCESS not-visible');
    const topic = { kind: 'topic', id: 't', title: 'T', mode: 'freeform' } as const;
    must(await putPlace(parts, placeSchema.parse(topic), 'p'));
    expect(await ask({ kind: 'topic', id: 't' })).toBe('ok');
    must(await putPlace(parts, placeSchema.parse({ ...topic, visibility: 'invited' }), 'p'));
    expect(await ask({ kind: 'topic', id: 't' })).toBe('E_ACCESS not-visible');
    expect(await ask({ kind: 'circle', id: '*' })).toBe('E_ACCESS bad-id');
  });

  test('are given so many times in an hour and no more', async () => {
    const { parts } = await admitted();
    const record = (await parts.store.projection('platform.agent', 'ada')) as object;
    const counted = { hour: Math.floor(parts.now() / 3_600_000), asked: 600, refused: 0 };
    const store = {
      ...parts.store,
      projection: async (name: string, key: string) =>
        name === 'platform.agent' ? ({ ...record, counted } as never) : parts.store.projection(name, key),
    };
    const ask = async (platform = parts) =>
      reasonOf(await issueCredential(platform, { agent: 'ada', purpose: registry }));
    expect(await ask({ ...parts, store })).toBe('E_ACCESS too-many');
    expect(await ask()).toBe('ok');
  });

  test('of a folder need no address for a single write', async () => {
    const { parts } = await admitted();
    const upload = { agent: 'ada', purpose: registry, key: KEYS.heartbeat('ada'), length: 1 };
    expect(reasonOf(await issueUpload(parts, upload))).toBe('E_ACCESS not-covered');
  });
});
