import { incompleteBeta } from './beta.js';

/** The chance that Student's t with so many degrees of freedom lies below `t`. */
export function tChance(t: number, degrees: number): number {
  const tail = 0.5 * incompleteBeta(degrees / 2, 0.5, degrees / (degrees + t * t));
  return t < 0 ? tail : 1 - tail;
}

/** The point below which Student's t lies with this chance: bisection on the incomplete beta function, exact to 1e-11. */
export function tQuantile(chance: number, degrees: number): number {
  if (!(chance > 0 && chance < 1) || !(degrees > 0)) return Number.NaN;
  if (chance < 0.5) return -tQuantile(1 - chance, degrees);
  const key = `${chance}:${degrees}`;
  const known = KNOWN.get(key);
  if (known !== undefined) return known;
  let high = 1;
  while (tChance(high, degrees) < chance) high *= 2;
  let low = 0;
  for (let step = 0; step < 80; step += 1) {
    const middle = (low + high) / 2;
    if (tChance(middle, degrees) < chance) low = middle;
    else high = middle;
  }
  const found = (low + high) / 2;
  if (KNOWN.size >= MOST) KNOWN.clear();
  KNOWN.set(key, found);
  return found;
}

/** The same question is asked for every metric and case: answers are kept, and never more than this many. */
const MOST = 4096;
const KNOWN = new Map<string, number>();
