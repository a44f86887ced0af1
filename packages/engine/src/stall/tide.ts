import { guard } from '@cuebook/guard';
import type { Trace } from './trace.js';

/** How the numbers of the answers of one act went so far: the last ones, the way each of them goes, and turns since. */
export type Tide = { readonly last: readonly number[]; readonly ways: readonly Way[]; readonly age: number };
/**
 * `up` or `down` as long as it went only there, `both` when it turned, `still` when it never moved; `tick` as long as it
 * went up by one with each look, or with each turn: such a number counts looks or turns.
 */
type Way = 'still' | 'tick' | 'up' | 'down' | 'both';

export type Tides = { readonly [act: string]: Tide };

/**
 * Follows the numbers that each act was answered with. An act counts when one of its numbers moved on in the only
 * way that it ever went: rows that are written, a queue that gets shorter. Numbers that go to and fro, such as those
 * of processes and random ones, turn after a few looks and count no more; numbers of attempts never do.
 */
export function followTides({ calls }: Trace, before: Tides = {}) {
  const counting = new Set<string>();
  const tides = new Map(
    Object.entries(before).map(([act, tide]): [string, Tide] => [act, { ...tide, age: tide.age + 1 }]),
  );
  for (const { key, counts, failed } of calls) {
    if (key === undefined || failed || counts.length === 0) continue;
    const known = tides.get(key);
    const { tide, moved } = known?.last.length === counts.length ? turn(known, counts) : begin(counts);
    if (moved) counting.add(key);
    tides.delete(key);
    tides.set(key, tide);
  }
  return { counting, tides: Object.fromEntries([...tides].slice(-ACTS)) };
}

/** Acts whose numbers are kept: those that were done last. */
const ACTS = 16;

const begin = (last: readonly number[]) => ({
  tide: { last, ways: last.map((): Way => 'still'), age: 0 },
  moved: false,
});

function turn({ last, ways, age }: Tide, counts: readonly number[]) {
  const steps = counts.map((count, at) => stepOf(count - (last[at] ?? count), age));
  const next = steps.map((step, at) => wayOf(ways[at] ?? 'still', step));
  const moved = steps.some((step, at) => step !== 'still' && (next[at] === 'up' || next[at] === 'down'));
  return { tide: { last: counts, ways: next, age: 0 }, moved };
}

function stepOf(by: number, age: number): Exclude<Way, 'both'> {
  if (by === 0) return 'still';
  if (guard('stall.tick', by === 1 || by === age)) return 'tick';
  return by > 0 ? 'up' : 'down';
}

function wayOf(way: Way, step: Exclude<Way, 'both'>): Way {
  if (step === 'still' || way === 'both') return way;
  if (way === 'still' || way === step) return step;
  return way !== 'down' && step !== 'down' ? 'up' : 'both';
}
