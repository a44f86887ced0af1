import {
  answererOf,
  type ComparisonDocument,
  comparisonDocument,
  type EvalDocument,
  edgeShares,
  evalDocument,
  type Mark,
  type MetricScores,
  MOST_EXACT,
  markedDifferences,
  modelNames,
  type OriginShare,
  pairScores,
  readVerdict,
  type Score,
  type ScoredCase,
  shapleyShares,
  type VariantFacts,
  validMarks,
} from '@cuebook/eval';
import type { RecordedTake } from '@cuebook/host';
import type { RunId, Store } from '@cuebook/journal';
import { asJson } from '@cuebook/journal/json';
import type { JsonValue } from '@cuebook/prompt';
import { sha256 } from '../project/hash.js';
import { type AnswerChecks, OWN_METRIC } from '../prompt-test/case-file.js';
import { checkAnswer } from '../prompt-test/expect/answer.js';
import { type AboutCase, type EvalAbout, type FoundTake, readStarted, takesOf } from './started.js';
import { stepRun } from './step-run.js';
import { divergedOf, followedTakes } from './through/read.js';

export {
  type AblationStep,
  type AboutCase,
  type EvalAbout,
  type FoundTake,
  readStarted,
  type StartedEval,
  takesOf,
} from './started.js';

/** The document of a run after a number of looks, from the record alone. */
export async function documentOf(
  store: Pick<Store, 'read'>,
  run: RunId,
  look: number,
  marks: MarksOf = () => [],
): Promise<ComparisonDocument | EvalDocument | undefined> {
  const started = await readStarted(store, run);
  if (started === undefined || !['eval', 'compare'].includes(started.about.what)) return undefined;
  const { about, looks } = started;
  const takes = await followedTakes(store, run, started, look);
  const scored = scoresOf(about, takes, await verdictsOf(store, run, { about, look }), marks);
  const shared = {
    id: run,
    seed: about.seed,
    takes: about.takes,
    turns: turnsOf(about, takes),
    costs: casesOf(about, takes, costOf),
  };
  if (about.what === 'eval')
    return evalDocument({
      ...shared,
      variant: about.variants[0] as VariantFacts,
      models: modelsOf(about, takes, 0),
      metrics: scored,
    });
  return comparisonDocument({
    ...shared,
    base: about.variants[0] as VariantFacts,
    candidate: about.variants[1] as VariantFacts,
    diff: diffOf(about),
    gate: { margin: about.margin, look: { look: Math.min(look, looks.length), planned: looks.length } },
    metrics: scored,
    attribution: attributionOf(about, takes),
    earlier: about.earlier,
    models: { base: modelsOf(about, takes, 0), candidate: modelsOf(about, takes, 1) },
    ...(about.through === true ? { diverged: divergedOf(takes) } : {}),
  });
}

/** Who answered under a variant, by its place among the names. */
const modelsOf = (
  { names }: EvalAbout,
  takes: ReadonlyMap<string, FoundTake>,
  side: number,
): readonly string[] =>
  modelNames(
    [...takes.values()].map(({ plan, found }) =>
      plan.lane.startsWith(`${names[side]}/`) && found ? answererOf(found.outcome) : undefined,
    ),
  );

/** Who answered in some takes. */
export const answerersOf = (takes: Iterable<Pick<FoundTake, 'found'>>): readonly string[] =>
  modelNames([...takes].map(({ found }) => found && answererOf(found.outcome)));

/** What differs in the words, and which prompts of the project are reached. */
function diffOf({ diff, change }: EvalAbout): JsonValue {
  if (change === undefined || diff === null || typeof diff !== 'object' || Array.isArray(diff)) return diff;
  return { ...diff, reach: asJson(change.reach) };
}

/** What a take tells of something. */
export type TakeReading = (take: RecordedTake, about: AboutCase) => Score;

/** The scores of all cases that were asked for, by variant. */
export function scoresByVariant(
  about: EvalAbout,
  takes: ReadonlyMap<string, FoundTake>,
  read: TakeReading,
): ReadonlyMap<string, readonly (readonly Score[])[]> {
  const lists = new Map<string, Score[][]>(about.cases.map(({ id }) => [id, about.names.map(() => [])]));
  const cases = new Map(about.cases.map((each) => [each.id, each]));
  for (const { plan, found } of takes.values()) {
    const [, variant = '', id = ''] = /^([^/]+)\/\d+\/(.+)$/su.exec(plan.lane) ?? [];
    const scores = lists.get(id)?.[about.names.indexOf(variant)];
    scores?.push(found === undefined ? { missing: 'not run' } : read(found, cases.get(id) as AboutCase));
  }
  return lists;
}

