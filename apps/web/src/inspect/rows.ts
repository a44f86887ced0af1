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

const BYTES = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

/** More runs of words, or more characters, are another row: a row in sight is small, however long the line is. */
const MOST_WORDS = 40;
const MOST_CHARS = 1_000;

/** The rows of a prompt. Blocks stand in the order they are sent, joined by a blank line where they have words. */
export function rowsOf({ blocks }: Shown): readonly InspectorRow[] {
  const rows: InspectorRow[] = [];
  let byte = 0;
  for (const [index, { name, role, hash, text, spans, ...beside }] of blocks.entries()) {
    const bytes = BYTES.encode(text);
    if (bytes.length > 0 && byte > 0) byte += 2;
    rows.push({ kind: 'block', index, name, role, hash, bytes: bytes.length, byte });
    pushLines(rows, bytes, { spans: spans as readonly unknown[] as readonly Span[], byte });
    byte += bytes.length;
    for (const words of besideOf(beside)) rows.push({ kind: 'beside', text: words, byte });
  }
  return rows;
}

function pushLines(
  rows: InspectorRow[],
  bytes: Uint8Array,
  { spans, byte }: { readonly spans: readonly Span[]; readonly byte: number },
): void {
  let words: WordRun[] = [];
  let chars = 0;
  let number = 1;
  let isRest = false;
  const endRow = (isLineOver: boolean) => {
    rows.push({ kind: 'line', number, isRest, words });
    words = [];
    chars = 0;
    isRest = !isLineOver;
    if (isLineOver) number += 1;
  };
  for (const span of spans) {
    let at = span.start;
    for (const [index, line] of DECODER.decode(bytes.subarray(span.start, span.end)).split('\n').entries()) {
      if (index > 0) {
        endRow(true);
        at += 1;
      }
      for (const text of cut(line, MOST_CHARS)) {
        if (words.length >= MOST_WORDS || chars >= MOST_CHARS) endRow(false);
        words.push({ text, byte: byte + at, span });
        chars += text.length;
        at += BYTES.encode(text).length;
      }
    }
  }
  if (words.length > 0) endRow(true);
}

/** Parts of at most so many characters; a pair of units that is one character stays together. */
function cut(text: string, most: number): readonly string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + most;
    const isPair = end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00;
    parts.push(text.slice(start, isPair ? end + 1 : end));
    start = isPair ? end + 1 : end;
  }
  return parts;
}

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

/** The sources of a prompt in the order they appear, each with a letter and a hue for as long as there are some. */
export function sourcesOf(rows: readonly InspectorRow[]): ReadonlyMap<string, number> {
  const sources = new Map<string, number>();
  for (const row of rows)
    for (const { span } of row.kind === 'line' ? row.words : [])
      if (!sources.has(sourceOf(span.origin))) sources.set(sourceOf(span.origin), sources.size);
  return sources;
}

/** What a source is called: its file, or what else it is. */
export const sourceOf = ({ kind, ref, subject }: Origin): string =>
  kind === 'structure' ? 'structure' : (subject ?? ref);

/** The lines of a prompt, for telling which of another are new. */
export const linesOf = ({ blocks }: Shown): ReadonlySet<string> =>
  new Set(blocks.flatMap(({ text }) => text.split('\n')));
