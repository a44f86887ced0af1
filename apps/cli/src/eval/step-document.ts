import type { RunId, Store } from '@cuebook/journal';
import { Failure } from '../failure.js';
import {
  type AboutCase,
  answerersOf,
  type EvalAbout,
  judgementOf,
  readings,
  readStarted,
  takesOf,
} from './about.js';

/** What a run that serves another one has come to: judgements, a later step of an ablation, a part of a tuning. */
export interface StepDocument {
  readonly step: 1;
  readonly id: string;
  readonly what: EvalAbout['what'];
  /** The run that it serves; null where that is none, as of the anchors of a judge. */
  readonly of: string | null;
  /** What it is called there. */
  readonly name: string | null;
  /** What its takes are scored by: a metric, or a judge. */
  readonly metric: string;
  /** What the takes of each variant were told without, where that is known. */
  readonly variants: readonly { readonly name: string; readonly edits: readonly string[] }[];
  readonly models: readonly string[];
  readonly takes: readonly {
    readonly case: string;
    readonly variant: string;
    /** `RUN@TURN`; null: it has no outcome yet. */
    readonly turn: string | null;
    readonly score: number | null;
    /** Why there is no score. */
    readonly missing: string | null;
  }[];
}

/** It, from the record alone; undefined for a run of another kind. */
export async function stepDocument(
  store: Pick<Store, 'read'>,
  run: RunId,
): Promise<StepDocument | undefined> {
  const started = await readStarted(store, run);
  if (started === undefined) return undefined;
  const { about } = started;
  const cases = new Map(about.cases.map((each) => [each.id, each]));
  const read =
    about.what === 'judge'
      ? judgementOf
      : (readings(about).find(([name]) => name === about.primary)?.[1] ?? (() => ({ missing: 'no metric' })));
  const takes = await takesOf(store, run, started.takes);
  return {
    ...{ step: 1, id: run, what: about.what, metric: about.primary },
    of: servedBy(about),
    name: about.step?.name ?? null,
    variants: about.names.map((name, at) => ({ name, edits: editsOf(about, at) })),
    models: answerersOf(takes.values()),
    takes: [...takes.values()].map(({ plan, found }) => {
      const [, variant = '', id = ''] = /^([^/]+)\/\d+\/(.+)$/su.exec(plan.lane) ?? [];
      const score =
        found === undefined
          ? { missing: 'not run' }
          : read(found, cases.get(id) ?? (about.cases[0] as AboutCase));
      const isScored = typeof score === 'number';
      return {
        ...{ case: id, variant, turn: found?.turn ?? null },
        score: isScored ? score : null,
        missing: isScored ? null : score.missing,
      };
    }),
  };
}

/** That a run is told with the one that it serves, and not by itself. */
export function noDocument(run: string, about: EvalAbout): Failure {
  const of = servedBy(about);
  return new Failure(
    'E_RUN_UNKNOWN',
    of === null
      ? `${run} is no eval and no comparison`
      : `${run} is a step of ${of}, which tells what came of it`,
    { exit: 1 },
  );
}

const servedBy = ({ step }: EvalAbout): string | null =>
  step !== undefined && /^run_[A-Za-z0-9]{1,60}$/u.test(step.of) ? step.of : null;

/** The units that a later step of an ablation left out under a variant. */
function editsOf({ ablation }: EvalAbout, variant: number): readonly string[] {
  const set = ablation?.step?.sets[variant - 1] ?? [];
  return set.flatMap((unit) => ablation?.units[unit]?.edit ?? []);
}
