import { ok } from '@cuebook/prompt';
import { describe, expect, test } from 'vitest';
import { must, reasonOf } from '../../bundle/test/scratch.js';
import { newParts, type TestParts } from '../test/parts.js';
import { readAudit } from './audit.js';
import type { Arm } from './experiment/cohort.js';
import { type Tallies, tallyOutcomes } from './experiment/compare.js';
import type { RolloutPlan } from './experiment/rollout.js';
import { endExperiment, listExperiments, outcomesSubject, setExperiment } from './experiments.js';
import { change } from './ledger.js';
import { DEFAULT_PLAN, type RolloutRequest, stepRollout } from './rollout.js';

const WARM = { id: 'warm', scenario: 'greeting', control: 1, candidate: 2, share: 0.1 };

async function platform(): Promise<TestParts> {
  const parts = await newParts();
  const greeting = parts.library.find(({ id }) => id === 'greeting');
  if (greeting === undefined) throw new Error('there is a greeting');
  const wide = {
    ...parts,
    library: [...parts.library, ...[2, 3].map((version) => ({ ...greeting, version }))],
  };
  must(await setExperiment(wide, WARM, 'pia'));
  return wide;
}

/** So many of `of` outcomes of each arm are 1: control, then candidate. */
type Yes = readonly [number, number];

async function count(parts: TestParts, of: number, metrics: Readonly<Record<string, Yes>>): Promise<void> {
  const outcomes = Object.entries(metrics).flatMap(([metric, yes]) =>
    (['control', 'candidate'] as const satisfies readonly Arm[]).flatMap((arm, index) =>
      Array.from({ length: of }, (_, n) => ({
        experiment: 'warm',
        arm,
        metric,
        value: n < (yes[index] ?? 0) ? 1 : 0,
      })),
    ),
  );
  must(
    await change<Tallies, void, never>(parts.store, outcomesSubject('warm'), (before) =>
      ok({
        events: [{ type: 'outcomes.counted', data: { of } }],
        state: tallyOutcomes('warm', outcomes, before),
        answer: undefined,
      }),
    ),
  );
}

const GOOD = { liked: [600, 900], answered: [1900, 1930] } as const;
const step = async (parts: TestParts, more: Partial<RolloutRequest> = {}) =>
  stepRollout(parts, { experiment: 'warm', by: 'pia', ...more });
const shareNow = async (parts: TestParts) => (await listExperiments(parts))[0]?.share;
const trail = async (parts: TestParts) =>
  (await readAudit(parts, {})).map(({ type }) => type).filter((type) => type !== 'outcomes.counted');

