import type { Prompt } from '../block.js';
import { findObligations, type Obligation } from './obligations.js';
import { diffOrigins, type OriginChange, originName } from './origins.js';

/** One side of a comparison: a prompt and what may be done with it. */
export interface Subject {
  readonly prompt: Prompt;
  readonly tools?: readonly string[];
  readonly capabilities?: readonly string[];
}

/** What was gained and lost, in the order of each side. */
export interface Change<Item> {
  readonly added: readonly Item[];
  readonly dropped: readonly Item[];
}

/** A difference told three ways: by origin, by obligation, and (see `findReach`) by reach. */
export interface PromptDiff {
  readonly same: boolean;
  readonly origins: readonly OriginChange[];
  readonly obligations: Change<Obligation>;
  readonly tools: Change<string>;
  readonly capabilities: Change<string>;
}

/** Compares two prompts. `same` means: not one byte that is sent differs, and no tool or capability. */
export function diffPrompts(before: Subject, after: Subject): PromptDiff {
  const tools = changeOf(before.tools ?? [], after.tools ?? [], String);
  const capabilities = changeOf(before.capabilities ?? [], after.capabilities ?? [], String);
  return {
    same: isSame(before, after) && isNothing(tools) && isNothing(capabilities),
    origins: diffOrigins(before.prompt, after.prompt),
    obligations: changeOf(
      obligationsOf(before),
      obligationsOf(after),
      ({ force, text }) => `${force} ${text}`,
    ),
    tools,
    capabilities,
  };
}

/** A target of the project as it was and as it is; either side may be missing. */
export interface ReachTarget {
  readonly target: string;
  readonly before: Prompt | undefined;
  readonly after: Prompt | undefined;
}

/** A target that a change reaches, and through which origins. */
export interface Reach {
  readonly target: string;
  readonly change: 'added' | 'removed' | 'changed' | 'touched';
  readonly through: readonly string[];
}

/**
 * Which targets of the project get new bytes. A target with the same bytes on both sides that holds text of a
 * changed origin is `touched`: that happens when two different targets are compared.
 */
export function findReach(
  changes: readonly OriginChange[],
  targets: readonly ReachTarget[],
): readonly Reach[] {
  const changed = new Set(
    changes.map(({ origin }) => origin).filter((origin) => !/^(?:structure|redaction) /.test(origin)),
  );
  return targets.flatMap(({ target, before, after }): Reach[] => {
    const through = originsOf(after ?? before).filter((origin) => changed.has(origin));
    if (before === undefined || after === undefined) {
      return [{ target, change: before === undefined ? 'added' : 'removed', through }];
    }
    if (before.hash !== after.hash) return [{ target, change: 'changed', through }];
    return through.length === 0 ? [] : [{ target, change: 'touched', through }];
  });
}

const obligationsOf = ({ prompt }: Subject): readonly Obligation[] =>
  prompt.blocks.flatMap((block) => findObligations(block.text));

const originsOf = (prompt: Prompt | undefined): readonly string[] => [
  ...new Set(prompt?.blocks.flatMap((block) => block.spans.map((span) => originName(span.origin))) ?? []),
];

const isSame = (before: Subject, after: Subject): boolean =>
  before.prompt.hash === after.prompt.hash &&
  before.prompt.blocks.map(({ role }) => role).join() === after.prompt.blocks.map(({ role }) => role).join();

const isNothing = (change: Change<unknown>): boolean =>
  change.added.length === 0 && change.dropped.length === 0;

/** Multiset difference: an item that stands twice and is dropped once is dropped. */
function changeOf<Item>(
  before: readonly Item[],
  after: readonly Item[],
  key: (item: Item) => string,
): Change<Item> {
  return { added: without(after, before, key), dropped: without(before, after, key) };
}

function without<Item>(
  items: readonly Item[],
  others: readonly Item[],
  key: (item: Item) => string,
): readonly Item[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(key(other), (left.get(key(other)) ?? 0) + 1);
  return items.filter((item) => {
    const count = left.get(key(item)) ?? 0;
    if (count > 0) left.set(key(item), count - 1);
    return count === 0;
  });
}
