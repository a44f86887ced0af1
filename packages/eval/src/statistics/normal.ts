/** The point below which a normal variable lies with this chance (Acklam; exact to 1e-9). */
export function normalQuantile(chance: number): number {
  if (chance <= 0) return Number.NEGATIVE_INFINITY;
  if (chance >= 1) return Number.POSITIVE_INFINITY;
  if (chance > 0.5) return -normalQuantile(1 - chance);
  if (chance < 0.02425) {
    const q = Math.sqrt(-2 * Math.log(chance));
    return poly(TAIL_UP, q) / (poly(TAIL_DOWN, q) * q + 1);
  }
  const q = chance - 0.5;
  const r = q * q;
  return (poly(MID_UP, r) * q) / (poly(MID_DOWN, r) * r + 1);
}

/** The normal variable that is as far out as a Student's t with so many degrees of freedom (Wallace). */
export function zFromT(t: number, degrees: number): number {
  const size = Math.sqrt(degrees * Math.log1p((t * t) / degrees)) * shrink(degrees);
  return t < 0 ? -size : size;
}

/** The other way round, for what is not negative. */
export const tFromZ = (z: number, degrees: number): number =>
  Math.sqrt(degrees * Math.expm1((z / shrink(degrees)) ** 2 / degrees));

const shrink = (degrees: number): number => (8 * degrees + 1) / (8 * degrees + 3);

const poly = (terms: readonly number[], x: number): number => terms.reduce((sum, term) => sum * x + term, 0);

const MID_UP = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716,
  2.506628277459239,
];
const MID_DOWN = [
  -54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572,
];
const TAIL_UP = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const TAIL_DOWN = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416];
