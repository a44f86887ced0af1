import { type Flags, flagValue } from '../command.js';
import { usage } from '../failure.js';

/** A whole number of a flag, within bounds. */
export function wholeNumber(
  flags: Flags,
  name: string,
  [least, most]: readonly [number, number],
): number | undefined {
  const text = flagValue(flags, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d{1,10}$/.test(text) || value < least || value > most)
    throw usage(`--${name} takes a whole number from ${least} to ${most}`);
  return value;
}

/** A share between 0 and 1, both left out. */
export function share(flags: Flags, name: string): number | undefined {
  const text = flagValue(flags, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || !(value > 0 && value < 1))
    throw usage(`--${name} takes a number between 0 and 1, such as .05`);
  return value;
}

/** What may be spent: dollars, or tokens with a `t` behind the number. */
export function budgetFlag(flags: Flags): { readonly usd?: number; readonly tokens?: number } {
  const text = flagValue(flags, 'budget');
  if (text === undefined) return {};
  const [, digits, unit] = /^(\d*\.?\d+)(t?)$/.exec(text) ?? [];
  const value = Number(digits);
  if (digits === undefined || !(value > 0))
    throw usage('--budget takes US dollars such as 5, or tokens such as 200000t');
  return unit === 't' ? { tokens: value } : { usd: value };
}
