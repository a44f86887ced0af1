import type { Hash } from '@cuebook/prompt';
import { drawOf } from '../tune/split.js';
import { type Mark, validMarks } from './mark.js';

/** A take that can be marked. */
export interface MarkableTake {
  readonly take: string;
  readonly case: string;
  readonly variant: string;
  readonly input: string;
  readonly answer: string;
}

/** What whoever marks is shown: no variant, no score, no verdict, and no name that tells any of them. */
export interface BlindItem {
  readonly id: string;
  readonly asks: string;
  readonly input: string;
  readonly answer: string;
  /** How many takes are not marked yet, this one included. */
  readonly left: number;
}

export interface BlindOptions {
  readonly judge: string;
  readonly judgeHash: string;
  readonly asks: string;
  readonly by: string;
  readonly seed: number;
  readonly hash: Hash;
}

/**
 * The next take to mark, and undefined when all are marked. Cases come in an order that the seed gives, one take of each
 * variant, and the takes of eight cases are mixed: neither the order nor the item tells a variant. The answers that a
 * person marks first are a random part of the cases, which is what the correction of a judge needs.
 */
export function nextToMark(
  takes: readonly MarkableTake[],
  marks: readonly Mark[],
  options: BlindOptions,
): BlindItem | undefined {
  const { by, asks } = options;
  const done = new Set(
    validMarks(marks, options).valid.flatMap((mark) => (mark.by === by ? [mark.take] : [])),
  );
  const left = blindOrder(takes, options).filter(({ take }) => !done.has(take));
  const [first] = left;
  if (first === undefined) return undefined;
  return {
    id: blindId(first, options),
    asks,
    input: first.input,
    answer: first.answer,
    left: left.length,
  };
}

/** The mark of an item that was handed out; undefined when no take has its id. */
export function markOf(
  takes: readonly MarkableTake[],
  { id, pass, at }: { readonly id: string; readonly pass: boolean; readonly at: string },
  options: BlindOptions,
): Mark | undefined {
  const found = takes.find((take) => blindId(take, options) === id);
  if (found === undefined) return undefined;
  const { take, case: of, variant } = found;
  const { by, judge, judgeHash } = options;
  return { take, case: of, variant, pass, by, at, judge, judgeHash };
}

const blindId = ({ take }: MarkableTake, { seed, judgeHash, hash }: BlindOptions): string =>
  hash(JSON.stringify(['blind', seed, judgeHash, take])).slice('sha256:'.length, 'sha256:'.length + 20);

const WINDOW = 8;

function blindOrder(takes: readonly MarkableTake[], { seed, hash }: BlindOptions): readonly MarkableTake[] {
  const byCase = new Map<string, Map<string, MarkableTake>>();
  for (const take of takes) {
    const own = byCase.get(take.case) ?? new Map<string, MarkableTake>();
    byCase.set(take.case, own);
    if (!own.has(take.variant)) own.set(take.variant, take);
  }
  const drawn = <Item>(items: readonly Item[], key: (item: Item) => string): readonly Item[] =>
    items
      .map((item) => ({ item, draw: drawOf(hash, ['mark', seed, key(item)]) }))
      .sort((one, other) => one.draw - other.draw)
      .map(({ item }) => item);
  const cases = drawn([...byCase.keys()], (name) => `case ${name}`);
  const ordered: MarkableTake[] = [];
  for (let at = 0; at < cases.length; at += WINDOW) {
    const some = cases.slice(at, at + WINDOW).flatMap((name) => [...(byCase.get(name)?.values() ?? [])]);
    ordered.push(...drawn(some, ({ take }) => `take ${take}`));
  }
  return ordered;
}
