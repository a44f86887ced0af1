import type { Redactor } from '@cuebook/prompt';

/** Characters of the texts that are remembered for one redactor, and of one of them: a longer one is looked through again. */
const MAX_ALL = 1024 * 1024;
const MAX_TEXT = 64 * 1024;
const MAX_COUNT = 10_000;

interface Clean {
  readonly texts: Set<string>;
  size: number;
}

/**
 * What a redactor found nothing in. A redactor is pure, so it will find nothing again; and the same texts come by in the
 * receipt of a turn, in its outcome and in every event that is decided on it.
 */
const CLEAN = new WeakMap<Redactor, Clean>();

/** Whether something is found in a text, looked for once for each redactor and text as far as they are remembered. */
export function isFound(
  redactor: Redactor,
  text: string,
  look: (redactor: Redactor, text: string) => boolean,
): boolean {
  const clean = CLEAN.get(redactor) ?? { texts: new Set<string>(), size: 0 };
  if (clean.texts.has(text)) return false;
  const found = look(redactor, text);
  if (found || text.length > MAX_TEXT) return found;
  clean.texts.add(text);
  clean.size += text.length;
  for (const oldest of clean.texts) {
    if (clean.size <= MAX_ALL && clean.texts.size <= MAX_COUNT) break;
    clean.texts.delete(oldest);
    clean.size -= oldest.length;
  }
  CLEAN.set(redactor, clean);
  return false;
}
