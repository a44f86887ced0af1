/** How often a text is escaped: 1 in a JSON string, 2 in JSON that a JSON string holds as text. */
export type Escapes = 0 | 1 | 2;

/**
 * Where the character at a UTF-16 offset of a text begins in its spelling, asked for in growing order: the spelling is
 * looked through once.
 */
export function escapedOffsets(spelling: string, escapes: Escapes): (unit: number) => number {
  if (escapes === 0) return (unit) => unit;
  const outer = offsets(spelling);
  if (escapes === 1) return outer;
  const inner = offsets(unescaped(spelling));
  return (unit) => outer(inner(unit));
}

/** How many characters of the text lie before the one that is spelled at `at`. */
export function decodedOffset(spelling: string, escapes: Escapes, at = spelling.length): number {
  if (escapes === 0) return at;
  const once = countBefore(spelling, at);
  return escapes === 1 ? once : countBefore(unescaped(spelling), once);
}

function offsets(spelling: string): (unit: number) => number {
  let raw = 0;
  let decoded = 0;
  return (unit) => {
    while (decoded < unit) {
      raw += escapeLength(spelling, raw);
      decoded += 1;
    }
    return raw;
  };
}

function countBefore(spelling: string, at: number): number {
  let count = 0;
  for (let raw = 0; ; count += 1) {
    if (raw >= spelling.length) return count;
    raw += escapeLength(spelling, raw);
    if (raw > at) return count;
  }
}

const unescaped = (spelling: string): string => JSON.parse(`"${spelling}"`) as string;

const escapeLength = (spelling: string, at: number): number =>
  spelling[at] !== '\\' ? 1 : spelling[at + 1] === 'u' ? 6 : 2;
