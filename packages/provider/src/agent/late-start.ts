import type { TurnEvent } from '../turn.js';

/** What becomes known while a turn begins. */
export interface LateStart {
  readonly model?: string;
  readonly sessionId?: string;
}

/**
 * Codex names a thread only after it was told what the thread is for, and `turn.start` is to name it: so that
 * event is held until `known` settles, which has to be before anything else is emitted.
 */
export async function* withLateStart(
  events: AsyncIterable<TurnEvent>,
  known: Promise<LateStart>,
): AsyncGenerator<TurnEvent> {
  for await (const event of events) {
    yield event.type === 'turn.start' ? { ...event, ...(await known) } : event;
  }
}
