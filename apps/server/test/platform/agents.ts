import { agentObjects, createKey, KEYS, syncTrust } from '@cuebook/bundle';
import { expect, test } from 'vitest';
import { must, type PlatformStand } from './platform-stand.js';

/** From a draft to an agent with its own credentials. */
export function agentTests(standOf: () => PlatformStand): void {
  test('from a draft to an agent that takes its bundle with its own credentials, and nobody else’s', async () => {
    const { platform, ask, publishOver, connect } = standOf();
    await publishOver('ada', { discovery: { public: true } });
    await publishOver('bo');
    const bundle = await ask('auditor', 'GET', '/bundles/ada');
    expect(bundle.body).toMatchObject({
      published: { version: 1 },
      verification: { ok: true, bundleVersion: 1 },
    });
    const ada = connect('ada');
    expect(must(await ada.admit())).toBeUndefined();
    expect((await ask('other owner', 'POST', '/admissions/ada', {})).status).toBe(403);
    for (const agent of ['ada', 'bo'])
      expect((await ask('owner', 'POST', `/admissions/${agent}`, {})).status).toBe(200);
    const session = must(await ada.admit());
    expect(session?.floor).toBe(1);
    must(await connect('bo').admit());
    const objects = agentObjects(ada, Date.now);
    const root = platform.trust.root.bytes;
    const synced = must(
      await syncTrust({ agent: 'ada', root, log: 'town', objects, now: Date.now(), floor: 1 }),
    );
    expect(synced.accepted.card.name).toBe('ada');
    const read = async (key: string) => {
      const got = await objects.get(key);
      return got.ok ? 'ok' : got.error.reason;
    };
    expect(await read(KEYS.bundle('bo'))).toBe('denied');
    expect(await read(KEYS.card('bo'))).toBe('denied');
    const bo = agentObjects(connect('bo'), Date.now);
    expect((await bo.get(KEYS.card('ada'))).ok).toBe(true);
    expect((await objects.put(KEYS.heartbeat('ada'), Buffer.from('1'))).ok).toBe(true);
    expect(await objects.put(KEYS.heartbeat('bo'), Buffer.from('1'))).toMatchObject({
      error: { reason: 'denied' },
    });
    const trail = (await ask('auditor', 'GET', '/audit?agent=ada')).body.entries;
    expect(trail.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining([
        'card.saved',
        'card.approved',
        'publication.done',
        'admission.completed',
        'credential.issued',
      ]),
    );
  });

  test('a session of a revoked agent, a wrong key, and a token of nobody are refused', async () => {
    const { ask, publishOver, connect } = standOf();
    await publishOver('dot');
    await ask('owner', 'POST', '/admissions/dot', {});
    const wrong = await connect('dot', createKey().signer).admit();
    expect(wrong).toMatchObject({ ok: false, error: { code: 'E_CONNECTION', detail: 'E_ADMISSION' } });
    expect((await connect('dot').admit()).ok).toBe(true);
    expect((await connect('dot').session()).ok).toBe(true);
    expect((await ask('publisher', 'DELETE', '/admissions/dot')).status).toBe(200);
    expect(await connect('dot').session()).toMatchObject({ ok: false, error: { detail: 'E_ADMISSION' } });
    expect((await ask(`cba.dot.${'A'.repeat(43)}`, 'GET', '/cards/dot')).status).toBe(401);
  });
}
