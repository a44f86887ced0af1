import type { Piece } from '../block.js';
import { piecesText } from '../piece.js';
import { END_SUFFIX, isFieldKey, isHeaderName } from './lex.js';
import { escapedPieces, scalarPieces } from './marks.js';
import { NO_ITEMS, type ScalarForm } from './scalar.js';
import type { Shell, ShellField } from './shell.js';

/** One value made of several texts: each keeps its origin and labels, and each is cleaned on its own. */
export interface Phrase {
  readonly parts: readonly Piece[];
}

/** A shell whose values and body are labelled text. */
export type LabelledShell = Shell<Piece | Phrase, readonly Piece[]>;

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

function fieldPieces(field: ShellField<Piece | Phrase>): readonly Piece[] {
  if (!isFieldKey(field.key)) throw new RangeError(`"${field.key}" cannot be a field's key`);
  if (!isList(field.value)) return [token(`\n- ${field.key}: `), ...printed(field.value, 'value')];
  if (field.value.length === 0) return [token(`\n- ${field.key}: ${NO_ITEMS}`)];
  return [
    token(`\n- ${field.key}:`),
    ...field.value.flatMap((item) => [token('\n  - '), ...printed(item, 'item')]),
  ];
}

const printed = (value: Piece | Phrase, form: ScalarForm): readonly Piece[] =>
  scalarPieces('parts' in value ? value.parts : [value], form);

const isList = (value: Piece | Phrase | readonly (Piece | Phrase)[]): value is readonly (Piece | Phrase)[] =>
  Array.isArray(value);

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
