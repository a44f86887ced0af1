import { Tagged, type Value } from '../value/value.js';
import { normal } from './bytes.js';
import { printAny } from './print-any.js';
import { PLAIN } from './spec.js';

/** The default bound of what one call prints, in UTF-16 units: half of what a string can hold. */
export const PRINT_LIMIT = 2 ** 28;

/**
 * Go's `fmt.Sprint`: a space between operands when neither is a string. Past `limit` units the rest is left
 * out and the text is longer than the limit.
 */
export function sprint(args: readonly Value[], limit: number = PRINT_LIMIT): string {
  let text = '';
  for (let index = 0; index < args.length && text.length <= limit; index++) {
    const value = args[index];
    if (index > 0 && !isString(value) && !isString(args[index - 1])) text += ' ';
    text += printAny(value, 'v', PLAIN, limit);
  }
  return normal(text);
}

/** Go's `fmt.Sprintln`: a space between all operands, a new line at the end. Bounded as `sprint` is. */
export function sprintln(args: readonly Value[], limit: number = PRINT_LIMIT): string {
  let text = '';
  for (let index = 0; index < args.length && text.length <= limit; index++) {
    if (index > 0) text += ' ';
    text += printAny(args[index], 'v', PLAIN, limit);
  }
  return normal(`${text}\n`);
}

const isString = (value: Value): boolean => typeof value === 'string' || value instanceof Tagged;
