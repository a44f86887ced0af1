import { DEFAULT_PLAN } from '@cuebook/platform';
import { expect, test } from 'vitest';
import { startNightly } from '../../src/platform/nightly.js';
import type { PlatformStand } from './platform-stand.js';

/** Experiments that grow. */
export function rolloutTests(standOf: () => PlatformStand): void {
  test('a rollout: decided on what was counted, once for each id, on record', async () => {
    const { platform, ask } = standOf();
    const asked = { agents: 200, plan: { ...DEFAULT_PLAN, effect: 0.05, guards: [] } };
    const planned = await ask('owner', 'POST', '/experiment-plan', asked);
    expect(planned.body.length).toMatchObject({ days: 26, outcomes: { control: 2600 } });
    const greeting = platform.active.find(({ id }) => id === 'greeting')?.version ?? 0;
    const warm = { scenario: 'greeting', control: greeting, candidate: greeting + 1, share: 0.1 };
    expect((await ask('publisher', 'PUT', '/experiments/warm', warm)).status).toBe(200);
    expect((await ask('publisher', 'PUT', '/experiments/hot', { ...warm, candidate: 9 })).status).toBe(409);
    const step = (body: object, name = 'warm') =>
      ask('publisher', 'POST', `/experiments/${name}/rollout`, body);
    expect((await step({}, 'cold')).status).toBe(404);
    const plan = { stages: [0.2, 1], outcomes: 20, metric: 'liked', guards: [], margin: 0.5 };
    expect((await step({ plan: { ...plan, stages: [1, 0.2] } })).status).toBe(400);
    expect((await step({ plan, dryRun: true })).body).toMatchObject({ type: 'hold', share: 0.1, plan });
    const first = await step({ plan, id: 'night-1' });
    expect(first).toMatchObject({
      status: 200,
      body: { type: 'hold', metric: 'liked', comparisons: [{ arms: { candidate: { count: 0 } } }] },
    });
    expect((await step({ id: 'night-1' })).body).toEqual(first.body);
    expect((await step({ plan: { ...plan, margin: 0.1 } })).status).toBe(409);
    const entries = (await ask('auditor', 'GET', '/audit?limit=1000')).body.entries;
    const decided = entries.filter(({ type }: { type: string }) => type === 'rollout.decided');
    expect(decided).toMatchObject([{ data: { by: 'the publisher', ...first.body } }]);
    const page = await ask('owner', 'GET', '/experiments/warm');
    expect(page).toMatchObject({ status: 200, body: { status: 'running', next: 'hold', progress: 0, plan } });
    expect((await ask('owner', 'GET', '/experiments/cold')).status).toBe(404);
    // The server settles days by itself, while an experiment runs.
    await new Promise<void>((settled) => {
      const nightly = startNightly(platform, {
        every: 1,
        onSettled: () => void nightly.stop().then(settled),
      });
    });
    const marked = (await platform.store.readAll()).filter(({ type }) => type === 'day.counted');
    expect(marked).toHaveLength(1);
    expect((await ask('publisher', 'POST', '/days', {})).body.days).toEqual([]);
    expect((await ask('publisher', 'DELETE', '/experiments/warm')).status).toBe(200);
    expect((await ask('auditor', 'GET', '/experiments/warm')).body).toMatchObject({
      status: 'ended',
      next: null,
    });
  });
}
