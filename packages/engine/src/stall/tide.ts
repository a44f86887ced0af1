import type { Trace } from './trace.js';

/** How the numbers of the answers of one act went so far: the last ones, and the way each of them goes. */
export type Tide = { readonly last: readonly number[]; readonly ways: readonly Way[] };
/** `up` or `down` as long as it went only there, `both` when it turned, `still` when it never moved. */
type Way = 'still' | 'up' | 'down' | 'both';

export type Tides = { readonly [act: string]: Tide };

/**
 * Follows the numbers that each act was answered with. An act counts when one of its numbers moved on in the only
 * way that it ever went: rows that are written, a queue that gets shorter. Numbers that go to and fro, such as those
 * of processes and random ones, turn after a few looks and count no more.
 */
export function followTides({ calls }: Trace, before: Tides = {}) {
  const counting = new Set<string>();
  const tides = new Map(Object.entries(before));
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
  tide: { last, ways: last.map((): Way => 'still') },
  moved: false,
});

function turn({ last, ways }: Tide, counts: readonly number[]) {
  const steps = counts.map((count, at) => stepOf(count - (last[at] ?? count)));
  const next = steps.map((step, at): Way => {
    const way = ways[at] ?? 'still';
    if (step === 'still' || way === 'both') return way;
    return way === 'still' || way === step ? step : 'both';
  });
  const moved = steps.some((step, at) => step !== 'still' && next[at] === step);
  return { tide: { last: counts, ways: next }, moved };
}

const stepOf = (by: number): Way => {
  if (by > 0) return 'up';
  return by < 0 ? 'down' : 'still';
};
