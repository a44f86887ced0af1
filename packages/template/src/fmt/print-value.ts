import type { Value } from '../value/value.js';
import { PRINT_LIMIT, sprint } from './sprint.js';

/** What an action prints for its value: as `sprint`, but nil is no value there. */
export function printValue(value: Value, limit: number = PRINT_LIMIT): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  if (value === undefined || value === null) return NO_VALUE;
  return sprint([value], limit);
}

/** The text of the operands of `html`, `js` and `urlquery`, where nil is no value too. */
export function printOperands(args: readonly Value[], limit: number = PRINT_LIMIT): string {
  const [only] = args;
  if (args.length === 1 && typeof only === 'string') return only;
  return sprint(
    args.map((value) => value ?? NO_VALUE),
    limit,
  );
}

const NO_VALUE = '<no value>';