function casesOf(
  about: EvalAbout,
  takes: ReadonlyMap<string, FoundTake>,
  read: TakeReading,
): readonly ScoredCase[] {
  const scores = scoresByVariant(about, takes, read);
  return about.cases.flatMap(({ id, cluster }) => {
    const [base = [], candidate = []] = scores.get(id) ?? [];
    return base.length + candidate.length === 0 ? [] : [{ id, cluster, base, candidate }];
  });
}

/** The score of a take by the checks of a metric: yes or no, or why there is none. */
const scoreBy =
  (checksOf: (about: AboutCase) => AnswerChecks | undefined): TakeReading =>
  ({ outcome: { text, calls, end } }, about) => {
    if (end.reason !== 'done') return { missing: end.code ?? end.reason };
    const checks = checksOf(about);
    if (checks === undefined) return { missing: 'the case has no check' };
    const given = { text, calls: calls.map(({ name, input }) => ({ name, args: input })) };
    return text === '' && calls.length === 0 ? 0 : Number(checkAnswer(given, checks).length === 0);
  };

export const costOf: TakeReading = ({ outcome: { usage } }) => usage?.costUsd ?? { missing: 'no price' };

export function readings(
  { metrics, cases, judges = {} }: EvalAbout,
  verdicts: ReadonlyMap<string, JudgeVerdicts> = new Map(),
): readonly (readonly [string, TakeReading])[] {
  const own = cases.some(({ checks }) => checks !== undefined)
    ? [[OWN_METRIC, scoreBy(({ checks }) => checks)] as const]
    : [];
  const checked = Object.entries(metrics).map(([name, checks]) => [name, scoreBy(() => checks)] as const);
  const judged = Object.entries(judges).map(([name, { bothOrders }]) => {
    const told = verdicts.get(name) ?? new Map();
    return [name, scoreByJudge(bothOrders ? pairScores(told).scores : told)] as const;
  });
  return [...own, ...checked, ...judged];
}

/** The score that a judge gave; what it did not judge, or not so that it can be read, is missing. */
const scoreByJudge =
  (verdicts: JudgeVerdicts | undefined): TakeReading =>
  ({ turn, outcome: { end } }) => {
    if (end.reason !== 'done') return { missing: end.code ?? end.reason };
    return verdicts?.get(turn) ?? { missing: 'not judged' };
  };

function scoresOf(
  about: EvalAbout,
  takes: ReadonlyMap<string, FoundTake>,
  verdicts: ReadonlyMap<string, JudgeVerdicts>,
  marks: MarksOf,
): readonly MetricScores[] {
  const [base = '', candidate = ''] = about.names;
  return readings(about, verdicts).map(([name, read]) => {
    const by = about.judges?.[name];
    return {
      name,
      role: name === about.primary ? 'primary' : about.guards.includes(name) ? 'guard' : 'note',
      cases: casesOf(about, takes, read).filter(({ id }) => name !== OWN_METRIC || hasChecks(about, id)),
      ...(by === undefined
        ? {}
        : {
            judged: {
              judge: `${by.judge} ${by.judgeHash.slice(0, 'sha256:'.length + 12)}`,
              marks: by.bothOrders
                ? {}
                : markedDifferences(validMarks(marks(by.judge), by).valid, { base, candidate }),
              ...(by.bothOrders ? { orders: ordersOf(verdicts.get(name)) } : {}),
            },
          }),
    };
  });
}

function ordersOf(verdicts: JudgeVerdicts = new Map()): { readonly pairs: number; readonly flips: number } {
  const { pairs, flips } = pairScores(verdicts);
  return { pairs, flips };
}

/** The marks of persons, by the name of the judge. */
export type MarksOf = (judge: string) => readonly Mark[];

/** What a judge said of takes, by `RUN@TURN`. */
export type JudgeVerdicts = ReadonlyMap<string, Score>;

