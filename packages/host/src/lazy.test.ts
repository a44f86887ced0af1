import { setImmediate } from 'node:timers/promises';
import { manualClock } from '@cuebook/engine';
import { JournalFailure } from '@cuebook/journal';
import { expect, test } from 'vitest';
import type { Ground, KindAtWork, RunKind } from './kind.js';
import { lazyKind } from './lazy.js';

const AWAY = new JournalFailure({ code: 'E_JOURNAL_UNAVAILABLE', reason: 'connection' });

test('a kind keeps looking for runs of its own after the records were away', async () => {
  const clock = manualClock(0);
  const problems: unknown[] = [];
  const answers = [
    async () => new Map(),
    () => Promise.reject(AWAY),
    async () => new Map([['run_1', STANDING]]),
  ];
  const ground = {
    clock,
    leaseMs: 1_000,
    onProblem: (error: unknown) => problems.push(error),
    store: { projections: () => answers.shift()?.() },
  } as unknown as Ground;
  let started = 0;
  const loaded = { attach: () => ({ start: async () => (started += 1) }) as unknown as KindAtWork };
  const load = async () => loaded as unknown as RunKind;
  const kind = lazyKind({ name: 'team', load } as unknown as Parameters<typeof lazyKind>[0]);

  await kind.attach(ground).start();
  for (const expected of [0, 1]) {
    clock.advance(1_000);
    await setImmediate();
    expect(started).toBe(expected);
  }
  expect(problems).toEqual([AWAY]);
});

const STANDING = { kind: 'team', target: 'team:a', status: 'running' };
