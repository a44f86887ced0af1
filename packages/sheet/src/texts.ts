import type { SourceText } from '@cuebook/profile';
import type { Piece } from '@cuebook/prompt';
import { AUTHORED, type SheetSource, textParts } from './source.js';

/** Every text of a sheet that a model may be told: of its blocks, of what they include, and of its tools. */
export function textsOfSheet({ sheet, yaml, texts }: SheetSource): readonly SourceText[] {
  const inputs = Object.keys(sheet.inputs);
  const own = sheet.blocks.flatMap(({ parts }, b) =>
    parts.flatMap((part, p): SourceText[] =>
      'text' in part
        ? [{ pieces: textParts(part, yaml, ['blocks', b, 'parts', p]).filter(isPiece), inputs }]
        : [],
    ),
  );
  const included = [...texts.values()].map((parts) => ({ pieces: parts.filter(isPiece), inputs }));
  const tools = leavesOf(sheet.tools, ['tools']).map((path) => ({
    pieces: yaml.pieces(path, AUTHORED),
    mayHoldPlaceholders: true,
  }));
  return [...own, ...included, ...tools];
}

const isPiece = (part: object): part is Piece => !('include' in part);

/** The paths of all strings inside a value. */
function leavesOf(value: unknown, path: readonly PropertyKey[]): readonly (readonly PropertyKey[])[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) =>
    leavesOf(below, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}