/** By metric, what judges said of the takes of a run up to a look: each look has a run of judgements of its own. */
async function verdictsOf(
  store: Pick<Store, 'read'>,
  run: RunId,
  { about: { judges = {} }, look }: { readonly about: EvalAbout; readonly look: number },
): Promise<ReadonlyMap<string, JudgeVerdicts>> {
  const all = new Map<string, JudgeVerdicts>();
  for (const name of Object.keys(judges)) {
    const told = new Map<string, Score>();
    for (let at = 1; at <= look; at += 1)
      for (const [turn, score] of await readVerdicts(store, stepRun(sha256, run, judgeStep(name, at))))
        told.set(turn, score);
    all.set(name, told);
  }
  return all;
}

/** What the run of judgements after a look is called. */
export const judgeStep = (metric: string, look: number): string => `judge ${metric} ${look}`;

/** The verdicts of a run of judgements; none where there is no such run. */
export async function readVerdicts(store: Pick<Store, 'read'>, run: RunId): Promise<JudgeVerdicts> {
  const started = await readStarted(store, run);
  const verdicts = new Map<string, Score>();
  if (started === undefined) return verdicts;
  for (const { plan, found } of (await takesOf(store, run, started.takes)).values()) {
    const turn = /^judge\/\d+\/(.+)$/su.exec(plan.lane)?.[1];
    if (turn === undefined || found === undefined) continue;
    verdicts.set(turn, judgementOf(found));
  }
  return verdicts;
}

/** What a judgement says; one that cannot be read is missing. */
export function judgementOf({ outcome: { end, text } }: RecordedTake): Score {
  if (end.reason !== 'done') return { missing: end.code ?? end.reason };
  const verdict = readVerdict(text);
  return verdict === undefined ? { missing: 'judge' } : Number(verdict.pass);
}

const hasChecks = ({ cases }: EvalAbout, id: string): boolean =>
  cases.find((each) => each.id === id)?.checks !== undefined;

function turnsOf(about: EvalAbout, takes: ReadonlyMap<string, FoundTake>) {
  const turns = new Map<string, { base: string[]; candidate: string[] }>();
  for (const { plan, found } of takes.values()) {
    const [, variant = '', id = ''] = /^([^/]+)\/\d+\/(.+)$/su.exec(plan.lane) ?? [];
    const side = about.names.indexOf(variant);
    if (side > 1 || found === undefined) continue;
    const own = turns.get(id) ?? { base: [], candidate: [] };
    turns.set(id, own);
    (side === 0 ? own.base : own.candidate).push(found.turn);
  }
  return Object.fromEntries(turns);
}

/** The shares of the changed origins in the difference of the primary metric. */
function attributionOf(about: EvalAbout, takes: ReadonlyMap<string, FoundTake>): readonly OriginShare[] {
  const { origins, primary, names } = about;
  const read = readings(about).find(([name]) => name === primary)?.[1];
  if (origins.length === 0 || read === undefined) return [];
  const scores = scoresByVariant(about, takes, read);
  const whole = about.cases.flatMap(({ id, cluster }) => {
    const means = (scores.get(id) ?? []).map(meanScore);
    return means.length === names.length && means.every((mean) => mean !== undefined)
      ? [{ cluster, means: means as readonly number[] }]
      : [];
  });
  const at = (name: string): number => names.indexOf(name);
  if (origins.length <= MOST_EXACT) {
    const order = Array.from({ length: 2 ** origins.length }, (_, mask) =>
      at(maskName(mask, origins.length)),
    );
    return shapleyShares(
      origins,
      whole.map(({ cluster, means }) => ({ cluster, values: order.map((index) => means[index] as number) })),
    );
  }
  return edgeShares(
    origins,
    whole.map(({ cluster, means }) => ({
      cluster,
      base: means[0] as number,
      candidate: means[1] as number,
      allBut: origins.map((_, unit) => means[at(`but-${unit}`)] as number),
      alone: origins.map((_, unit) => means[at(`only-${unit}`)] as number),
    })),
  );
}

/** What the variant with these changes is called. */
export const maskName = (mask: number, units: number): string =>
  mask === 0 ? 'base' : mask === 2 ** units - 1 ? 'candidate' : `mask-${mask}`;

function meanScore(scores: readonly Score[]): number | undefined {
  const known = scores.filter((score): score is number => typeof score === 'number');
  return known.length === 0 ? undefined : known.reduce((sum, score) => sum + score, 0) / known.length;
}
