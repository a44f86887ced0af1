import type { TurnView } from '@cuebook/api';
import type { Origin, Span } from '@cuebook/prompt';

type Request = TurnView['full'];

/** A run of words on one line of a prompt, all of one span. */
export interface Words {
  readonly text: string;
  /** The first byte, in the whole prompt as one text. */
  readonly byte: number;
  readonly span: Span;
}

/** What one row of the inspector shows: the head of a block, or a line of it. */
export type Row =
  | {
      readonly kind: 'block';
      readonly name: string;
      readonly role: string;
      readonly hash: string;
      readonly bytes: number;
      readonly byte: number;
    }
  | { readonly kind: 'line'; readonly number: number; readonly words: readonly Words[] };

const BYTES = new TextEncoder();
const DECODER = new TextDecoder();

/** The rows of a prompt. Blocks stand in the order they are sent, joined by a blank line where they have words. */
export function rowsOf({ blocks }: Pick<Request, 'blocks'>): readonly Row[] {
  const rows: Row[] = [];
  let byte = 0;
  for (const { name, role, hash, text, spans } of blocks) {
    const bytes = BYTES.encode(text);
    if (bytes.length > 0 && byte > 0) byte += 2;
    rows.push({ kind: 'block', name, role, hash, bytes: bytes.length, byte });
    let words: Words[] = [];
    let number = 1;
    const endLine = () => {
      rows.push({ kind: 'line', number, words });
      number += 1;
      words = [];
    };
    for (const span of spans as readonly unknown[] as readonly Span[]) {
      let at = span.start;
      const lines = DECODER.decode(bytes.subarray(span.start, span.end)).split('\n');
      for (const [index, line] of lines.entries()) {
        if (index > 0) {
          endLine();
          at += 1;
        }
        if (line !== '') words.push({ text: line, byte: byte + at, span });
        at += BYTES.encode(line).length;
      }
    }
    if (words.length > 0) endLine();
    byte += bytes.length;
  }
  return rows;
}

/** The row that holds a byte of the whole prompt; the last one before it where it stands between lines. */
export function rowAt(rows: readonly Row[], byte: number): number {
  const startOf = (row: Row) => (row.kind === 'block' ? row.byte : row.words[0]?.byte);
  let found = 0;
  for (const [index, row] of rows.entries()) {
    const start = startOf(row);
    if (start !== undefined && start <= byte) found = index;
  }
  return found;
}

/** The sources of a prompt in the order they appear, each with a letter and a hue for as long as there are some. */
export function sourcesOf(rows: readonly Row[]): ReadonlyMap<string, number> {
  const sources = new Map<string, number>();
  for (const row of rows)
    for (const { span } of row.kind === 'line' ? row.words : [])
      if (!sources.has(sourceOf(span.origin))) sources.set(sourceOf(span.origin), sources.size);
  return sources;
}

/** What a source is called: its file, or what else it is. */
export const sourceOf = ({ kind, ref, subject }: Origin): string =>
  kind === 'structure' ? 'structure' : (subject ?? ref);
