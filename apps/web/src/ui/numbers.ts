/** `1,204`. */
export const count = (value: number): string => value.toLocaleString('en');

/** `1 turn`, `2 turns`. */
export const counted = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

/** `$0.12`; four digits where it is less than a cent. */
export const money = (usd: number): string =>
  `$${usd !== 0 && Math.abs(usd) < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`;
