import { guarded } from '@cuebook/guard';
import type { Replacement } from './leak-context.js';
import { packedLines } from './packed-lines.js';
import { type HeldText, heldTexts } from './reading.js';
import { spelledTexts } from './spelled.js';
import type { Found, ScanMode } from './walk.js';

type Look = (source: string, mode: ScanMode) => Found;

/** What is found in the texts that a text holds, as somebody reads them who takes them out of it. `own`: what it shows itself. */
export const readHeld = (look: Look, source: string, mode: ScanMode, own: Found): readonly Replacement[] =>
  guarded(
    'redact.reading',
    () => {
      const seen = new Map<string, Found>();
      /** Two readings of a text are often the same. */
      const lookOnce: Look = (text) => {
        const found = seen.get(text) ?? look(text, mode);
        seen.set(text, found);
        return found;
      };
      const { isStraight, runs } = own;
      const found = heldTexts(source, isStraight).flatMap((held) => {
        const shown = lookOnce(held.text, mode);
        return [inSource(held, shown.found), inSource(held, linesOf(look, held.text, mode, shown.runs))];
      });
      const spelled = isStraight ? [] : spelledSecrets(lookOnce, source, mode);
      return [...found, ...spelled, linesOf(look, source, mode, runs)].reduce(widened, NOTHING);
    },
    NOTHING,
  );

/** What the signs around it give away as a credential once they are read; all else the shadow finds, and what is known. */
const spelledSecrets = (look: Look, source: string, mode: ScanMode): readonly (readonly Replacement[])[] =>
  mode.knownOnly
    ? []
    : guarded(
        'redact.spelled',
        () =>
          spelledTexts(source).map((spelled) => {
            const { found } = look(spelled.text, mode);
            return inSource(
              spelled,
              found.filter(({ kind }) => kind === 'credential'),
            );
          }),
        [],
      );

/** What is known in an encoding that goes on over lines, whatever these begin and end with. */
const linesOf = (
  look: Look,
  source: string,
  mode: ScanMode,
  runs: readonly number[],
): readonly Replacement[] =>
  guarded(
    'redact.lines',
    () => {
      const known = { ...mode, knownOnly: true };
      const [sure = NOTHING, maybe = NOTHING] = packedLines(source, runs).map((lines) =>
        inSource(lines, look(lines.text, known).found),
      );
      const touches = (one: Replacement, other: Replacement) =>
        one.start < other.end && other.start < one.end;
      return widened(
        sure,
        maybe.filter((hit) => !sure.some((other) => touches(hit, other))),
      );
    },
    NOTHING,
  );

const inSource = (held: HeldText, found: readonly Replacement[]): readonly Replacement[] =>
  found.flatMap((hit) => {
    const range = held.sourceOf(hit.start, hit.end);
    return range ? [{ ...hit, ...range }] : [];
  });

const NOTHING: readonly Replacement[] = [];

/** Both, and of what overlaps the one that covers more, as far as either goes. */
export function widened(
  first: readonly Replacement[],
  second: readonly Replacement[],
): readonly Replacement[] {
  if (first.length === 0 || second.length === 0) return first.length === 0 ? second : first;
  const all: Replacement[] = [];
  for (const item of [...first, ...second].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1);
    if (last === undefined || last.end <= item.start) all.push(item);
    else if (item.end > last.end) {
      const longer = item.end - item.start > last.end - last.start ? item : last;
      all[all.length - 1] = { ...longer, start: last.start, end: item.end, known: last.known || item.known };
    }
  }
  return all;
}
