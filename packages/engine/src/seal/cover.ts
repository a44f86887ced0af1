import type { Redactor } from '@cuebook/prompt';
import { replaceMarks } from './mark.js';

/** A part of a text, in UTF-16 units. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** Whether a text holds a credential. */
export const isPrivate = (redactor: Redactor, text: string): boolean =>
  findCredentials(redactor, text).length > 0;

/**
 * A text in which each credential is what `cover` gives for it. Where that is a mark, putting back what the marks
 * stand for gives the text again.
 */
export async function coverText(
  redactor: Redactor,
  text: string,
  cover: (clear: string) => Promise<string>,
): Promise<string> {
  const clear = new Map<string, string>();
  const covered = async (part: string): Promise<string> => {
    const whole = replaceMarks(part, (_, mark) => clear.get(mark) ?? mark);
    const made = await cover(whole);
    clear.set(made, whole);
    return made;
  };
  let left = text;
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = findCredentials(redactor, left);
    if (found.length === 0) return left;
    let next = '';
    let at = 0;
    for (const { start, end } of found) {
      next += left.slice(at, start) + (await covered(left.slice(start, end)));
      at = end;
    }
    left = next + left.slice(at);
  }
  return covered(left);
}

/** One round finds nearly everything; a text that is not clean after these is covered whole. */
const ROUNDS = 4;

/**
 * Where a text holds credentials, known ones and those that look like one; sorted, without overlaps. A path or a name
 * is none, but may have one in it.
 */
function findCredentials(redactor: Redactor, text: string): readonly Range[] {
  return redactor.find(text).flatMap((hit): readonly Range[] => {
    if (hit.kind === 'credential') return [hit];
    return piecesOf(text, hit).filter(({ start, end }) => isCredential(redactor, text.slice(start, end)));
  });
}

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

/** Every string of a value, keys included, each once. */
export function stringsOf(value: unknown): readonly string[] {
  const found = new Set<string>();
  const left: unknown[] = [value];
  while (left.length > 0) {
    const item = left.pop();
    if (typeof item === 'string') found.add(item);
    if (typeof item !== 'object' || item === null) continue;
    for (const [key, inner] of Object.entries(item)) {
      if (!Array.isArray(item)) found.add(key);
      left.push(inner);
    }
  }
  return [...found];
}
