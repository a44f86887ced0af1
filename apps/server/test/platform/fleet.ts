import { KEYS } from '@cuebook/bundle';
import { expect, test } from 'vitest';
import { must, type PlatformStand } from './platform-stand.js';

/** The fleet, the library and the health of keys. */
export function fleetTests(standOf: () => PlatformStand): void {
  test('the fleet, the library and the health of keys, as the store has them now', async () => {
    const { platform, ask } = standOf();
    const fleet = async () => (await ask('auditor', 'GET', '/fleet')).body.members;
    const ada = async () => (await fleet()).find(({ agent }: { agent: string }) => agent === 'ada');
    expect(await ada()).toMatchObject({
      ...{ admission: 'admitted', published: { cardVersion: 1 }, verification: { ok: true }, seenAt: null },
    });
    const beat = { agent_id: 'ada', observed_at: '2026-01-02T03:04:05.000Z' };
    must(await platform.objects.put(KEYS.heartbeat('ada'), Buffer.from(JSON.stringify(beat))));
    expect((await ada()).seenAt).toBe(Date.parse(beat.observed_at));
    must(
      await platform.objects.put(
        KEYS.heartbeat('ada'),
        Buffer.from(JSON.stringify({ ...beat, agent_id: 'bo' })),
      ),
    );
    expect((await ada()).seenAt).toBeNull();
    const { versions } = (await ask('owner', 'GET', '/library')).body;
    const intro = ({ id, version }: { id: string; version: number }) => id === 'intro' && version === 1;
    expect(versions.find(intro)).toMatchObject({
      ...{ active: true, agents: expect.arrayContaining(['ada']) },
    });
    expect((await ask('other owner', 'GET', '/library')).body.versions[0].agents).toEqual([]);
    const health = (await ask('auditor', 'GET', '/health')).body;
    expect(health.roles).toContainEqual({ role: 'root', keys: [expect.any(String)], threshold: 1 });
    expect(health.expiries).toContainEqual({
      ...{ what: 'timestamp', agent: 'ada', expires: expect.any(Number), state: 'good' },
      ...{ who: 'server', command: 'cuebook platform renew' },
    });
    const bundle = must(await platform.objects.get(KEYS.bundle('ada')));
    must(
      await platform.objects.put(
        KEYS.bundle('ada'),
        Buffer.from(Buffer.from(bundle).toString().replace('ada', 'eve')),
      ),
    );
    expect((await ada()).verification).toMatchObject({ ok: false });
    const shown = JSON.stringify((await ask('auditor', 'GET', '/bundles/ada')).body);
    expect(shown).not.toMatch(/eve|basePrompt/);
    must(await platform.objects.put(KEYS.bundle('ada'), bundle));
    expect((await ask('owner', 'GET', '/fleet')).status).toBe(403);
  });
}
