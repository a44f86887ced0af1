import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createKey, KEYS, MESSAGE_IDS, placeSchema, readDraft } from '@cuebook/bundle';
import {
  approveCard,
  type ExperimentResult,
  foundWith,
  openPlatform,
  publishApproved,
  putPlace,
  type RolloutPlan,
  saveCard,
  signReview,
  type Tallies,
} from '@cuebook/platform';
import { describe, expect } from 'vitest';
import { type OutcomeMetric, tallyOutcomes } from '../../../../packages/platform/src/experiment/compare.js';
import type { PlanLength } from '../../../../packages/platform/src/experiment/plan-length.js';
import { decideRollout } from '../../../../packages/platform/src/experiment/rollout.js';
import { SEED, share, itInTurn as test } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

// Experiments by the commands that people type: start, publish, count of every day, and a look at every evening. What
// agents do is drawn; everything else is the command, the record in SQLite and the store in a folder. Every evening the
// commands must say exactly what the statistics say of the same outcomes, so that what thousands of simulated
// experiments show of those (peeking.test.ts in the platform) holds for the commands. A soak counts the commands' own.

const DAY = 24 * 60 * 60 * 1000;
const AGENTS = share(24, 40);
/** Scenarios of which a second version is shipped: one experiment on each at a time. */
const SCENARIOS = ['greeting', 'reply', 'intro', 'daily_report'] as const;
/** Times that four experiments are begun. */
const ROUNDS = share(1, 20);

const random = (() => {
  let state = (SEED ^ 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
})();

type Town = Awaited<ReturnType<typeof newTown>>;

/** A platform with agents, a topic where they write, and the commands. The first day lies long before now. */
async function newTown(days: number) {
  const cwd = folderWith({ 'cuebook.yaml': 'roots: {}\n' });
  const folder = join(cwd, '.cuebook', 'platform');
  const reviewer = createKey().signer;
  const holders = { roots: [createKey().signer], library: createKey().signer, reviewers: [reviewer] };
  const about = { name: 'town', url: 'http://127.0.0.1:4000', threshold: 1, now: Date.now() };
  need(await foundWith(folder, { ...about, store: { kind: 'folder' } }, holders));
  const platform = need(await openPlatform(folder, { env: {} }));
  const agents = Array.from({ length: AGENTS }, (_, n) => `agent_${n}`);
  for (const agent of agents) {
    const personality = { extrovert: 0.5, curious: 0.5, creative: 0.5, stable: 0.5 };
    const draft = need(readDraft({ agent_id: agent, name: agent, personality }));
    const record = need(await saveCard(platform, 'olga', draft));
    const { bytes } = need(signReview(record, { signer: reviewer, expires: Date.now() + 365 * DAY }));
    need(await approveCard(platform, { agent, by: 'rosa', cardVersion: 1 }, bytes));
  }
  need(await publishApproved(platform, { by: 'pia' }));
  const topic = { kind: 'topic', id: 'square', title: 'Square', mode: 'freeform' };
  need(await putPlace(platform, placeSchema.parse(topic), 'pia'));
  await platform.close();
  const call = async (args: string) => {
    const { stdout, stderr, code } = await cuebook([...args.split(' '), '--json'], { cwd });
    if (stderr !== '') throw new Error(`${args}: ${stderr}`);
    return { code, value: JSON.parse(stdout) };
  };
  const store = join(folder, 'objects');
  return { call, agents, store, day: Math.floor(Date.now() / DAY) - days - 1 };
}

/** An object as an agent writes it: nobody certifies a post. */
function write(store: string, key: string, body: object): string {
  const path = join(store, key);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(body));
  return key;
}

/** What an experiment is about: its plan, and the share of posts that are answered in each arm. */
interface Kind {
  readonly name: 'same' | 'found' | 'harmed';
  readonly plan: Pick<RolloutPlan, 'effect' | 'baseline' | 'harm'>;
  readonly control: number;
  readonly candidate: number;
}

const SAME: Kind = {
  ...{ name: 'same', plan: { effect: 0.4, baseline: 0.4, harm: 0.3 } },
  ...{ control: 0.4, candidate: 0.4 },
};
// In a soak as the plan expects it; in a short test so far apart that no seed can hide it.
const FOUND: Kind = { ...SAME, name: 'found', control: share(0.1, 0.4), candidate: share(0.95, 0.8) };
const HARMED: Kind = {
  ...{ name: 'harmed', plan: { effect: 0.4, baseline: 0.5, harm: 0.4 } },
  ...{ control: share(0.95, 0.5), candidate: share(0.05, 0.1) },
};

/** One experiment as it is followed here, beside the commands. */
interface Trial {
  readonly id: string;
  readonly scenario: string;
  readonly kind: Kind;
  readonly plan: RolloutPlan;
  readonly length: PlanLength;
  tallies: Tallies;
  /** What was told first, and after how many days. */
  told?: { readonly verdict: string; readonly day: number; readonly status: string };
}

async function begin({ call }: Town, round: number): Promise<readonly Trial[]> {
  const trials: Trial[] = [];
  for (const [at, scenario] of SCENARIOS.entries()) {
    const kind = [SAME, FOUND, HARMED, SAME][(at + round) % 4] as Kind;
    const id = `${kind.name}_${round}_${at}`;
    const flags = Object.entries(kind.plan).map(([flag, value]) => `--${flag} ${value}`);
    const arms = `--scenario ${scenario} --candidate 2 --metric answered --guard answered`;
    const { plan, length } = (await call(`experiment start ${id} ${arms} ${flags.join(' ')}`)).value;
    trials.push({ id, scenario, kind, plan, length, tallies: {} });
  }
  await call('bundle publish');
  return trials;
}

