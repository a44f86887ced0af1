import { showInvisible } from '@cuebook/prompt';
import type { Io } from '../../io.js';
import { screenText } from '../../output/style.js';

/**
 * A value whose texts cannot move the cursor or hide words, and whose characters that nobody sees are shown: what agents
 * wrote is shown with these only.
 */
export function screenValue<Value>(value: Value, io: Pick<Io, 'terminal'>): Value {
  return io.terminal.out ? (clean(value) as Value) : value;
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return seen(value);
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [seen(key), clean(each)]));
}

const seen = (text: string): string => showInvisible(screenText(text, true));
