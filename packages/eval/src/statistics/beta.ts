/** The logarithm of the gamma function, for what is above 0 (Stirling's series from 12 on; exact to 1e-13). */
export function logGamma(x: number): number {
  let shifted = x;
  let product = 1;
  while (shifted < 12) {
    product *= shifted;
    shifted += 1;
  }
  const square = shifted * shifted;
  const series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) / square) / shifted;
  return (shifted - 0.5) * Math.log(shifted) - shifted + HALF_LOG_TAU + series - Math.log(product);
}

const HALF_LOG_TAU = 0.5 * Math.log(2 * Math.PI);

export const logBeta = (a: number, b: number): number => logGamma(a) + logGamma(b) - logGamma(a + b);

/** The share of a beta distribution below `x`: the regularised incomplete beta function. */
export function incompleteBeta(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b));
  return x < (a + 1) / (a + b + 2)
    ? (front * continued(a, b, x)) / a
    : 1 - (front * continued(b, a, 1 - x)) / b;
}

/** The continued fraction of the function, by Lentz's method. */
function continued(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m < 500; m += 1) {
    const even = (m * (b - m) * x) / ((a - 1 + 2 * m) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 1 + 2 * m));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    const step = d * c;
    value *= step;
    if (Math.abs(step - 1) < 3e-16) break;
  }
  return value;
}

const away = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value);
