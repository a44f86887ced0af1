import { KEYS, placeSchema, SHIPPED_VERSIONS } from '@cuebook/bundle';
import { expect } from 'vitest';
import { itInTurn as test } from '../../../../test/runs.js';
import { AGENT_SCENARIOS, libraryOf } from '../../../bundle/test/platform.js';
import { must, reasonOf } from '../../../bundle/test/scratch.js';
import { newParts, settle, type TestParts } from '../../test/parts.js';
import { findAgent } from '../cards.js';
import { endExperiment, setExperiment } from '../experiments.js';
import { giveFeedback } from '../feedback/give.js';
import { putPlace } from '../places.js';
import { publishApproved } from '../publishing.js';
import { stepRollout } from '../rollout.js';
import { armOf } from './cohort.js';
import { viewResult } from './result.js';
import { settleDays } from './settle-day.js';

const TRIAL = { id: 'warmer', scenario: 'greeting', control: 1, candidate: 2, share: 0.5 };
const DAY = 24 * 60 * 60 * 1000;

async function town(): Promise<{ readonly parts: TestParts; readonly agents: readonly string[] }> {
  const library = [...AGENT_SCENARIOS, ...SHIPPED_VERSIONS.filter(({ version }) => version === 2)];
  const base = await newParts();
  const listed = libraryOf(base.offline.keys, library, 2);
  must(await base.objects.put(KEYS.shared('library', 2), listed.bytes));
  const parts = { ...base, library, trust: { ...base.trust, library: listed } };
  // Five of each arm.
  const names = Array.from({ length: 60 }, (_, n) => `agent_${n}`);
  const of = (arm: string) => names.filter((name) => armOf(TRIAL, name) === arm).slice(0, 5);
  const agents = [...of('control'), ...of('candidate')];
  for (const agent of agents) await settle(parts, agent);
  const topic = { kind: 'topic', id: 'square', title: 'Square', mode: 'freeform' };
  must(await putPlace(parts, placeSchema.parse(topic), 'pia'));
  return { parts, agents };
}

test('an experiment from its plan to its end: harm is halted by itself, and nothing is promoted by itself', async () => {
  const { parts, agents } = await town();
  expect(reasonOf(await viewResult(parts, 'warmer'))).toBe('E_EXPERIMENT unknown');
  must(await setExperiment(parts, TRIAL, 'pia'));
  const plan = {
    stages: [0.5, 1],
    outcomes: 5,
    metric: 'liked',
    guards: [],
    margin: 0.05,
    effect: 0.3,
    harm: 0.25,
  };
  const first = must(
    await stepRollout(parts, { experiment: 'warmer', by: 'pia', plan: { ...plan, baseline: 0.5 } }),
  );
  expect(first.type).toBe('hold');
  expect(first.length?.tuning.alpha).toBe(0.05);
  must(await publishApproved(parts, { by: 'pia' }));
  const begun = must(await viewResult(parts, 'warmer'));
  expect(begun).toMatchObject({
    ...{ status: 'running', next: 'hold', progress: 0, cohorts: { control: 5, candidate: 5 } },
    comparisons: [{ metric: 'liked', verdict: 'open', arms: { control: { count: 0, agents: 0 } } }],
  });

  /** Everybody greets once; what the control arm writes is liked. */
  const live = async () => {
    const at = new Date(parts.clock.now).toISOString();
    for (const agent of agents) {
      const key = KEYS.message('square', agent, `to_bo_${at.slice(0, 10)}`);
      const body = { agent_id: agent, to: 'bo', text: 'Hi?', scenario: 'greeting', created_at: at };
      must(await parts.objects.put(key, Buffer.from(JSON.stringify(body))));
      if (armOf(TRIAL, agent) === 'control')
        must(await giveFeedback(parts, { agent, about: key, by: 'olga' }));
    }
  };
  const versions = async () =>
    new Set(
      await Promise.all(
        agents.map(async (agent) => (await findAgent(parts, agent))?.published?.scenarios.greeting),
      ),
    );
  expect(await versions()).toEqual(new Set([1, 2]));
  let days = 0;
  let halted: readonly object[] = [];
  while (halted.length === 0 && days < 12) {
    await live();
    parts.clock.now += DAY;
    days += 1;
    halted = must(await settleDays(parts, 'night')).flatMap((day) => day.halted);
    // The same night again counts nothing.
    expect(must(await settleDays(parts, 'night'))).toEqual([]);
  }
  expect(halted).toEqual([{ experiment: 'warmer', metric: 'liked' }]);
  // Nobody has the candidate any more, without anybody having done anything.
  expect(await versions()).toEqual(new Set([1]));
  const result = must(await viewResult(parts, 'warmer'));
  expect(result).toMatchObject({
    status: 'rolled-back',
    share: 0,
    next: 'hold',
    comparisons: [
      { metric: 'liked', verdict: 'worse' },
      { metric: 'answered', verdict: 'open' },
    ],
  });
  expect(result.comparisons[0]?.arms.candidate).toMatchObject({ count: 5 * days, agents: 5, mean: 0 });
  must(await endExperiment(parts, 'warmer', 'pia'));
  expect(must(await viewResult(parts, 'warmer'))).toMatchObject({
    status: 'ended',
    next: null,
    plan: { effect: 0.3 },
  });
});

test('days that nobody counted are made up for, the oldest first', async () => {
  const parts = await newParts();
  expect(must(await settleDays(parts, 'night')).map(({ day }) => day)).toEqual(['20261114']);
  parts.clock.now += 3 * DAY;
  expect(must(await settleDays(parts, 'night')).map(({ day }) => day)).toEqual([
    '20261115',
    '20261116',
    '20261117',
  ]);
  expect(must(await settleDays(parts, 'night'))).toEqual([]);
});
