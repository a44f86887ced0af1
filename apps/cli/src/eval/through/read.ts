import type { RecordedTake } from '@cuebook/host';
import type { RunId, Store } from '@cuebook/journal';
import { sha256 } from '../../project/hash.js';
import { type FoundTake, readStarted, type StartedEval, takesOf } from '../started.js';
import { stepRun } from '../step-run.js';

/** The most answers of one take. */
export const MOST_STEPS = 50;

/** What the run of the answers number `step` is called, of the takes up to a look. */
export const throughStep = (step: number, look: number): string => `through ${step} ${look}`;

/** The lane of a take in such a run. */
export const THROUGH = 'through';

/**
 * The takes of a run up to a look. Where agents are followed, each is what came last of it: its final answer, or that it left
 * the record, and at which step.
 */
export async function followedTakes(
  store: Pick<Store, 'read'>,
  run: RunId,
  { takes: plan, looks, about }: StartedEval,
  look = looks.length,
): Promise<ReadonlyMap<string, FoundTake>> {
  const count = looks[Math.min(look, looks.length) - 1] ?? plan.length;
  const takes = await takesOf(store, run, plan.slice(0, count));
  if (about.through !== true) return takes;
  const chains = await chainsOf(store, run, { takes, look });
  return new Map(
    [...takes].map(([lane, take]) => [lane, { ...take, found: lastOf(chains.get(lane) ?? []) }] as const),
  );
}

/** By lane, the answers of each take in order; undefined: one that is asked for and not there yet. */
export async function chainsOf(
  store: Pick<Store, 'read'>,
  run: RunId,
  { takes, look }: { readonly takes: ReadonlyMap<string, FoundTake>; readonly look: number },
): Promise<ReadonlyMap<string, readonly (RecordedTake | undefined)[]>> {
  const chains = new Map([...takes].map(([lane, { found }]) => [lane, [found]]));
  for (let step = 2; step <= MOST_STEPS; step += 1) {
    const next = new Map<string, RecordedTake | undefined>();
    for (let at = 1; at <= look; at += 1) {
      const id = stepRun(sha256, run, throughStep(step, at));
      const started = await readStarted(store, id);
      if (started === undefined) continue;
      for (const { plan, found } of (await takesOf(store, id, started.takes)).values())
        next.set(plan.lane.slice(`${THROUGH}/1/`.length), found);
    }
    if (next.size === 0) break;
    for (const [lane, found] of next) chains.get(lane)?.push(found);
  }
  return chains;
}

/** Whether a take has made calls that somebody must answer before it goes on. */
export const isAsking = ({ outcome: { end, calls } }: RecordedTake): boolean =>
  end.reason === 'done' && calls.length > 0;

/** What came last. Calls that nobody answered are not on record: the take has left it. */
function lastOf(chain: readonly (RecordedTake | undefined)[]): RecordedTake | undefined {
  const last = chain.at(-1);
  if (last === undefined) return undefined;
  const outcome = { ...last.outcome, usage: { ...last.outcome.usage, ...spentOn(chain) } };
  if (!isAsking(last)) return { ...last, outcome };
  return { ...last, outcome: { ...outcome, end: { reason: 'error', code: `${DIVERGED}${chain.length}` } } };
}

/** What all answers of a take cost; nothing where the price of one is not known. */
function spentOn(chain: readonly (RecordedTake | undefined)[]): { readonly costUsd?: number } {
  const costs = chain.flatMap((take) => take?.outcome.usage?.costUsd ?? []);
  return costs.length < chain.length ? {} : { costUsd: costs.reduce((sum, cost) => sum + cost, 0) };
}

const DIVERGED = 'diverged at step ';

/** How many takes of the base and of the candidate left the record, by step. */
export function divergedOf(takes: ReadonlyMap<string, FoundTake>) {
  const counts = { base: {} as Record<string, number>, candidate: {} as Record<string, number> };
  for (const { plan, found } of takes.values()) {
    const step = found?.outcome.end.code?.startsWith(DIVERGED)
      ? found.outcome.end.code.slice(DIVERGED.length)
      : undefined;
    const side = plan.lane.slice(0, plan.lane.indexOf('/'));
    if (step === undefined || (side !== 'base' && side !== 'candidate')) continue;
    counts[side][step] = (counts[side][step] ?? 0) + 1;
  }
  return counts;
}
