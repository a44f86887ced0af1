import type { Labels, Piece, Place } from '@cuebook/prompt';
import type { Scalar } from 'yaml';

/** A text scalar as labelled pieces: a line of a literal block each, any other scalar as one. */
export function scalarPieces(
  node: Scalar,
  source: string,
  at: (offset: number) => Place,
  labels: Labels,
): readonly Piece[] {
  const start = node.range?.[0] ?? 0;
  const text = String(node.value);
  if (text === '') return [];
  if (node.type === 'BLOCK_LITERAL') {
    const literal = literalPieces(text, source, start, at, labels);
    if (literal !== undefined) return literal;
  }
  const isQuoted = node.type === 'QUOTE_SINGLE' || node.type === 'QUOTE_DOUBLE';
  const from = start + (isQuoted ? 1 : 0);
  const kind = source.startsWith(text, from) ? 'file' : 'value';
  return [{ text, origin: { kind, ...at(kind === 'file' ? from : start) }, ...labels }];
}

/** One piece a line, each at its own place; undefined when a line is not verbatim in the source. */
function literalPieces(
  text: string,
  source: string,
  start: number,
  at: (offset: number) => Place,
  labels: Labels,
): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  let offset = source.indexOf('\n', start) + 1;
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const end = source.indexOf('\n', offset);
    const raw = source.slice(offset, end === -1 ? source.length : end).replace(/\r$/, '');
    const content = line.replace(/\n$/, '');
    if (!raw.endsWith(content)) return undefined;
    pieces.push({
      text: line,
      origin: { kind: 'file', ...at(offset + raw.length - content.length) },
      ...labels,
    });
    if (end === -1) break;
    offset = end + 1;
  }
  return pieces.map((piece) => piece.text).join('') === text ? pieces : undefined;
}
