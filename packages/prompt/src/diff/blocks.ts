import type { Block, Prompt } from '../block.js';
import { originName } from './origins.js';
import { diffValues, type ValueChange } from './values.js';

/** What differs about a block beside the words that its sources say. */
export interface BlockChange {
  readonly block: string;
  /** The same words from the same sources, and this block has others of them than before. */
  readonly moved?: true;
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
  const changes = before.blocks.flatMap((old): readonly BlockChange[] => {
    const now = left.get(old.name)?.shift();
    if (now === undefined) return besideChange(old.name, besideOf(old), {});
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
  const fresh = [...left.values()].flat().sort((a, b) => after.blocks.indexOf(a) - after.blocks.indexOf(b));
  return [...changes, ...fresh.flatMap((now) => besideChange(now.name, {}, besideOf(now)))];
}

function besideChange(block: string, before: object, after: object): readonly BlockChange[] {
  const beside = diffValues(before, after);
  return beside.length === 0 ? [] : [{ block, beside }];
}

/** The blocks that are sent, each by what is sent of it: one that holds nothing is left out. */
export const sentBlocks = ({ blocks }: Prompt): readonly { readonly name: string; readonly sent: string }[] =>
  blocks.flatMap((block) => {
    const { name, role, text, hash } = block;
    const beside = besideOf(block);
    if (text === '' && block.spans.length === 0 && Object.keys(beside).length === 0) return [];
    return [{ name, sent: JSON.stringify([role, hash, beside]) }];
  });

/** The blocks that have other words than before, where all words are the same and come from the same sources. */
export function movedBlocks(before: Prompt, after: Prompt): readonly BlockChange[] {
  const [old, now] = [sentBlocks(before), sentBlocks(after)];
  const longer = now.length < old.length ? old : now;
  const names = longer.flatMap(({ name }, index) => (old[index]?.sent === now[index]?.sent ? [] : [name]));
  return [...new Set(names)].map((block) => ({ block, moved: true }));
}

/** What is sent with a block that is no text of it. */
export const besideOf = ({ calls, callId, media }: Block): object => ({
  ...(calls === undefined ? {} : { calls }),
  ...(callId === undefined ? {} : { callId }),
  ...(media === undefined ? {} : { media }),
});

/**
 * Labels of what comes from the same origin on both sides. They change what may be sent, not what is. Of text that is
 * the same on both sides every byte counts; where its parts have several labels, each is told with its length.
 */
export function diffLabels(before: Prompt, after: Prompt): readonly LabelChange[] {
  const [old, now] = [labelsOf(before), labelsOf(after)];
  return [...old].flatMap(([origin, labelled]) => {
    const other = now.get(origin);
    if (other === undefined) return [];
    const isSame = labelled.text === other.text;
    const told = (runs: readonly LabelRun[]): readonly string[] => {
      const names = [...new Set(runs.map(({ name }) => name))].sort();
      return isSame && names.length > 1 ? runs.map(({ name, bytes }) => `${name} ${bytes}`) : names;
    };
    return LABELS.flatMap((label): readonly LabelChange[] => {
      const [was, is] = [told(labelled.runs[label]), told(other.runs[label])];
      return was.join() === is.join() ? [] : [{ origin, label, before: was, after: is }];
    });
  });
}

const LABELS = ['trust', 'secrecy', 'volatility'] as const;

/** Neighbouring bytes of one label. */
interface LabelRun {
  readonly name: string;
  readonly bytes: number;
}

interface Labelled {
  text: string;
  readonly runs: Readonly<Record<(typeof LABELS)[number], LabelRun[]>>;
}

function labelsOf(prompt: Prompt): ReadonlyMap<string, Labelled> {
  const found = new Map<string, Labelled>();
  const decoder = new TextDecoder();
  for (const { spans, text } of prompt.blocks) {
    const bytes = new TextEncoder().encode(text);
    for (const span of spans) {
      if (span.origin.kind === 'structure') continue;
      const name = originName(span.origin);
      const entry = found.get(name) ?? { text: '', runs: { trust: [], secrecy: [], volatility: [] } };
      found.set(name, entry);
      entry.text += decoder.decode(bytes.subarray(span.start, span.end));
      for (const label of LABELS) addRun(entry.runs[label], span[label], span.end - span.start);
    }
  }
  return found;
}

function addRun(runs: LabelRun[], name: string, bytes: number): void {
  const last = runs.at(-1);
  if (last?.name === name) runs[runs.length - 1] = { name, bytes: last.bytes + bytes };
  else runs.push({ name, bytes });
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
