/** Code units that both texts begin with, never half a character. */
export function commonHead(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let at = 0;
  while (at < limit && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at > 0 && isHigh(b.charCodeAt(at - 1)) ? at - 1 : at;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
