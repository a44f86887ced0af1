import {
  eventsOf,
  findRegister,
  findRun,
  isRegister,
  type RunId,
  type RunSummary,
  type Store,
  turnOf,
} from '@cuebook/journal';
import { nearest } from '@cuebook/prompt';

import { hint } from '@cuebook/prompt/hint';
import { Failure } from '../failure.js';

/** What a caller named: a run, and a turn of it. */
export interface NamedRun {
  readonly run: RunId;
  /** What stands behind the `@`, if anything, without the call that `RUN@TURN#CALL` names. */
  readonly turn?: string;
}

/** The newest run, as a caller may name it. */
export const LAST = 'last';

/**
 * The run that the caller named by its id, the beginning of it, or as the `last` one, with `@TURN`; without a name the
 * newest.
 */
export async function requireRun(store: Store, named: string): Promise<NamedRun>;
export async function requireRun(store: Store, named: string | undefined): Promise<NamedRun | undefined>;
export async function requireRun(store: Store, named: string | undefined): Promise<NamedRun | undefined> {
  const runs = await store.runs();
  const newest = runs.reduce<RunSummary | undefined>((a, b) => (a && a.lastAt > b.lastAt ? a : b), undefined);
  if (named === undefined) return newest && { run: newest.run };
  const at = named.indexOf('@');
  const name = at === -1 ? named : named.slice(0, at);
  // Lists leave registers out; whoever asks for one by its name may read it.
  const register = isRegister(name) ? await findRegister(store, name as RunId) : undefined;
  if (register !== undefined) return { run: register };
  const found = name === LAST && newest !== undefined ? newest : findRun(runs, name);
  if ('run' in found)
    return { run: found.run, ...(at === -1 ? {} : { turn: named.slice(at + 1).split('#', 1)[0] ?? '' }) };
  throw unknownRun(
    name,
    found.candidates,
    runs.map(({ run }) => run),
  );
}

/** The failure for a run that is not there; also where there are no runs at all. */
export function unknownRun(
  name: string,
  candidates: readonly string[] = [],
  runs: readonly string[] = [],
): Failure {
  if (candidates.length > 0) {
    const list = candidates.slice(0, 5).join(', ');
    return new Failure('E_RUN_UNKNOWN', `${candidates.length} runs begin with "${name}": ${list}`);
  }
  if (name === LAST)
    return new Failure('E_RUN_UNKNOWN', `No run is on record here yet: ${hint`run TARGET`} makes one.`);
  const near = nearest(name, runs) ?? nearest(`run_${name}`, runs);
  const advice = near === undefined ? `${hint`runs`} lists those on record.` : `Did you mean ${near}?`;
  return new Failure('E_RUN_UNKNOWN', `No run is called "${name}". ${advice}`);
}

/** The ids of a run's turns in order. */
export async function turnsOf(store: Store, run: RunId): Promise<readonly string[]> {
  const turns: string[] = [];
  for await (const event of eventsOf(store, run)) {
    const turn = event.type === 'turn.recorded' ? turnOf(event) : undefined;
    if (turn !== undefined) turns.push(turn);
  }
  return turns;
}

/** The turn that the caller named: by its id, its number from 1, or `last`. */
export function requireTurn(turns: readonly string[], named: string, run: string): string {
  if (turns.includes(named)) return named;
  const index = named === 'last' ? turns.length - 1 : /^\d{1,9}$/.test(named) ? Number(named) - 1 : -1;
  const found = turns[index];
  if (found !== undefined) return found;
  const near = nearest(named, turns);
  const advice = near === undefined ? `It has ${turns.length}.` : `Did you mean ${near}?`;
  throw new Failure('E_TURN_UNKNOWN', `${run} has no turn "${named}". ${advice}`);
}
