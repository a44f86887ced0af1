import { createHash } from 'node:crypto';
import { guard, guarded } from '@cuebook/guard';
import type { Redactor } from '@cuebook/prompt';
import type { Sent, TurnInput } from '../turn.js';
import { failedEnd, TurnStop } from './turn-error.js';

export interface ChokeOptions {
  readonly redactor: Redactor;
  readonly beforeSend: TurnInput['beforeSend'];
  /** Whether the turn is over: nothing goes out any more. */
  readonly isOver: () => boolean;
}

/**
 * The one way out. Bytes are looked at, then recorded, one send after the other in the order of the calls, and
 * only then may they be written. It throws a `TurnStop` when they may not.
 */
export function createChoke({ redactor, beforeSend, isOver }: ChokeOptions) {
  let ordinal = 0;
  let tail: Promise<void> = Promise.resolve();

  const look = async (channel: Sent['channel'], bytes: Uint8Array): Promise<void> => {
    stopWhenOver(isOver);
    const leaks = redactor.leaks(DECODER.decode(bytes));
    if (guard('turn.leak', leaks.length > 0)) throw new TurnStop(leakEnd(leaks.map(({ kind }) => kind)));
    ordinal += 1;
    const hash = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    try {
      await beforeSend?.({ channel, bytes, hash, ordinal });
    } catch {
      // What the store says may name its place on this machine: the code is enough.
      const end = failedEnd(
        'E_PROVIDER_RECORD',
        'What was to be sent could not be recorded, so it was not sent.',
      );
      guarded('turn.record', () => {
        throw new TurnStop(end);
      });
    }
    stopWhenOver(isOver);
  };

  return (channel: Sent['channel'], bytes: Uint8Array | string): Promise<void> => {
    const raw = typeof bytes === 'string' ? ENCODER.encode(bytes) : bytes;
    const passed = tail.then(() => look(channel, raw));
    // A refused send does not hold up the next one; whoever sent it hears of it.
    tail = passed.then(ignore, ignore);
    return passed;
  };
}

function stopWhenOver(isOver: () => boolean): void {
  if (guard('turn.late', isOver())) throw new TurnStop({ reason: 'aborted' });
}

function leakEnd(kinds: readonly string[]) {
  const what = [...new Set(kinds)].sort().join(', ');
  const message = `What was to be sent still holds something private (${what}), so it was not sent.`;
  return {
    reason: 'refused',
    error: { code: 'E_PROMPT_LEAK', message, retryable: false },
  } as const;
}

const ignore = (): void => {};
const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();
