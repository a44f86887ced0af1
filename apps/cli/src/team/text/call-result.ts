import type { JsonValue } from '@cuebook/api';

/** What became of a call: a word of the record, and what was said of it. */
export interface ToldResult {
  readonly status: string;
  readonly text: string;
}

/** How an effect ended, as its event says it. */
export interface EffectOutcome {
  readonly ok: boolean;
  readonly output?: JsonValue;
  readonly error?: { readonly message: string };
}

/** The result of a call whose effect has ended. */
export function resultOf({ ok, output, error }: EffectOutcome): ToldResult {
  if (!ok) return { status: 'error', text: error?.message ?? '' };
  if (typeof output !== 'object' || output === null || Array.isArray(output))
    return { status: 'ok', text: typeof output === 'string' ? output : '' };
  const { text, isError } = output as { readonly text?: JsonValue; readonly isError?: JsonValue };
  return { status: isError === true ? 'error' : 'ok', text: typeof text === 'string' ? text : '' };
}
