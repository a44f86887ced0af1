import { guard } from '@cuebook/guard';
import type { TurnEvent } from '../turn.js';

/** Events on their way to a reader who may be slow. */
export interface EventQueue {
  push(event: TurnEvent): void;
  /** No event follows; what waits is still handed out. */
  close(): void;
  /** The next event, when there is one; undefined after the last. */
  next(): Promise<TurnEvent | undefined>;
  /** Events that wait. */
  readonly size: number;
}

/**
 * Past `coalesceAfter` waiting events, a delta joins the one before it when both belong together, so that a
 * flood of small deltas costs its text and not an object each.
 */
export function createEventQueue(coalesceAfter = 64): EventQueue {
  let waiting: TurnEvent[] = [];
  let head = 0;
  let closed = false;
  let wake: (() => void) | undefined;
  const size = () => waiting.length - head;

  const wakeReader = () => {
    const run = wake;
    wake = undefined;
    run?.();
  };

  return {
    get size() {
      return size();
    },
    push(event) {
      const last = waiting.at(-1);
      const joined = size() > coalesceAfter && last !== undefined ? join(last, event) : undefined;
      if (guard('queue.coalesce', joined !== undefined)) waiting[waiting.length - 1] = joined as TurnEvent;
      else waiting.push(event);
      wakeReader();
    },
    close() {
      closed = true;
      wakeReader();
    },
    async next() {
      while (size() === 0) {
        if (closed) return undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const event = waiting[head] as TurnEvent;
      head += 1;
      if (head > 1024 && head * 2 > waiting.length) {
        waiting = waiting.slice(head);
        head = 0;
      }
      return event;
    },
  };
}

/** Two deltas as one, when they continue the same thing. */
function join(last: TurnEvent, event: TurnEvent): TurnEvent | undefined {
  if (last.type === 'tool.delta' && event.type === 'tool.delta' && last.id === event.id) {
    return { ...last, json: last.json + event.json };
  }
  const isText =
    (last.type === 'text.delta' && event.type === 'text.delta') ||
    (last.type === 'reasoning.delta' && event.type === 'reasoning.delta');
  if (isText && last.block === event.block) return { ...last, text: last.text + event.text };
  return undefined;
}
