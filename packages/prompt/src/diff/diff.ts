import type { Block, Prompt } from '../block.js';
import { isBelow } from '../label.js';
import type { OfferedTool } from '../request.js';
import {
  type BlockChange,
  blockOrder,
  diffBlocks,
  diffLabels,
  type LabelChange,
  movedBlocks,
  sentBlocks,
} from './blocks.js';
import { findObligations, type Obligation } from './obligations.js';
import { diffOrigins, type OriginChange, originName } from './origins.js';
import { diffValues, type ValueChange } from './values.js';

/** One side of a comparison: a prompt, what is sent beside it, and what may be done with it. */
export interface DiffSide {
  readonly prompt: Prompt;
  readonly tools?: readonly OfferedTool[];
  /** The model and its settings. */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly capabilities?: readonly string[];
}

/** What was gained and lost, in the order of each side. */
export interface Change<Item> {
  readonly added: readonly Item[];
  readonly dropped: readonly Item[];
}

/** Two orders of the same things. */
export interface OrderChange {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Tools by name, and of those on both sides what differs: `read_file.parameters.properties.path.type`. */
export interface ToolsChange extends Change<string> {
  readonly changed: readonly ValueChange[];
  readonly order?: OrderChange;
}

/** A difference told by what it is, and (see `findReach`) by reach. */
export interface PromptDiff {
  /** Not one byte that is sent differs, and no label or capability. */
  readonly same: boolean;
  readonly origins: readonly OriginChange[];
  readonly obligations: Change<Obligation>;
  readonly tools: ToolsChange;
  readonly params: readonly ValueChange[];
  /** Roles, calls and pictures, and the order of sources. */
  readonly blocks: readonly BlockChange[];
  readonly blockOrder?: OrderChange;
  readonly labels: readonly LabelChange[];
  readonly capabilities: Change<string>;
}

/** Compares two prompts with all that is sent beside them. */
export function diffPrompts(before: DiffSide, after: DiffSide): PromptDiff {
  const tools = diffTools(before.tools ?? [], after.tools ?? []);
  const capabilities = changeOf(before.capabilities ?? [], after.capabilities ?? [], String);
  const params = diffValues(before.params ?? {}, after.params ?? {});
  const labels = diffLabels(before.prompt, after.prompt);
  const order = blockOrder(before.prompt, after.prompt);
  const origins = diffOrigins(before.prompt, after.prompt);
  const blocks = diffBlocks(before.prompt, after.prompt);
  const isTold = origins.length + blocks.length > 0 || order !== undefined;
  const isMoved = !isTold && !isSamePrompt(before.prompt, after.prompt);
  return {
    same: isSame(before, after) && isNothing(capabilities) && labels.length === 0,
    origins,
    obligations: changeOf(
      obligationsOf(before),
      obligationsOf(after),
      ({ force, text }) => `${force} ${text}`,
    ),
    tools,
    params,
    blocks: isMoved ? movedBlocks(before.prompt, after.prompt) : blocks,
    ...(order === undefined ? {} : { blockOrder: order }),
    labels,
    capabilities,
  };
}

function diffTools(before: readonly OfferedTool[], after: readonly OfferedTool[]): ToolsChange {
  const [old, now] = [before.map(({ name }) => name), after.map(({ name }) => name)];
  const changed = before.flatMap((tool) => {
    const other = after.find(({ name }) => name === tool.name);
    return other === undefined ? [] : diffValues(tool, other, tool.name);
  });
  const [was, is] = [old.filter((name) => now.includes(name)), now.filter((name) => old.includes(name))];
  const isMoved = was.join('\n') !== is.join('\n');
  return {
    ...changeOf(old, now, String),
    changed,
    ...(isMoved ? { order: { before: was, after: is } } : {}),
  };
}

/** A target of the project as it was and as it is; either side may be missing, or may not compose. */
export interface ReachTarget {
  readonly target: string;
  readonly before: DiffSide | 'broken' | undefined;
  readonly after: DiffSide | 'broken' | undefined;
}

/** A target that a change reaches, and through which origins. */
export interface Reach {
  readonly target: string;
  /** `broken`: it composes no more; `fixed`: it does again. */
  readonly change: 'added' | 'removed' | 'changed' | 'touched' | 'broken' | 'fixed';
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
    if (before === 'broken' && (after === 'broken' || after === undefined)) return [];
    const known = [after, before].find((side) => side !== undefined && side !== 'broken') as
      | DiffSide
      | undefined;
    const through = originsOf(known?.prompt).filter((origin) => changed.has(origin));
    if (after === 'broken') return [{ target, change: 'broken', through }];
    if (before === 'broken') return [{ target, change: 'fixed', through }];
    if (before === undefined || after === undefined) {
      return [{ target, change: before === undefined ? 'added' : 'removed', through }];
    }
    if (!isSame(before, after)) return [{ target, change: 'changed', through }];
    return through.length === 0 ? [] : [{ target, change: 'touched', through }];
  });
}

/** Only the words of those who may give orders: what a stranger's text demands binds nobody. */
const obligationsOf = ({ prompt, tools = [] }: DiffSide): readonly Obligation[] => [
  ...prompt.blocks.flatMap((block) => findObligations(trustedText(block))),
  ...tools.flatMap(({ description, parameters }) =>
    [description ?? '', ...descriptionsIn(parameters)].flatMap(findObligations),
  ),
];

function trustedText({ text, spans }: Block): string {
  if (spans.every(({ trust }) => !isBelow(trust, 'operator'))) return text;
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  let end = 0;
  let trusted = '';
  for (const span of spans) {
    if (isBelow(span.trust, 'operator')) continue;
    // Other words stood between: what is on either side of them is not one sentence.
    if (span.start !== end && trusted !== '') trusted += '\n';
    trusted += decoder.decode(bytes.subarray(span.start, span.end));
    end = span.end;
  }
  return trusted;
}

/** What a schema says in words, however deep. */
function descriptionsIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'description' && typeof value === 'string' ? [value] : descriptionsIn(value),
  );
}

const originsOf = (prompt: Prompt | undefined): readonly string[] => [
  ...new Set(prompt?.blocks.flatMap((block) => block.spans.map((span) => originName(span.origin))) ?? []),
];

/** Whether every byte that is sent is the same. */
const isSame = (before: DiffSide, after: DiffSide): boolean =>
  isSamePrompt(before.prompt, after.prompt) &&
  JSON.stringify(before.tools ?? []) === JSON.stringify(after.tools ?? []) &&
  JSON.stringify(before.params ?? {}) === JSON.stringify(after.params ?? {});

/** Where one block ends and the next begins counts: each is a message, or a part of one. */
const isSamePrompt = (before: Prompt, after: Prompt): boolean => {
  const [old, now] = [sentBlocks(before), sentBlocks(after)];
  return old.length === now.length && old.every(({ sent }, index) => sent === now[index]?.sent);
};

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
