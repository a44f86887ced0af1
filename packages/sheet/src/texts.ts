import type { SourceText } from '@cuebook/profile';
import type { Piece } from '@cuebook/prompt';
import { AUTHORED, messagesOf, type OpenPart, openParts } from './part.js';
import type { SheetSource } from './source.js';

/** Every text of a sheet that a model may be told: of its messages, of what they include, of its tools and its answer. */
export function textsOfSheet({ sheet, yaml, texts }: SheetSource): readonly SourceText[] {
  const inputs = Object.keys(sheet.inputs);
  const own = messagesOf(sheet).flatMap(({ parts }) =>
    parts.flatMap((placed): SourceText[] =>
      'text' in placed.part
        ? [{ pieces: openParts(placed, yaml).filter(isPiece), inputs }]
        : templatesIn(openParts(placed, yaml)),
    ),
  );
  const included = [...texts.values()].flatMap((parts): readonly SourceText[] => [
    { pieces: parts.filter(isPiece), inputs },
    ...templatesIn(parts),
  ]);
  const beside = [
    ...leavesOf(sheet.tools, ['tools']),
    ...leavesOf(sheet.answer?.schema, ['answer', 'schema']),
  ].map((path) => ({ pieces: yaml.pieces(path, AUTHORED), mayHoldPlaceholders: true }));
  return [...own, ...included, ...beside];
}

/** The text of templates: placeholders are their language. */
const templatesIn = (parts: readonly OpenPart[]): SourceText[] =>
  parts.flatMap((part) =>
    'slot' in part && part.slot === 'template' ? [{ pieces: part.pieces, mayHoldPlaceholders: true }] : [],
  );

const isPiece = (part: OpenPart): part is Piece => 'text' in part;

/** The paths of all strings inside a value. */
function leavesOf(value: unknown, path: readonly PropertyKey[]): readonly (readonly PropertyKey[])[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) =>
    leavesOf(below, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}
