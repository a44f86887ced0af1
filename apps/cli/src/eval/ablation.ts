import {
  type AblationDocument,
  ablationDocument,
  jointUnits,
  type Score,
  type ScoredCase,
  type VariantFacts,
} from '@cuebook/eval';
import type { RunId, Store } from '@cuebook/journal';
import type { Hash } from '@cuebook/prompt';
import {
  type AblationStep,
  answerersOf,
  costOf,
  type EvalAbout,
  type FoundTake,
  readings,
  readStarted,
  scoresByVariant,
  takesOf,
} from './about.js';
import { stepRun } from './step-run.js';
import { unitsKept } from './units.js';

type Takes = ReadonlyMap<string, FoundTake>;

/** What the record of an ablation tells: its document, and the units that its second step leaves out together. */
export interface ReadAblation {
  readonly document: AblationDocument;
  readonly next: readonly number[];
}

/** An ablation from the record alone: the run that it began with, and the runs of its later steps as far as they are. */
export async function ablationOf(
  store: Pick<Store, 'read'>,
  run: RunId,
  hash: Hash,
): Promise<ReadAblation | undefined> {
  const started = await readStarted(store, run);
  const { about } = started ?? {};
  if (started === undefined || about?.ablation === undefined) return undefined;
  // A later step alone is no ablation.
  if (about.ablation.step !== undefined) return undefined;
  const { kind, design, units } = about.ablation;
  const takes = await takesOf(store, run, started.takes);
  const steps = [takes];
  const step = async (name: AblationStep) => {
    const id = stepRun(hash, run, name);
    const next = await readStarted(store, id);
    const sets = next?.about.ablation?.step?.sets;
    if (next === undefined || sets === undefined) return undefined;
    const own = await takesOf(store, id, next.takes);
    steps.push(own);
    return { sets, without: withoutEach(next.about, own, sets.length) };
  };
  const [joint, pairs] = [await step('joint'), await step('pairs')];
  const scores =
    design === 'loo'
      ? { design, without: withoutEach(about, takes, units.length) }
      : { design, cases: about.cases.length, observations: observationsOf(about, takes) };
  const { target, hash: words, tokens } = about.variants[0] as VariantFacts;
  const { seed, takes: count, margin, primary } = about;
  return {
    next: jointUnits({ units, scores, margin }),
    document: ablationDocument({
      ...{
        id: run,
        seed,
        target,
        hash: words,
        tokens,
        kind,
        metric: primary,
        takes: count,
        margin,
        units,
        scores,
      },
      missing: missingOf(about, takes),
      models: answerersOf(steps.flatMap((each) => [...each.values()])),
      cost: costOfAll(about, steps),
      joint: joint && { units: joint.sets[0] ?? [], cases: joint.without[0] ?? [] },
      pairs: pairs?.sets.map(([one = 0, other = 0], at) => ({
        units: [one, other],
        cases: pairs.without[at] ?? [],
      })),
    }),
  };
}

/** For each variant but the first: the scores of cases without its units (`base`), and with everything (`candidate`). */
function withoutEach(about: EvalAbout, takes: Takes, variants: number): readonly (readonly ScoredCase[])[] {
  const scores = scoresByVariant(about, takes, readingOf(about));
  return Array.from({ length: variants }, (_, at) =>
    about.cases.map(({ id, cluster }) => {
      const own = scores.get(id) ?? [];
      return { id, cluster, base: own[at + 1] ?? [], candidate: own[0] ?? [] };
    }),
  );
}

function observationsOf(about: EvalAbout, takes: Takes) {
  const scores = scoresByVariant(about, takes, readingOf(about));
  return about.cases.flatMap(({ id, cluster }) =>
    (scores.get(id) ?? []).flatMap((own, at) => {
      const kept = unitsKept(about.names[at] ?? '');
      return kept === undefined
        ? []
        : own.flatMap((score) => (typeof score === 'number' ? [{ kept, score, cluster }] : []));
    }),
  );
}

const readingOf = (about: EvalAbout) =>
  readings(about).find(([name]) => name === about.primary)?.[1] ?? (() => ({ missing: 'no metric' }));

function missingOf(about: EvalAbout, takes: Takes): AblationDocument['missing'] {
  const reasons: Record<string, number> = {};
  let count = 0;
  for (const lists of scoresByVariant(about, takes, readingOf(about)).values())
    for (const score of lists.flat() as readonly Score[]) {
      if (typeof score === 'number') continue;
      count += 1;
      reasons[score.missing] = (reasons[score.missing] ?? 0) + 1;
    }
  return { count, reasons: Object.fromEntries(Object.entries(reasons).sort()) };
}

function costOfAll(about: EvalAbout, steps: readonly Takes[]): number | null {
  let sum = 0;
  for (const takes of steps)
    for (const { plan, found } of takes.values()) {
      if (found === undefined || plan.from !== undefined) continue;
      const cost = costOf(found, about.cases[0] as EvalAbout['cases'][number]);
      if (typeof cost !== 'number') return null;
      sum += cost;
    }
  return sum;
}
