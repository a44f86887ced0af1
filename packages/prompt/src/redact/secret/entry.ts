import { holdsSecret } from './assignment.js';
import { headerValueSecrets } from './header.js';
import { kindsOf } from './secret-keys.js';
import type { SecretRange } from './secret-value.js';

const NOTHING: readonly SecretRange[] = [];

/** The secrets of a string that a structured value holds under a key: `{ "password": "…" }`. */
export function entrySecrets(key: string, value: string): readonly SecretRange[] {
  if (value.length < 3 || key.length > 80 || value.startsWith('[removed:')) return NOTHING;
  for (const kind of kindsOf(key)) {
    if (kind === 'authorization' || kind === 'cookie') return headerValueSecrets(kind, value);
    if (holdsSecret(value, kind, 'data', false)) return [{ start: 0, end: value.length }];
  }
  return NOTHING;
}
