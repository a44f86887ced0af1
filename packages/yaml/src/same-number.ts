/** Whether a number says what is written: in decimal, with a base before it, or as one of the words of YAML. */
export function isSameNumber(written: string, value: number): boolean {
  const based = /^([-+]?)(0[xob][\da-f]+)$/i.exec(written);
  if (based?.[2] !== undefined) {
    // Longer ones are past every number.
    if (based[2].length > 1_100 || !Number.isFinite(value)) return false;
    return BigInt(based[2]) === BigInt(Math.abs(value));
  }
  const decimal = digitsOf(written);
  if (decimal === undefined) return true;
  const read = digitsOf(String(value));
  return read !== undefined && read.digits === decimal.digits && read.exponent === decimal.exponent;
}

/** A decimal without zeros around its digits, which are counted in the exponent. Undefined: it is written otherwise. */
function digitsOf(written: string): { readonly digits: string; readonly exponent: number } | undefined {
  const match = /^[-+]?(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i.exec(written);
  if (match === null) return undefined;
  const [, whole = '', part = '', exponent = '0'] = match;
  const all = whole + part;
  let from = 0;
  while (all[from] === '0') from += 1;
  let to = all.length;
  while (to > from && all[to - 1] === '0') to -= 1;
  if (from === to) return { digits: '', exponent: 0 };
  return { digits: all.slice(from, to), exponent: Number(exponent) - part.length + all.length - to };
}
