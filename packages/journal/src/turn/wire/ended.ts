import type { Ended, ToolUseData } from '../receipt.js';
import { REASON, RUNNER } from './letters.js';
import { isObject, type Wire, withRest } from './wire.js';

type Body = Omit<Ended, 'turn' | 'prev' | 'key' | 'sig'>;

/** `[reason, stop, said, usage, calls, rest?]`; 0 stands for what is not there. */
export function endedWire({ reason, stop, said, usage, calls, ...rest }: Body): Wire {
  return [
    REASON.letter(reason) ?? reason,
    stop ?? 0,
    said ?? 0,
    usage === undefined ? 0 : usageWire(usage),
    calls === undefined ? 0 : typeof calls === 'string' ? calls : callsWire(calls),
    ...withRest(rest),
  ];
}

export function endedWords([reason, stop, said, usage, calls, rest]: Wire): object {
  return {
    ...(isObject(rest) ? rest : {}),
    reason: REASON.word(String(reason)),
    ...(stop === 0 ? {} : { stop }),
    ...(said === 0 ? {} : { said }),
    ...(usage === 0 ? {} : { usage: usageWords(usage) }),
    ...(calls === 0 ? {} : { calls: callsWords(calls) }),
  };
}

/** `[id, name, by, rest?]` for each. */
export const callsWire = (calls: readonly ToolUseData[]): Wire =>
  calls.map(({ id, name, by, ...rest }) => [id, name, RUNNER.letter(by) ?? by, ...withRest(rest)]);

export function callsWords(wire: unknown): unknown {
  if (!Array.isArray(wire)) return wire;
  return wire.map((item: unknown) => {
    if (!Array.isArray(item)) return item;
    const [id, name, by, rest] = item;
    return { ...(isObject(rest) ? rest : {}), id, name, by: RUNNER.word(String(by)) };
  });
}

/** The numbers that every provider counts, in this order. New ones are added at the end. */
const COUNTS = [
  'inputTokens',
  'outputTokens',
  'cachedInputTokens',
  'cacheWriteTokens',
  'reasoningTokens',
  'predictedCachedTokens',
  'costUsd',
] as const;

function usageWire(usage: unknown): unknown {
  if (!isObject(usage)) return { usage };
  const isKnown = Object.entries(usage).every(
    ([name, value]) => COUNTS.some((count) => count === name) && typeof value === 'number',
  );
  if (!isKnown) return { usage };
  const counts: unknown[] = COUNTS.map((name) => usage[name] ?? null);
  while (counts.at(-1) === null) counts.pop();
  return counts;
}

function usageWords(wire: unknown): unknown {
  if (!Array.isArray(wire)) return isObject(wire) ? wire.usage : undefined;
  const counts = COUNTS.map((name, index): [string, unknown] => [name, wire[index] ?? null]);
  return Object.fromEntries(counts.filter(([, value]) => value !== null));
}
