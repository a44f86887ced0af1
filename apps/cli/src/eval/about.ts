import {
  type ComparisonDocument,
  comparisonDocument,
  type EvalDocument,
  edgeShares,
  evalDocument,
  type Mark,
  type MetricScores,
  MOST_EXACT,
  markedDifferences,
  type OriginShare,
  readVerdict,
  type Score,
  type ScoredCase,
  shapleyShares,
  type UnitFacts,
  type UnitKind,
  type VariantFacts,
  validMarks,
} from '@cuebook/eval';
import { type RecordedTake, readTakes, type TakePlan } from '@cuebook/host';
import type { RunId, Store } from '@cuebook/journal';
import type { JsonValue } from '@cuebook/prompt';
import { sha256 } from '../project/hash.js';
import type { ProjectDiff } from '../project/project-diff.js';
import { type AnswerChecks, OWN_METRIC } from '../prompt-test/case-file.js';
import { checkAnswer } from '../prompt-test/expect/answer.js';
import { stepRun } from './step-run.js';

/** What the record of a comparison keeps beside its takes: with them it gives the document, and nothing else is read. */
export type EvalAbout = {
  readonly what: 'eval' | 'compare' | 'ablate' | 'judge' | 'tune';
  readonly seed: number;
  readonly takes: number;
  readonly margin: number;
  readonly primary: string;
  readonly guards: readonly string[];
  readonly metrics: Readonly<Record<string, AnswerChecks>>;
  readonly cases: readonly AboutCase[];
  readonly variants: readonly VariantFacts[];
  /** What each variant is called in lanes; the first two are the base and the candidate. */
  readonly names: readonly string[];
  /** Changed origins, where the difference is attributed to them. */
  readonly origins: readonly string[];
  readonly diff: JsonValue;
  /** The difference of the words as text. */
  readonly diffText: string;
  readonly earlier: readonly string[];
  /** What changed in the prompts of the project, with the lines of files and who is reached. It is no part of what makes a comparison this one. */
  readonly change?: ProjectDiff;
  /** By metric, the judge that scores it, and the hash of its words then. */
  readonly judges?: Readonly<Record<string, { readonly judge: string; readonly judgeHash: string }>>;
  /** Of an ablation: its units, and for its later steps which of them are left out together. */
  readonly ablation?: {
    readonly kind: UnitKind;
    readonly design: 'loo' | 'subsets';
    readonly units: readonly UnitFacts[];
    readonly step?: { readonly name: AblationStep; readonly sets: readonly (readonly number[])[] };
  };
};

/** After the units one by one: those that could go together, then pairs of them. */
export type AblationStep = 'joint' | 'pairs';

export type AboutCase = {
  readonly id: string;
  readonly cluster: string;
  readonly target: string;
  readonly checks?: AnswerChecks;
};

export interface StartedEval {
  readonly takes: readonly TakePlan[];
  readonly looks: readonly number[];
  readonly model?: string;
  readonly about: EvalAbout;
}

/** What the first event of a run of kind `eval` holds; undefined for any other run. */
export async function readStarted(store: Pick<Store, 'read'>, run: RunId): Promise<StartedEval | undefined> {
  const [first] = await store.read(run, { limit: 1 });
  return first?.type === 'eval.started' ? (first.data as unknown as StartedEval) : undefined;
}

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
  const count = looks[Math.min(look, looks.length) - 1] ?? started.takes.length;
  const takes = await takesOf(store, run, started.takes.slice(0, count));
  const scored = scoresOf(about, takes, await verdictsOf(store, run, { about, look }), marks);
  const shared = {
    id: run,
    seed: about.seed,
    takes: about.takes,
    turns: turnsOf(about, takes),
    costs: casesOf(about, takes, costOf),
  };
  if (about.what === 'eval')
    return evalDocument({ ...shared, variant: about.variants[0] as VariantFacts, metrics: scored });
  return comparisonDocument({
    ...shared,
    base: about.variants[0] as VariantFacts,
    candidate: about.variants[1] as VariantFacts,
    diff: diffOf(about),
    gate: { margin: about.margin, look: { look: Math.min(look, looks.length), planned: looks.length } },
    metrics: scored,
    attribution: attributionOf(about, takes),
    earlier: about.earlier,
  });
}

/** What differs in the words, and which prompts of the project are reached. */
function diffOf({ diff, change }: EvalAbout): JsonValue {
  if (change === undefined || diff === null || typeof diff !== 'object' || Array.isArray(diff)) return diff;
  return { ...diff, reach: change.reach as unknown as JsonValue };
}

export interface FoundTake {
  readonly plan: TakePlan;
  readonly found: RecordedTake | undefined;
}

/** Each take of the plan with what the record has of it, in this run or in the one that it was made in. */
export async function takesOf(
  store: Pick<Store, 'read'>,
  run: RunId,
  plan: readonly TakePlan[],
): Promise<ReadonlyMap<string, FoundTake>> {
  const runs = new Map<string, ReadonlyMap<string, RecordedTake>>();
  const found = new Map<string, FoundTake>();
  for (const each of plan) {
    const place = each.from ?? { run, lane: each.lane };
    const known = runs.get(place.run) ?? (await readTakes(store, place.run as RunId));
    runs.set(place.run, known);
    found.set(each.lane, { plan: each, found: known.get(place.lane) });
  }
  return found;
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
  const judged = Object.keys(judges).map((name) => [name, scoreByJudge(verdicts.get(name))] as const);
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
              marks: markedDifferences(validMarks(marks(by.judge), by).valid, { base, candidate }),
            },
          }),
    };
  });
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
    const { end, text } = found.outcome;
    const verdict = end.reason === 'done' ? readVerdict(text) : undefined;
    verdicts.set(
      turn,
      verdict === undefined
        ? { missing: end.reason === 'done' ? 'judge' : (end.code ?? end.reason) }
        : Number(verdict.pass),
    );
  }
  return verdicts;
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
