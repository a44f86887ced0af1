import type { Piece } from '../block.js';
import { cutPieces, piecesText } from '../piece.js';
import { escapeOffsets } from './escape.js';
import { END_SUFFIX, isFieldKey, isHeaderName } from './lex.js';
import { NO_ITEMS, printScalar } from './scalar.js';
import type { Shell, ShellField } from './shell.js';

/** A shell whose values and body are labelled text. */
export type LabelledShell = Shell<Piece, readonly Piece[]>;

/** The shells as text, a blank line between them. `parseShells` is the exact inverse. */
export function printShells(shells: readonly Shell[]): string {
  return piecesText(
    shells.flatMap((shell, index) => [...(index > 0 ? [token('\n\n')] : []), ...shellPieces(lift(shell))]),
  );
}

/**
 * The shell as pieces: values and body keep their origin and labels, every token of the grammar is
 * platform text of its own. Throws a RangeError for a header or key that is not a name: those are never data.
 */
export function shellPieces(shell: LabelledShell): readonly Piece[] {
  if (!isHeaderName(shell.header)) throw new RangeError(`"${shell.header}" cannot be a shell's header`);
  const pieces: Piece[] = [token(shell.header)];
  for (const field of shell.fields) pieces.push(...fieldPieces(field));
  if (shell.body !== undefined) pieces.push(token('\n'), ...escapedPieces(shell.body));
  if (shell.closed) pieces.push(token(`\n${shell.header}${END_SUFFIX}`));
  return pieces;
}

/** Labelled free text with the escapes of the grammar put in. */
export function escapedPieces(body: readonly Piece[]): readonly Piece[] {
  const offsets = escapeOffsets(piecesText(body));
  if (offsets.length === 0) return body;
  const pieces: Piece[] = [];
  let from = 0;
  for (const offset of offsets) {
    pieces.push(...cutPieces(body, from, offset), token('\\'));
    from = offset;
  }
  pieces.push(...cutPieces(body, from, Number.POSITIVE_INFINITY));
  return pieces;
}

function fieldPieces(field: ShellField<Piece>): readonly Piece[] {
  if (!isFieldKey(field.key)) throw new RangeError(`"${field.key}" cannot be a field's key`);
  if (!isList(field.value)) return [token(`\n- ${field.key}: `), scalarPiece(field.value)];
  if (field.value.length === 0) return [token(`\n- ${field.key}: ${NO_ITEMS}`)];
  return [token(`\n- ${field.key}:`), ...field.value.flatMap((item) => [token('\n  - '), scalarPiece(item)])];
}

function scalarPiece(value: Piece): Piece {
  const text = printScalar(value.text);
  if (text === value.text) return value;
  // A quoted value is no longer a verbatim slice of its file.
  const { kind, ...place } = value.origin;
  return { ...value, text, origin: { kind: kind === 'file' ? 'value' : kind, ...place } };
}

const isList = (value: Piece | readonly Piece[]): value is readonly Piece[] => Array.isArray(value);

const token = (text: string): Piece => ({ ...STRUCTURE, text });

const STRUCTURE = {
  origin: { kind: 'structure', ref: 'shell' },
  trust: 'platform',
  secrecy: 'public',
  volatility: 'build',
} as const;

const lift = (shell: Shell): LabelledShell => ({
  header: shell.header,
  fields: shell.fields.map(({ key, value }) => ({
    key,
    value: typeof value === 'string' ? token(value) : value.map(token),
  })),
  ...(shell.body === undefined ? {} : { body: [token(shell.body)] }),
  ...(shell.closed ? { closed: true as const } : {}),
});
