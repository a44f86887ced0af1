/** A run of text that the other side has, or has not. */
export interface MarkedRun {
  readonly text: string;
  readonly isSame: boolean;
  /** Where it begins in its text. */
  readonly start: number;
}

/** Past this many pairs of words the whole middle counts as different: finding what stayed would take too long. */
const MOST_PAIRS = 1_000_000;

/**
 * Two texts with what differs marked, word by word. The runs of each side join to its text, and those that are the same
 * join to the same text on both sides.
 */
export function markDifferences(
  before: string,
  after: string,
): { readonly before: readonly MarkedRun[]; readonly after: readonly MarkedRun[] } {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  const room = Math.min(a.length, b.length) - start;
  while (end < room && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  const kept = keptWords(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const side = (words: readonly string[], isKept: readonly boolean[]): readonly MarkedRun[] =>
    runsOf(words, (at) => at < start || at >= words.length - end || isKept[at - start] === true);
  return { before: side(a, kept.a), after: side(b, kept.b) };
}

const wordsOf = (text: string): readonly string[] =>
  text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

/** Which words of each are in the longest common subsequence. */
function keptWords(
  a: readonly string[],
  b: readonly string[],
): { readonly a: readonly boolean[]; readonly b: readonly boolean[] } {
  const kept = { a: a.map(() => false), b: b.map(() => false) };
  if (a.length * b.length > MOST_PAIRS) return kept;
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] as number;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      kept.a[i] = true;
      kept.b[j] = true;
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return kept;
}

function runsOf(words: readonly string[], isSame: (at: number) => boolean): readonly MarkedRun[] {
  const runs: { text: string; isSame: boolean; start: number }[] = [];
  let start = 0;
  for (const [at, word] of words.entries()) {
    const last = runs.at(-1);
    if (last?.isSame === isSame(at)) last.text += word;
    else runs.push({ text: word, isSame: isSame(at), start });
    start += word.length;
  }
  return runs;
}
