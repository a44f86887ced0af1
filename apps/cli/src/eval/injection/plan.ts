import { caseFacts, type InjectionCase, shuffled } from '@cuebook/eval';
import { findTake, type TakePlan } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { asJson } from '@cuebook/journal/json';
import type { Bench } from '../../project/bench.js';
import type { Journal } from '../../record/journal.js';
import type { PlannedEval } from '../run-takes.js';
import type { InjectionAbout } from './record.js';

/** Takes of an injection suite in the order in which they are made. */
export interface PlannedInjection extends Pick<PlannedEval, 'run' | 'start' | 'isThere'> {
  readonly about: InjectionAbout;
  /** By lane. */
  readonly takes: ReadonlyMap<string, { readonly of: InjectionCase; readonly number: number }>;
}

/**
 * Plans the takes of a suite. The same suite, with the same voice, is the same run; a take that is on record is not made again.
 * With `isFresh` it is a new one that names those before it.
 */
export async function planInjection(
  { bench: { hash }, journal }: { readonly bench: Pick<Bench, 'hash'>; readonly journal: Journal },
  cases: readonly InjectionCase[],
  given: {
    readonly suite: string;
    readonly seed: number;
    readonly takes: number;
    readonly jobs: number;
    readonly isFresh: boolean;
    readonly voice: readonly string[];
    /** The hash of the project whose agents are tried. */
    readonly project: string | undefined;
  },
): Promise<PlannedInjection> {
  const { suite, seed, takes, voice, isFresh, project } = given;
  const made = shuffled(cases, seed).flatMap((of) =>
    Array.from({ length: takes }, (_, at) => {
      const number = at + 1;
      const lane = `${of.attack === undefined ? 'plain' : 'attacked'}/${number}/${of.id}`;
      const inProject = of.task.target === undefined ? [] : [project ?? ''];
      const made = ['injection', of, ...inProject, ...voice, number];
      return { of, number, lane, key: short(hash(JSON.stringify(made))) };
    }),
  );
  const about = { what: 'injection' as const, suite, seed, takes, cases: cases.map(caseFacts) };
  const idOf = (fresh: number): RunId =>
    `run_${short(hash(JSON.stringify([about, made.map(({ key }) => key), fresh])), 24)}` as RunId;
  const earlier: RunId[] = [];
  let run = idOf(0);
  while (isFresh && (await journal.store.head(run)) !== undefined) {
    earlier.push(run);
    run = idOf(earlier.length);
  }
  const suffix = isFresh ? `-${earlier.length}` : '';
  const isThere = (await journal.store.head(run)) !== undefined;
  const planned: TakePlan[] = [];
  for (const { lane, key: bare } of made) {
    const key = `${bare}${suffix}`;
    const from = isFresh || isThere ? undefined : await findTake(journal.store, key);
    planned.push({ lane, key, request: 0, ...(from === undefined ? {} : { from }) });
  }
  const told: InjectionAbout = { ...about, earlier };
  return {
    ...{ run, isThere, about: told },
    takes: new Map(made.map(({ lane, of, number }) => [lane, { of, number }])),
    start: {
      ...{ requests: [], takes: planned, looks: [planned.length], jobs: given.jobs, files: {} },
      about: asJson(told),
    },
  };
}

const short = (hash: string, length = 40): string => hash.slice('sha256:'.length, 'sha256:'.length + length);
