import { createHash } from 'node:crypto';
import { guard } from '@cuebook/guard';
import type { JsonValue, Redactor, ToolCall } from '@cuebook/prompt';
import { cleanText } from '../../stream/neutral.js';
import type { VendorOptions } from '../wire/model.js';

/** A thought as its vendor wants it back: the text, and a signature or sealed content that nobody else reads. */
export interface Thought {
  readonly text: string;
  readonly metadata?: VendorOptions;
}

/** What a vendor needs back with the calls of one message. */
export interface KeptThoughts {
  readonly thoughts: readonly Thought[];
  /** One for each call, in their order. */
  readonly calls: readonly (VendorOptions | undefined)[];
}

/** A call as the model made it, or as a later request tells it. Its id counts for nothing: runs give their own. */
type MadeCall = Pick<ToolCall, 'name'> & { readonly args: JsonValue | undefined };

/**
 * Thoughts that led to tool calls. Vendors want them in front of those calls when the results come, signed and
 * unchanged, so they are kept for the session and are no part of the prompt. After a restart they are gone, and
 * the model goes on without them.
 */
export interface ThoughtMemory {
  keep(calls: readonly MadeCall[], kept: KeptThoughts, redactor: Redactor): void;
  /**
   * What was kept with each answer that made calls, for the answers of one request in their order. The same calls
   * may be made again: the last of them in the request are those that were heard last.
   */
  recall(answers: readonly (readonly MadeCall[])[]): readonly (KeptThoughts | undefined)[];
}

const MAX_MESSAGES = 256;
const MAX_BYTES = 8 * 1024 * 1024;

export function createThoughtMemory(): ThoughtMemory {
  let kept: { readonly key: string; readonly message: KeptThoughts; readonly size: number }[] = [];
  return {
    keep(calls, message, redactor) {
      if (calls.length === 0) return;
      // A thought that must not be said again cannot be changed either: its signature covers it.
      const isUnclean = message.thoughts.some(({ text }) => cleanText(text, redactor) !== text);
      const clean = guard('api.thought', isUnclean) ? { ...message, thoughts: [] } : message;
      kept.push({ key: keyOf(calls), message: clean, size: sizeOf(clean) });
      let total = kept.reduce((sum, { size }) => sum + size, 0);
      while (kept.length > MAX_MESSAGES || total > MAX_BYTES) {
        total -= kept[0]?.size ?? 0;
        kept = kept.slice(1);
      }
    },
    recall(answers) {
      const left = [...kept];
      const found = answers.map((): KeptThoughts | undefined => undefined);
      for (let at = answers.length - 1; at >= 0; at -= 1) {
        const key = keyOf(answers[at] ?? []);
        const index = left.findLastIndex((each) => each.key === key);
        if (index < 0) continue;
        found[at] = left[index]?.message;
        left.splice(index, 1);
      }
      return found;
    },
  };
}

const keyOf = (calls: readonly MadeCall[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(
        calls.map(({ name, args }) => [name, args ?? {}]),
        inOrder,
      ),
    )
    .digest('hex');

/** A store may keep the keys of an object in another order. */
const inOrder = (_key: string, value: unknown): unknown =>
  value === null || typeof value !== 'object' || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));

function sizeOf({ thoughts, calls }: KeptThoughts): number {
  const ofThoughts = thoughts.reduce(
    (sum, { text, metadata }) => sum + text.length + JSON.stringify(metadata ?? null).length,
    0,
  );
  return ofThoughts + JSON.stringify(calls).length;
}
