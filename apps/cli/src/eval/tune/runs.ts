import type { Score, ScoredCase } from '@cuebook/eval';
import type { RunId } from '@cuebook/journal';
import type { Call } from '../../command.js';
import { Failure } from '../../failure.js';
import type { Bench } from '../../project/bench.js';
import { OWN_METRIC, type TestCase } from '../../prompt-test/case-file.js';
import type { Journal } from '../../record/journal.js';
import { answerersOf, type EvalAbout, readings, readStarted, scoresByVariant, takesOf } from '../about.js';
import type { PlannedCase } from '../design.js';
import { planOf } from '../plan.js';
import { planRun, runTakes } from '../run-takes.js';

export interface TuneDesk {
  readonly call: Call;
  readonly bench: Bench;
  readonly journal: Journal;
  readonly jobs: number;
  readonly seed: number;
  readonly takes: number;
}

/** Cases under variants, run as a step of a tuning: its id follows from `of` and `name`. */
export interface TuneRun {
  readonly of: string;
  readonly name: string;
  readonly names: readonly string[];
  readonly cases: readonly (PlannedCase & { readonly test: TestCase })[];
  /** Of one request: how many answers. */
  readonly takes?: number;
  /** Kept in the record, to tell decisions apart. */
  readonly key?: string;
}

/** Runs it, and answers the scores of each case by variant and the texts that were said. */
export async function runTune(desk: TuneDesk, asked: TuneRun) {
  const { call, bench, journal, jobs, seed } = desk;
  const { cases, names, takes = desk.takes } = asked;
  const about = aboutOf(asked, { seed, takes });
  const planned = await planRun(
    call,
    { bench, journal },
    { cases, about, looks: [cases.length] },
    {
      ...{ isFresh: false, jobs },
      step: { of: { run: asked.of as RunId, suffix: '' }, name: asked.name, after: 0 },
    },
  );
  const plan = await planOf(call, bench, planned);
  const { report } = await runTakes({
    ...{ call, bench, journal, planned },
    budget: {
      turns: Math.max(1, planned.start.takes.length * 2),
      tokens: Math.max(2_000_000, plan.tokens * 10),
    },
    read: async () => ({}),
  });
  if (report.status !== 'done')
    throw new Failure('E_STOPPED', 'The tuning is not done: the same command goes on', { exit: 1 });
  const started = await readStarted(journal.store, planned.run);
  const found = await takesOf(journal.store, planned.run, started?.takes ?? []);
  const read =
    readings(about as EvalAbout).find(([name]) => name === about.primary)?.[1] ??
    (() => ({ missing: 'no metric' }));
  const scores = scoresByVariant(about as EvalAbout, found, read);
  return {
    run: planned.run,
    models: answerersOf(found.values()),
    /** The scores of a variant beside those of the first. */
    against: (variant: number): readonly ScoredCase[] =>
      about.cases.map(({ id, cluster }) => ({
        ...{ id, cluster, base: scores.get(id)?.[0] ?? [], candidate: scores.get(id)?.[variant] ?? [] },
      })),
    said: [...found.values()].map(({ plan: { lane }, found: take }) => {
      const [, variant = '', id = ''] = /^([^/]+)\/\d+\/(.+)$/su.exec(lane) ?? [];
      const score: Score =
        take === undefined
          ? { missing: 'not run' }
          : read(
              take,
              about.cases.find((each) => each.id === id) ?? (about.cases[0] as EvalAbout['cases'][number]),
            );
      return { variant: names.indexOf(variant), id, text: take?.outcome.text ?? '', score };
    }),
  };
}

function aboutOf(
  { cases, names, key }: TuneRun,
  { seed, takes }: { readonly seed: number; readonly takes: number },
): Omit<EvalAbout, 'earlier'> {
  const { evals } = cases[0]?.test ?? {};
  const metrics = Object.fromEntries(
    Object.entries(evals?.metrics ?? {}).flatMap(([name, of]) => ('answer' in of ? [[name, of.answer]] : [])),
  );
  const hasOwn = cases.some(({ test }) => test.answer !== undefined);
  return {
    ...{
      what: 'tune',
      seed,
      takes,
      margin: 0.05,
      guards: [],
      metrics,
      names,
      variants: [],
      origins: [],
      diff: key ?? null,
    },
    diffText: '',
    primary: evals?.gate?.primary ?? (hasOwn ? OWN_METRIC : (Object.keys(metrics)[0] ?? OWN_METRIC)),
    cases: cases.map(({ id, test: { cluster, target, answer } }) => ({
      ...{ id, target, cluster: cluster ?? id },
      ...(answer === undefined ? {} : { checks: answer }),
    })),
  };
}
