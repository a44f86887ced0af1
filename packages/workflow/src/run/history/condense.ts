import type { AgentMessage } from '@cuebook/engine';
import { guard } from '../../guard.js';

/** A message, or a tool result that is told by reference. */
export type Condensed =
  | { readonly message: AgentMessage; readonly isCut: false }
  | { readonly message: Extract<AgentMessage, { role: 'tool' }>; readonly isCut: true };

export interface Room {
  /** Bytes that all of the prompt may have. */
  readonly maxBytes: number;
  /** Bytes that are taken by everything but the history. */
  readonly taken: number;
}

/** Results of fewer bytes are not worth a reference. */
const SMALL = 600;
/** What a reference costs. */
const REFERENCE = 400;
/** The newest messages stay whole: they are what the next turn is about. */
const KEPT = 6;

/**
 * Makes a history fit: older tool results are told by reference, oldest first, and nothing else is touched. What
 * is freed grows in steps of a quarter of the room, so that the same messages stay cut for several turns and the
 * beginning of the prompt stays the same. Undefined when even that is not enough. Pure; the record keeps all.
 */
export function condenseHistory(
  history: readonly AgentMessage[],
  { maxBytes, taken }: Room,
): readonly Condensed[] | undefined {
  const sizes = history.map(sizeOf);
  const over = taken + sizes.reduce((sum, size) => sum + size, 0) - maxBytes;
  if (!guard('context.room', over > 0)) return history.map((message) => ({ message, isCut: false }));
  const step = Math.max(1, Math.floor(maxBytes / 4));
  const wanted = Math.ceil(over / step) * step;
  let freed = 0;
  const condensed = history.map((message, index): Condensed => {
    const size = sizes[index] ?? 0;
    const isOld = index < history.length - KEPT;
    if (freed >= wanted || !isOld || message.role !== 'tool' || size <= SMALL)
      return { message, isCut: false };
    freed += size - REFERENCE;
    return { message, isCut: true };
  });
  return freed >= over ? condensed : undefined;
}

const sizeOf = (message: AgentMessage): number =>
  Buffer.byteLength(message.text) +
  (message.role === 'assistant' ? Buffer.byteLength(JSON.stringify(message.calls)) : 0) +
  100;
