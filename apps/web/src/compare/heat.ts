/** A run of a prompt's text, with the unit that it belongs to. */
export interface HeatRun {
  readonly text: string;
  readonly start: number;
  /** The number of the unit among all. */
  readonly unit?: number;
}

/** A text with its units found in it, wherever they stand. The runs join to the text; units do not overlap. */
export function heatOf(text: string, units: readonly { readonly text: string }[]): readonly HeatRun[] {
  const taken: { readonly start: number; readonly end: number; readonly unit: number }[] = [];
  const isFree = (start: number, end: number): boolean =>
    taken.every((other) => end <= other.start || start >= other.end);
  const longestFirst = units
    .map((unit, at) => ({ words: unit.text.trim(), at }))
    .filter(({ words }) => words !== '')
    .sort((one, other) => other.words.length - one.words.length);
  for (const { words, at } of longestFirst)
    for (const { index, 0: found } of text.matchAll(patternOf(words)))
      if (isFree(index, index + found.length))
        taken.push({ start: index, end: index + found.length, unit: at });
  taken.sort((one, other) => one.start - other.start);
  const runs: HeatRun[] = [];
  let end = 0;
  for (const { start, end: next, unit } of taken) {
    if (start > end) runs.push({ text: text.slice(end, start), start: end });
    runs.push({ text: text.slice(start, next), start, unit });
    end = next;
  }
  if (end < text.length) runs.push({ text: text.slice(end), start: end });
  return runs;
}

/** A unit is kept with its white space folded. */
const patternOf = (words: string): RegExp =>
  new RegExp(
    words
      .split(/\s+/u)
      .map((word) => word.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&'))
      .join('\\s+'),
    'gu',
  );

/** How strong a colour is, from 1 to 4: four from half of a score on. */
export const strengthOf = (adds: number | null): number =>
  adds === null ? 1 : Math.min(4, Math.max(1, Math.ceil(Math.abs(adds) * 8)));
