/**
 * The words around a place of a text, on one line. It begins and ends between words where one is near, and dots stand
 * for what is left out.
 */
export function excerptOf(text: string, at: number): string {
  const from = at <= BEFORE ? 0 : wordStart(text, at - BEFORE, at);
  const end = at + BEHIND;
  const to = end >= text.length ? text.length : wordEnd(text, end, at);
  // Half a character at an end becomes a whole one that says so.
  const words = Buffer.from(text.slice(from, to)).toString().replace(/\s+/g, ' ').trim();
  return `${from > 0 ? '… ' : ''}${words}${to < text.length ? ' …' : ''}`;
}

/** Where the first word behind a place begins; the place itself where none begins before `at`. */
function wordStart(text: string, place: number, at: number): number {
  for (let start = place; start <= at; start += 1) if (isSpace(text[start - 1])) return start;
  return place;
}

/** Where the last word before a place ends; the place itself where none ends in its second half. */
function wordEnd(text: string, place: number, at: number): number {
  for (let end = place; end > at + BEHIND / 2; end -= 1) if (isSpace(text[end])) return end;
  return place;
}

const isSpace = (letter: string | undefined): boolean => letter !== undefined && /\s/.test(letter);

const BEFORE = 60;
const BEHIND = 120;
