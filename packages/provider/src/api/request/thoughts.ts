import type { Redactor } from '@cuebook/prompt';
import { guard } from '../../guard.js';
import { cleanText } from '../../stream/neutral.js';
import type { VendorOptions } from '../wire/model.js';

/** A thought as its vendor wants it back: the text, and a signature or sealed content that nobody else reads. */
export interface Thought {
  readonly text: string;
  readonly metadata?: VendorOptions;
}

/** What a vendor needs back with the calls of one message. */
export interface Kept {
  readonly thoughts: readonly Thought[];
  /** By call id. */
  readonly calls: ReadonlyMap<string, VendorOptions>;
}

/**
 * Thoughts that led to tool calls. Vendors want them in front of those calls when the results come, signed and
 * unchanged, so they are kept for the session and are no part of the prompt. After a restart they are gone, and
 * the model goes on without them.
 */
export interface ThoughtMemory {
  keep(callIds: readonly string[], kept: Kept, redactor: Redactor): void;
  find(callId: string): Kept | undefined;
}

const MAX_MESSAGES = 256;
const MAX_BYTES = 8 * 1024 * 1024;

export function createThoughtMemory(): ThoughtMemory {
  const kept = new Map<string, Kept>();
  return {
    keep(callIds, message, redactor) {
      const [first] = callIds;
      if (first === undefined) return;
      // A thought that must not be said again cannot be changed either: its signature covers it.
      const isUnclean = message.thoughts.some(({ text }) => cleanText(text, redactor) !== text);
      kept.set(first, guard('api.thought', isUnclean) ? { ...message, thoughts: [] } : message);
      for (const id of kept.keys()) {
        if (kept.size <= MAX_MESSAGES && sizeOf(kept) <= MAX_BYTES) break;
        kept.delete(id);
      }
    },
    find: (callId) => kept.get(callId),
  };
}

function sizeOf(kept: ReadonlyMap<string, Kept>): number {
  let size = 0;
  for (const { thoughts, calls } of kept.values()) {
    for (const { text, metadata } of thoughts) size += text.length + JSON.stringify(metadata ?? null).length;
    for (const metadata of calls.values()) size += JSON.stringify(metadata).length;
  }
  return size;
}
