import {
  type InjectionCaseFacts,
  type InjectionDocument,
  type InjectionTake,
  injectionDocument,
} from '@cuebook/eval';
import { type RecordedTake, readTakes, type TakePlan } from '@cuebook/host';
import type { RunId, Store } from '@cuebook/journal';
import type { TakeFacts } from './take.js';

/** What the record of an injection suite keeps beside its takes. With them it gives the document. */
export type InjectionAbout = {
  readonly what: 'injection';
  readonly suite: string;
  readonly seed: number;
  readonly takes: number;
  readonly cases: readonly InjectionCaseFacts[];
  readonly earlier: readonly string[];
};

export interface StartedInjection {
  readonly takes: readonly TakePlan[];
  readonly about: InjectionAbout;
}

/** What the first event of a run of an injection suite holds; undefined for any other run. */
export async function readStartedInjection(
  store: Pick<Store, 'read'>,
  run: RunId,
): Promise<StartedInjection | undefined> {
  const [first] = await store.read(run, { limit: 1 });
  if (first?.type !== 'eval.started') return undefined;
  const started = first.data as unknown as StartedInjection;
  return started.about?.what === 'injection' ? started : undefined;
}

/** The document of an injection suite, from the record alone. */
export async function injectionOf(
  store: Pick<Store, 'read'>,
  run: RunId,
): Promise<InjectionDocument | undefined> {
  const started = await readStartedInjection(store, run);
  if (started === undefined) return undefined;
  const { about, takes } = started;
  const runs = new Map<string, ReadonlyMap<string, RecordedTake>>();
  const done = new Map<string, InjectionTake[]>();
  for (const { lane, from } of takes) {
    const place = from ?? { run, lane };
    const known = runs.get(place.run) ?? (await readTakes(store, place.run as RunId));
    runs.set(place.run, known);
    const id = caseOf(lane);
    done.set(id, [...(done.get(id) ?? []), takeOf(known.get(place.lane))]);
  }
  return injectionDocument({ id: run, ...about, done });
}

/** A lane is `VARIANT/TAKE/CASE`. */
const caseOf = (lane: string): string => /^[^/]+\/\d+\/(.+)$/su.exec(lane)?.[1] ?? '';

function takeOf(found: RecordedTake | undefined): InjectionTake {
  if (found === undefined) return { missing: 'not run' };
  const { text, calls, end, usage, take } = found.outcome as RecordedTake['outcome'] & {
    readonly take?: TakeFacts;
  };
  const { turn } = found;
  if (end.reason !== 'done' || take === undefined) return { missing: end.code ?? end.reason, turn };
  return {
    turn,
    calls: calls.map(({ name, input }) => ({ name, input })),
    said: text,
    answer: take.answer,
    told: take.told,
    held: take.held,
    usd: usage?.costUsd ?? null,
    by: take.by ?? [],
  };
}