/** Everybody writes once in each scenario, and is answered or not. */
function liveOneDay({ agents, store }: Town, trials: readonly Trial[], date: string, arms: Arms): void {
  for (const trial of trials) {
    const outcomes = agents.map((agent): OutcomeMetric => {
      const arm = arms.get(agent)?.[trial.scenario] === `${trial.id}/candidate` ? 'candidate' : 'control';
      const key = KEYS.message('square', agent, `to_hearer_${trial.id}_${date}`);
      const post = { agent_id: agent, to: 'hearer', text: 'Hello?', scenario: trial.scenario };
      write(store, key, { ...post, created_at: `${date}T10:00:00Z` });
      const isAnswered = random() < trial.kind[arm];
      if (isAnswered) write(store, KEYS.message('square', 'hearer', MESSAGE_IDS.reply(agent, key)), {});
      return { experiment: trial.id, arm, agent, metric: 'answered', value: isAnswered ? 1 : 0 };
    });
    trial.tallies = tallyOutcomes(trial.id, outcomes, trial.tallies);
  }
}

type Arms = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** Four experiments side by side, evening by evening, as long as the longest of their plans. */
async function play(town: Town, round: number): Promise<readonly Trial[]> {
  const { call } = town;
  const trials = await begin(town, round);
  const published = (await call('card list')).value.cards as readonly Carded[];
  const arms: Arms = new Map(published.map(({ agent, published: { cohorts } }) => [agent, cohorts]));
  const longest = Math.max(...trials.map(({ length }) => Math.max(length.days ?? 0, length.haltDays ?? 0)));
  // What is the same is never told: a short test does not wait for the end of its plan.
  const isOpen = () => trials.some(({ told, kind }) => told === undefined && (kind !== SAME || ROUNDS > 1));
  for (let n = 1; n <= longest && isOpen(); n += 1) {
    const date = new Date(town.day * DAY).toISOString().slice(0, 10);
    town.day += 1;
    liveOneDay(town, trials, date, arms);
    await call(`experiment count ${date}`);
    const shown = (await call('experiment')).value.experiments as readonly ExperimentResult[];
    for (const trial of trials.filter(({ told }) => told === undefined)) {
      const { status, comparisons: told } = shown.find(({ id }) => id === trial.id) as ExperimentResult;
      // Likes are counted too, and are no part of this plan.
      const comparisons = told.filter(({ metric }) => metric === 'answered');
      const decided = decideRollout(trial.plan, { stage: 0, status: 'running' }, trial.tallies);
      expect([trial.id, date, plain(comparisons)]).toEqual([trial.id, date, plain(decided.comparisons)]);
      // Harm is halted by the count itself.
      expect([trial.id, status]).toEqual([
        trial.id,
        decided.type === 'roll-back' ? 'rolled-back' : 'running',
      ]);
      const { verdict = 'open' } = comparisons[0] ?? {};
      if (verdict !== 'open') trial.told = { verdict, day: n, status };
    }
  }
  for (const { id } of trials) await call(`experiment end ${id}`);
  return trials;
}

interface Carded {
  readonly agent: string;
  readonly published: { readonly cohorts: Readonly<Record<string, string>> };
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe(`experiments by the commands, 4 times ${ROUNDS} (seed ${SEED})`, () => {
  test('are looked at daily: alarms of arms that are the same, power and halts are those of the plan', async () => {
    const town = await newTown(ROUNDS * 60);
    const all: Trial[] = [];
    for (let round = 0; round < ROUNDS; round += 1) all.push(...(await play(town, round)));
    /** Holds the share of experiments of a kind against a claim, with four standard errors of a sample of this size. */
    const shareOf = (name: Kind['name'], is: (trial: Trial) => boolean) => {
      const own = all.filter(({ kind }) => kind.name === name);
      return { found: own.filter(is).length / own.length, size: own.length };
    };
    const slack = (chance: number, size: number) => 4 * Math.sqrt((chance * (1 - chance)) / size);
    const { length } = all.find(({ kind }) => kind === FOUND) as Trial;
    expect(length.power).toBeGreaterThanOrEqual(0.8);
    const alarms = shareOf('same', ({ told }) => told !== undefined);
    const power = shareOf(
      'found',
      ({ told }) => told?.verdict === 'better' && told.day <= (length.days ?? 0),
    );
    const halted = shareOf(
      'harmed',
      ({ told, length: { haltDays } }) => told?.status === 'rolled-back' && told.day <= (haltDays ?? 0),
    );
    if (ROUNDS === 1) {
      expect([power.found, halted.found]).toEqual([1, 1]);
      return;
    }
    expect(alarms.found).toBeLessThanOrEqual(0.05 + slack(0.05, alarms.size));
    expect(Math.abs(power.found - length.power)).toBeLessThanOrEqual(0.03 + slack(length.power, power.size));
    expect(halted.found).toBeGreaterThanOrEqual(0.95 - 0.03 - slack(0.95, halted.size));
  });
});

function need<Value>(
  result: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: object },
): Value {
  if (result.ok) return result.value;
  throw new Error(JSON.stringify(result.error));
}
