import type { Diagnostic } from '../diagnostic.js';
import { placeholderOf } from './leak-context.js';
import type { JsonValue, Redactor } from './redactor.js';

/** A part of a text, in UTF-16 units. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Where a text holds credentials, known ones and those that look like one; sorted, without overlaps. A path or a name
 * is none, but may have one in it.
 */
export function findCredentials(redactor: Redactor, text: string): readonly Range[] {
  return redactor.find(text).flatMap((hit): readonly Range[] => {
    if (hit.kind === 'credential') return [hit];
    return piecesOf(text, hit).filter(({ start, end }) => isCredential(redactor, text.slice(start, end)));
  });
}

/** A text without the credentials that it holds. Paths and names stay. */
export function withoutCredentials(redactor: Redactor, text: string): string {
  let left = text;
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = findCredentials(redactor, left);
    if (found.length === 0) return left;
    for (const { start, end } of found.toReversed())
      left = left.slice(0, start) + placeholderOf('credential') + left.slice(end);
  }
  return placeholderOf('credential');
}

/** A problem without the credentials that its message or its place repeats. */
export function problemWithoutCredentials(redactor: Redactor, problem: Diagnostic): Diagnostic {
  const { message, file, path } = problem;
  const told = (text: string): string => withoutCredentials(redactor, text);
  return {
    ...problem,
    message: told(message),
    ...(file === undefined ? {} : { file: told(file) }),
    ...(path === undefined ? {} : { path: told(path) }),
  };
}

/** A value without the credentials that its texts and its keys hold. */
export function valueWithoutCredentials(redactor: Redactor, value: JsonValue): JsonValue {
  const told = (held: JsonValue): JsonValue => {
    if (typeof held === 'string') return withoutCredentials(redactor, held);
    if (typeof held !== 'object' || held === null) return held;
    if (Array.isArray(held)) return held.map(told);
    return Object.fromEntries(
      Object.entries(held).map(([key, inner]) => [withoutCredentials(redactor, key), told(inner)]),
    );
  };
  return told(value);
}

/** One round finds nearly everything; a text that is not clean after these is removed whole. */
const ROUNDS = 4;

const isCredential = (redactor: Redactor, piece: string): boolean =>
  [...redactor.find(piece), ...redactor.leaks(piece)].some(({ kind }) => kind === 'credential');

/** What a path is made of. */
function piecesOf(text: string, { start, end }: Range): readonly Range[] {
  const pieces = text.slice(start, end).matchAll(/[^\\/\s"'`=:,;?&#()[\]{}<>|]+/g);
  return [...pieces].map((piece) => ({
    start: start + piece.index,
    end: start + piece.index + piece[0].length,
  }));
}
