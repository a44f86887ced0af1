import type { JsonValue } from '@cuebook/prompt';
import { byteLength } from './clip.js';
import { DEFAULT_MAX_RESULT_BYTES } from './tool.js';

export interface FitOptions {
  readonly maxBytes?: number;
  /** Stores the whole text and answers what the model is told in its place. */
  readonly keep: (text: string, bytes: number) => Promise<{ readonly text: string; readonly blob: string }>;
}

/**
 * The output of a `tool.call` effect as it goes into the log: whole when it is small, else what `keep` says. A
 * driver calls it before it settles, so that a long result is in the log once, as a reference.
 */
export async function fitResult(
  answer: { readonly output: string; readonly isError?: boolean },
  { maxBytes = DEFAULT_MAX_RESULT_BYTES, keep }: FitOptions,
): Promise<JsonValue> {
  const isError = answer.isError === true ? { isError: true } : {};
  const size = byteLength(answer.output);
  if (size <= maxBytes) return { text: answer.output, ...isError };
  const { text, blob } = await keep(answer.output, size);
  return { text, blob, ...isError };
}
