import type { Replacement } from './leak-context.js';

/** The text with sorted, non-overlapping replacements made. */
export function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  if (replacements.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: replacement } of replacements) {
    parts.push(text.slice(at, start), replacement);
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/**
 * Two rounds as one: `late` was found in `middle`, the text that `early` made; the answer speaks of the text
 * before `early`. Replacements of the two rounds that overlap become one, of the late kind.
 */
export function composeReplacements(
  middle: string,
  early: readonly Replacement[],
  late: readonly Replacement[],
): readonly Replacement[] {
  const composed: Replacement[] = [];
  /** What early replacements before this place added to it. */
  let shift = 0;
  let nextEarly = 0;
  let nextLate = 0;
  while (nextEarly < early.length || nextLate < late.length) {
    const firstEarly = nextEarly;
    const firstLate = nextLate;
    const shiftBefore = shift;
    let start = Number.POSITIVE_INFINITY;
    let end = Number.NEGATIVE_INFINITY;
    for (;;) {
      const a = early[nextEarly];
      const b = late[nextLate];
      const aStart = a ? a.start + shift : Number.POSITIVE_INFINITY;
      const bStart = b ? b.start : Number.POSITIVE_INFINITY;
      const isFirst = end === Number.NEGATIVE_INFINITY;
      if (a && aStart <= bStart && (isFirst || aStart < end)) {
        start = Math.min(start, aStart);
        end = Math.max(end, aStart + a.text.length);
        shift += a.text.length - (a.end - a.start);
        nextEarly += 1;
      } else if (b && bStart < aStart && (isFirst || bStart < end)) {
        start = Math.min(start, bStart);
        end = Math.max(end, b.end);
        nextLate += 1;
      } else break;
    }
    if (nextLate === firstLate) {
      composed.push(...early.slice(firstEarly, nextEarly));
      continue;
    }
    const inside = late
      .slice(firstLate, nextLate)
      .map((item) => ({ ...item, start: item.start - start, end: item.end - start }));
    composed.push({
      ...late[firstLate]!,
      start: start - shiftBefore,
      end: end - shift,
      text: applyReplacements(middle.slice(start, end), inside),
    });
  }
  return composed;
}
