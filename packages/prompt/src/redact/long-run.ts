/** Letters, digits and the signs of every base64: what words of an encoding are made of. */
const IS_RUN = new Uint8Array(128);
for (const sign of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-')
  IS_RUN[sign.charCodeAt(0)] = 1;

/** Fewer characters than these are no long run. */
const LEAST = 16;

/**
 * The first long run from a place on, to its end: what `/[A-Za-z0-9+/_-]{16,}/g` finds there. Each look is at the last place
 * of a run that may begin here, so that prose costs a look for every word and not one for every character.
 */
export function longRunFrom(
  text: string,
  from: number,
): { readonly start: number; readonly end: number } | undefined {
  for (let start = from; start + LEAST <= text.length; ) {
    let at = start + LEAST - 1;
    while (at >= start && isRun(text, at)) at -= 1;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    let end = start + LEAST;
    while (end < text.length && isRun(text, end)) end += 1;
    return { start, end };
  }
  return undefined;
}

const isRun = (text: string, at: number): boolean => IS_RUN[text.charCodeAt(at)] === 1;
