import { findCredentials, type Redactor } from '@cuebook/prompt';
import { replaceMarks } from './mark.js';

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
