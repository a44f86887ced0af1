import type { Block, Prompt } from '../block.js';
import { originName } from './origins.js';
import { diffValues, type ValueChange } from './values.js';

/** What differs about a block that both sides have, beside its text. */
export interface BlockChange {
  readonly block: string;
  readonly role?: { readonly before: string; readonly after: string };
  /** Calls, the call that it answers, and pictures, where they have changed: `calls.0.input.path`. */
  readonly beside?: readonly ValueChange[];
  /** Its sources in the order in which they stand, where that has changed. */
  readonly order?: { readonly before: readonly string[]; readonly after: readonly string[] };
}

/** A label of text from one origin, where it has changed. */
export interface LabelChange {
  readonly origin: string;
  readonly label: 'trust' | 'secrecy' | 'volatility';
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Names of blocks in their order, where that of those on both sides differs. */
export function blockOrder(
  before: Prompt,
  after: Prompt,
): { readonly before: readonly string[]; readonly after: readonly string[] } | undefined {
  return orderChange(
    before.blocks.map(({ name }) => name),
    after.blocks.map(({ name }) => name),
  );
}

/** Roles, what stands beside the text, and the order of sources within a block. Blocks are matched by name, one after another. */
export function diffBlocks(before: Prompt, after: Prompt): readonly BlockChange[] {
  const left = new Map<string, Block[]>();
  for (const block of after.blocks) left.set(block.name, [...(left.get(block.name) ?? []), block]);
  return before.blocks.flatMap((old): readonly BlockChange[] => {
    const now = left.get(old.name)?.shift();
    if (now === undefined) return [];
    const order = orderChange(sourcesOf(old), sourcesOf(now));
    const isMoved = old.role !== now.role;
    const beside = diffValues(besideOf(old), besideOf(now));
    if (!isMoved && order === undefined && beside.length === 0) return [];
    return [
      {
        block: old.name,
        ...(isMoved ? { role: { before: old.role, after: now.role } } : {}),
        ...(beside.length === 0 ? {} : { beside }),
        ...(order === undefined ? {} : { order }),
      },
    ];
  });
}

/** What is sent with a block that is no text of it. */
export const besideOf = ({ calls, callId, media }: Block): object => ({
  ...(calls === undefined ? {} : { calls }),
  ...(callId === undefined ? {} : { callId }),
  ...(media === undefined ? {} : { media }),
});

/** Labels of what comes from the same origin on both sides. They change what may be sent, not what is. */
export function diffLabels(before: Prompt, after: Prompt): readonly LabelChange[] {
  const [old, now] = [labelsOf(before), labelsOf(after)];
  return [...old].flatMap(([origin, labels]) => {
    const others = now.get(origin);
    if (others === undefined) return [];
    return LABELS.flatMap((label): readonly LabelChange[] => {
      const [was, is] = [[...labels[label]].sort(), [...others[label]].sort()];
      return was.join() === is.join() ? [] : [{ origin, label, before: was, after: is }];
    });
  });
}

const LABELS = ['trust', 'secrecy', 'volatility'] as const;
type LabelSets = Readonly<Record<(typeof LABELS)[number], Set<string>>>;

function labelsOf(prompt: Prompt): ReadonlyMap<string, LabelSets> {
  const found = new Map<string, LabelSets>();
  for (const { spans } of prompt.blocks) {
    for (const span of spans) {
      if (span.origin.kind === 'structure') continue;
      const name = originName(span.origin);
      const sets = found.get(name) ?? { trust: new Set(), secrecy: new Set(), volatility: new Set() };
      found.set(name, sets);
      for (const label of LABELS) sets[label].add(span[label]);
    }
  }
  return found;
}

const sourcesOf = ({ spans }: Block): readonly string[] =>
  spans.filter(({ origin }) => origin.kind !== 'structure').map(({ origin }) => originName(origin));

/** Two lists by what both have, each once where it first stands; undefined when the order is the same. */
function orderChange(
  before: readonly string[],
  after: readonly string[],
): { readonly before: readonly string[]; readonly after: readonly string[] } | undefined {
  const [old, now] = [new Set(before), new Set(after)];
  const was = [...old].filter((each) => now.has(each));
  const is = [...now].filter((each) => old.has(each));
  return was.every((each, index) => each === is[index]) ? undefined : { before: was, after: is };
}
