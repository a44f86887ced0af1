import type { TurnView } from '@cuebook/api';
import type { Origin, Span } from '@cuebook/prompt';

/** Blocks as rows are made from them: those of a prompt, or a body that stands for one block. */
export type Shown = Pick<TurnView['full'], 'blocks'>;

/** A run of words on one row, all of one span. */
export interface WordRun {
  readonly text: string;
  /** The first byte, in the whole prompt as one text. */
  readonly byte: number;
  readonly span: Span;
}

/** What one row of the inspector shows. */
export type InspectorRow =
  | {
      readonly kind: 'block';
      /** The place of the block among all. */
      readonly index: number;
      readonly name: string;
      readonly role: string;
      readonly hash: string;
      readonly bytes: number;
      readonly byte: number;
    }
  /** A line, or a part of a long one: only the first part has the number. */
  | {
      readonly kind: 'line';
      readonly number: number;
      readonly isRest: boolean;
      readonly words: readonly WordRun[];
    }
  /** What stands beside the text of a block: a call, a picture. */
  | { readonly kind: 'beside'; readonly text: string; readonly byte: number };

/** More runs of words, or more characters, are another row: a row in sight is small, however long the line is. */
const MOST_WORDS = 40;
const MOST_CHARS = 1_000;

/** The rows of a prompt. Blocks stand in the order they are sent, joined by a blank line where they have words. */
export function rowsOf({ blocks }: Shown): readonly InspectorRow[] {
  const rows: InspectorRow[] = [];
  let byte = 0;
  for (const [index, { name, role, hash, text, spans, rest = 0, ...beside }] of blocks.entries()) {
    const bytes = sizeOf(text);
    if (bytes > 0 && byte > 0) byte += 2;
    rows.push({ kind: 'block', index, name, role, hash, bytes: bytes + rest, byte });
    pushLines(rows, text, { spans: spans as readonly unknown[] as readonly Span[], byte, bytes });
    byte += bytes;
    for (const words of besideOf(beside)) rows.push({ kind: 'beside', text: words, byte });
  }
  return rows;
}

/** Reads the text once, from its first unit to its last: a long prompt has as many spans as lines and more. */
function pushLines(
  rows: InspectorRow[],
  text: string,
  of: { readonly spans: readonly Span[]; readonly byte: number; readonly bytes: number },
): void {
  const { spans, byte } = of;
  const isAscii = of.bytes === text.length;
  let lineEnd = -1;
  let words: WordRun[] = [];
  let chars = 0;
  let number = 1;
  let isRest = false;
  let unit = 0;
  const endRow = (isLineOver: boolean) => {
    rows.push({ kind: 'line', number, isRest, words });
    words = [];
    chars = 0;
    isRest = !isLineOver;
    if (isLineOver) number += 1;
  };
  for (const span of spans) {
    let at = span.start;
    while (at < span.end && unit < text.length) {
      if (lineEnd < unit) lineEnd = endOfLine(text, unit);
      if (lineEnd === unit) {
        endRow(true);
        at += 1;
        unit += 1;
        continue;
      }
      if (words.length >= MOST_WORDS || chars >= MOST_CHARS) endRow(false);
      const start = unit;
      const startByte = at;
      const most = Math.min(lineEnd, start + MOST_CHARS);
      if (isAscii) {
        unit = Math.min(most, start + span.end - at);
        at += unit - start;
      } else
        while (at < span.end && unit < most) {
          const code = text.charCodeAt(unit);
          const isPair = (code & 0xfc00) === 0xd800 && (text.charCodeAt(unit + 1) & 0xfc00) === 0xdc00;
          at += isPair ? 4 : code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
          unit += isPair ? 2 : 1;
        }
      words.push({ text: text.slice(start, unit), byte: byte + startByte, span });
      chars += unit - start;
    }
  }
  if (words.length > 0) endRow(true);
}

function endOfLine(text: string, from: number): number {
  const found = text.indexOf('\n', from);
  return found === -1 ? text.length : found;
}

/** The length of a text in UTF-8 bytes. */
export const sizeOf = (text: string): number => new TextEncoder().encode(text).length;

function besideOf(block: Partial<Shown['blocks'][number]>): readonly string[] {
  const { calls = [], callId, media = [] } = block;
  return [
    ...(callId === undefined ? [] : [`answers the call ${callId}`]),
    ...calls.map(({ name, args }) => `calls ${name} ${JSON.stringify(args)}`),
    ...media.map(({ type, bytes }) => `with ${type}, ${bytes} bytes`),
  ];
}

/** The row that holds a byte of the whole prompt; the last one before it where it stands between lines. */
export function rowAt(rows: readonly InspectorRow[], byte: number): number {
  const startOf = (row: InspectorRow) => (row.kind === 'line' ? row.words[0]?.byte : row.byte);
  let found = 0;
  for (const [index, row] of rows.entries()) {
    const start = startOf(row);
    if (start !== undefined && start <= byte && row.kind !== 'beside') found = index;
  }
  return found;
}

/** The sources of prompts in the order they appear, each with a letter and a hue for as long as there are some. */
export function sourcesOf(...all: readonly (Shown | null)[]): ReadonlyMap<string, number> {
  const sources = new Map<string, number>();
  for (const { spans } of all.flatMap((shown) => shown?.blocks ?? []))
    for (const { origin, start, end } of spans as readonly unknown[] as readonly Span[]) {
      const source = sourceOf(origin);
      if (end > start && !sources.has(source)) sources.set(source, sources.size);
    }
  return sources;
}

/** What a source is called: its file, or what else it is. */
export const sourceOf = ({ kind, ref, subject }: Origin): string =>
  kind === 'structure' ? 'structure' : (subject ?? ref);

/** The lines of a prompt, for telling which of another are new. */
export const linesOf = ({ blocks }: Shown): ReadonlySet<string> =>
  new Set(blocks.flatMap(({ text }) => text.split('\n')));