describe('a rollout on the platform', () => {
  test.each([
    ['nothing was counted', 0, {}, 'hold', 0.1],
    ['too little was counted', 100, { liked: [50, 80], answered: [99, 99] }, 'hold', 0.1],
    ['the interval leaves too much doubt', 200, { liked: [100, 100], answered: [190, 190] }, 'hold', 0.1],
    ['the interval allows it', 2000, GOOD, 'advance', 0.25],
    ['it is worse at what it is for', 2000, { ...GOOD, liked: [900, 600] }, 'roll-back', 0],
    [
      'it is better, and the guard metric is worse',
      2000,
      { ...GOOD, answered: [1900, 1500] },
      'roll-back',
      0,
    ],
  ] as const)('when %s', async (_, of, metrics, type, share) => {
    const parts = await platform();
    await count(parts, of, metrics);
    const decided = must(await step(parts));
    expect(decided).toMatchObject({ experiment: 'warm', type, from: 0.1, share });
    expect(await shareNow(parts)).toBe(share);
    // On record: the decision with its evidence, and the share only when it changed.
    const entry = (await readAudit(parts, {})).find((each) => each.type === 'rollout.decided');
    expect(entry?.data).toEqual({ by: 'pia', ...decided });
    const [liked] = decided.comparisons;
    expect(liked?.arms.candidate.count).toBe(of);
    expect(liked?.difference.low).toBeLessThanOrEqual(liked?.difference.high ?? -1);
    const sets = (await trail(parts)).filter((each) => each === 'experiment.set').length;
    expect(sets).toBe(share === 0.1 ? 1 : 2);
  });

  test('goes to everybody stage by stage, each with outcomes of its own, and stays there', async () => {
    const parts = await platform();
    const shares: unknown[] = [];
    for (let n = 0; n < 3; n += 1) {
      await count(parts, 2000, GOOD);
      // The second look at the same outcomes never widens.
      for (let look = 0; look < 2; look += 1) {
        const { type, share, status } = must(await step(parts, { promote: n === 2 }));
        shares.push([type, share, status]);
      }
    }
    expect(shares).toEqual([
      ['advance', 0.25, 'running'],
      ['hold', 0.25, 'running'],
      ['advance', 0.5, 'running'],
      ['hold', 0.5, 'running'],
      ['finish', 1, 'finished'],
      ['hold', 1, 'finished'],
    ]);
  });

  test('that went back stays back, and goes back again when a person begins it anew on the same outcomes', async () => {
    const parts = await platform();
    await count(parts, 2000, { ...GOOD, liked: [900, 600] });
    expect(must(await step(parts)).type).toBe('roll-back');
    expect(must(await step(parts))).toMatchObject({ type: 'hold', status: 'rolled-back', share: 0 });
    must(await setExperiment(parts, { ...WARM, share: 0.2 }, 'pia'));
    expect(must(await step(parts))).toMatchObject({ type: 'roll-back', from: 0.2, share: 0 });
  });

  test('done again under one id answers the same and writes nothing, whatever came in between', async () => {
    const parts = await platform();
    await count(parts, 2000, GOOD);
    const first = must(await step(parts, { command: 'night-1' }));
    await count(parts, 2000, GOOD);
    const before = await trail(parts);
    const again = await Promise.all([1, 2, 3].map(() => step(parts, { command: 'night-1' })));
    expect(again.map(must)).toEqual([first, first, first]);
    expect(await trail(parts)).toEqual(before);
    expect(must(await step(parts, { command: 'night-2' }))).toMatchObject({ type: 'advance', from: 0.25 });
    must(await endExperiment(parts, 'warm', 'pia'));
    expect(must(await step(parts, { command: 'night-1' }))).toEqual(first);
    expect(reasonOf(await step(parts, { command: 'night-3' }))).toBe('E_EXPERIMENT unknown');
  });

  test('asked for with a dry run decides the same and writes nothing', async () => {
    const parts = await platform();
    await count(parts, 2000, GOOD);
    const before = await trail(parts);
    const dry = must(await step(parts, { dryRun: true, command: 'night-1' }));
    expect(await trail(parts)).toEqual(before);
    expect(await shareNow(parts)).toBe(0.1);
    expect(must(await step(parts, { command: 'night-1' }))).toEqual(dry);
  });

  test.each<[string, Partial<RolloutPlan>]>([
    ['no stages', { stages: [] }],
    ['stages that end before everybody', { stages: [0.1, 0.5] }],
    ['stages that shrink', { stages: [0.5, 0.1, 1] }],
    ['a stage that is no number', { stages: [Number.NaN, 1] }],
    ['outcomes that are none', { outcomes: 0 }],
    ['a margin past everything', { margin: 1.5 }],
    ['a margin that is no number', { margin: Number.NaN }],
    ['an effect past everything', { effect: 1.2 }],
    ['a power that nobody has', { power: 1 }],
    ['a loss below nothing', { baseline: 0.1, harm: 0.2 }],
    ['agents further apart than they can be', { baseline: 0.3, spread: 0.5 }],
    ['a metric that is no name', { metric: '__proto__' }],
    ['a guard that is no name', { guards: ['a/b'] }],
  ])('with %s is refused', async (_, more) => {
    const parts = await platform();
    const plan = { ...DEFAULT_PLAN, ...more };
    expect(reasonOf(await step(parts, { plan }))).toBe('E_EXPERIMENT bad-plan');
  });

  test('keeps the plan of its first step', async () => {
    const parts = await platform();
    const plan: RolloutPlan = { stages: [0.2, 1], outcomes: 10, metric: 'answered', guards: [], margin: 0.5 };
    expect(must(await step(parts, { plan })).plan).toEqual(plan);
    expect(must(await step(parts, { plan: { ...plan } })).plan).toEqual(plan);
    expect(must(await step(parts)).plan).toEqual(plan);
    expect(reasonOf(await step(parts, { plan: DEFAULT_PLAN }))).toBe('E_EXPERIMENT other-plan');
  });
});

describe('the name of an experiment', () => {
  // The first would be read as an arm, the second is where counted days are marked.
  test.each(['a/b', 'counted days', '', '__proto__'])('is not %s', async (id) => {
    const parts = await platform();
    must(await endExperiment(parts, 'warm', 'pia'));
    expect(reasonOf(await setExperiment(parts, { ...WARM, id }, 'pia'))).toBe('E_EXPERIMENT bad-id');
  });

  test('stands for one pair of versions once something was counted, also after its end', async () => {
    const parts = await platform();
    const other = { ...WARM, candidate: 3 };
    must(await setExperiment(parts, other, 'pia'));
    await count(parts, 10, GOOD);
    must(await setExperiment(parts, { ...other, share: 0.3 }, 'pia'));
    expect(reasonOf(await setExperiment(parts, WARM, 'pia'))).toBe('E_EXPERIMENT counted');
    must(await endExperiment(parts, 'warm', 'pia'));
    expect(reasonOf(await setExperiment(parts, other, 'pia'))).toBe('E_EXPERIMENT counted');
  });
});
