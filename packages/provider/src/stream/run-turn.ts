import { guard, guarded } from '@cuebook/guard';
import type { Redactor } from '@cuebook/prompt';
import { startTurnSpan, type TurnSubject } from '../telemetry/turn-span.js';
import type { TurnEnd, TurnEvent, TurnInput } from '../turn.js';
import { safeAnswers } from './answers.js';
import { createChoke } from './choke.js';
import { type StreamClock, systemClock } from './clock.js';
import { createEventQueue } from './event-queue.js';
import { createIdleClock } from './idle-clock.js';
import { resolveLimits } from './limits.js';
import type { LiveTurn, Speak } from './live-turn.js';
import { cleanText, neutralRequest } from './neutral.js';
import { cleanError, cleanLine, endOfThrown, failedEnd } from './turn-error.js';

export interface TurnOptions {
  readonly provider: string;
  readonly rehearsal?: true;
  /** What is known before the turn; `started` may say it better. */
  readonly session: { readonly model?: string; readonly sessionId?: string };
  readonly input: TurnInput;
  readonly redactor: Redactor;
  readonly speak: Speak;
  /** How telemetry calls what this is. */
  readonly telemetry?: Pick<TurnSubject, 'operation' | 'vendor'>;
  readonly clock?: StreamClock;
  /** How long a speaker that was told to stop is waited for. */
  readonly graceMs?: number;
}

type Ending = Omit<TurnEnd, 'type'>;

/** Enough for a child that is asked to end, waited for, and then killed. */
const GRACE_MS = 5_000;

/**
 * The frame around a provider's turn: exactly one `turn.start` first and one `turn.end` last, limits,
 * cancellation, the choke point. It never rejects. The turn begins when somebody begins to read, runs once
 * however often it is iterated, and is aborted when the reader leaves early.
 */
export function runTurn(options: TurnOptions): AsyncIterable<TurnEvent> {
  let iterator: AsyncIterator<TurnEvent> | undefined;
  return {
    [Symbol.asyncIterator]: () => {
      iterator ??= readTurn(options);
      return iterator;
    },
  };
}

function readTurn(options: TurnOptions): AsyncIterator<TurnEvent> {
  let turn: ReturnType<typeof beginTurn> | undefined;
  let isDone = false;
  return {
    async next() {
      turn ??= beginTurn(options);
      const event = isDone ? undefined : await turn.events.next();
      if (event === undefined) isDone = true;
      return event === undefined ? { done: true, value: undefined } : { done: false, value: event };
    },
    async return() {
      isDone = true;
      if (guard('turn.gone', turn !== undefined)) await turn?.leave();
      return { done: true, value: undefined };
    },
  };
}

function beginTurn(options: TurnOptions) {
  const { input, redactor, clock = systemClock, graceMs = GRACE_MS } = options;
  const limits = resolveLimits(input.limits);
  const events = createEventQueue();
  const { provider, session, telemetry } = options;
  const span = startTurnSpan({ provider, ...session, ...telemetry, input });
  const put = (event: TurnEvent): void => {
    span.event(event);
    events.push(event);
  };
  const controller = new AbortController();
  let isOpen = false;
  let isClosed = false;
  let ending: Ending | undefined;
  let emitted = 0;
  let received = 0;
  let decided = () => {};
  const decision = new Promise<void>((resolve) => {
    decided = resolve;
  });

  /** The first word on how the turn ends is the last. */
  const decide = (end: Ending): void => {
    if (ending !== undefined) return;
    ending = end;
    controller.abort();
    decided();
  };
  const timeout = (message: string) => (): void =>
    decide({ reason: 'timeout', error: { code: 'E_PROVIDER_TIMEOUT', message, retryable: true } });
  const idle = createIdleClock(clock, limits.idleMs, timeout('The provider was silent for too long.'));
  const stopTotal = clock.after(limits.totalMs, () =>
    guarded('turn.total', timeout('The turn took too long.')),
  );
  const onAbort = (): void => decide({ reason: 'aborted' });

  const open = (details: { readonly model?: string; readonly sessionId?: string } = {}): void => {
    if (isOpen) return;
    isOpen = true;
    const { rehearsal } = options;
    put({ type: 'turn.start', provider, ...session, ...details, ...(rehearsal && { rehearsal }) });
  };
  const overflow = (bytes: number): void => {
    if (!guard('turn.output', bytes > limits.outputBytes)) return;
    decide(failedEnd('E_PROVIDER_OUTPUT', `The provider sent more than ${limits.outputBytes} bytes.`));
  };
  const choke = createChoke({
    redactor,
    beforeSend: async (sent) => {
      await input.beforeSend?.(sent);
      span.sent({ ...sent, size: sent.bytes.byteLength });
    },
    isOver: () => ending !== undefined,
  });

  const live = (): LiveTurn => ({
    input: {
      ...input,
      ...safeAnswers(input, redactor, idle.hold),
      request: neutralRequest(input.request),
      ...(input.delta && { delta: neutralRequest(input.delta) }),
    },
    limits,
    signal: controller.signal,
    started: open,
    emit(event) {
      if (isClosed || (ending !== undefined && !isLastWord(event))) return;
      open();
      idle.touch();
      emitted += weigh(event);
      overflow(emitted);
      if (emitted > limits.outputBytes && event.type !== 'usage') return;
      put(event.type === 'log' ? { ...event, text: cleanLine(event.text, redactor) } : event);
    },
    async pass(channel, bytes) {
      open();
      idle.touch();
      try {
        await choke(channel, bytes);
      } catch (thrown) {
        decide(endOfThrown(thrown));
        throw thrown;
      }
    },
    clean: (text) => cleanText(text, redactor),
    received(bytes) {
      idle.touch();
      received += bytes;
      overflow(received);
    },
  });

  const speak = async (): Promise<void> => {
    try {
      decide(await span.within(() => options.speak(live())));
    } catch (thrown) {
      decide(endOfThrown(thrown));
    }
  };

  const run = async (): Promise<void> => {
    if (input.signal?.aborted) onAbort();
    input.signal?.addEventListener('abort', onAbort, { once: true });
    if (ending === undefined) {
      const spoken = speak();
      await decision;
      await within(spoken, graceMs, clock);
    }
    input.signal?.removeEventListener('abort', onAbort);
    idle.stop();
    stopTotal();
    open();
    isClosed = true;
    put({ type: 'turn.end', ...cleanEnding(ending as Ending, redactor) });
    events.close();
  };

  const finished = run();
  const leave = async (): Promise<void> => {
    onAbort();
    await finished;
  };
  return { events, leave };
}

/** What still counts once the turn is told to end: what was done, and what it cost. */
const isLastWord = ({ type }: TurnEvent): boolean => type === 'usage' || type === 'tool.end';

/** An event costs memory beside its text; a real provider sends more bytes than this for each. */
const EVENT_BYTES = 128;

function weigh(event: TurnEvent): number {
  switch (event.type) {
    case 'text.delta':
    case 'reasoning.delta':
    case 'log':
      return EVENT_BYTES + event.text.length;
    case 'tool.delta':
      return EVENT_BYTES + event.json.length;
    case 'tool.end':
      return EVENT_BYTES + (event.output?.length ?? 0) + (event.badInput?.length ?? 0);
    default:
      return EVENT_BYTES;
  }
}

function cleanEnding(ending: Ending, redactor: Redactor): Ending {
  return ending.error === undefined ? ending : { ...ending, error: cleanError(ending.error, redactor) };
}

/** Waits for the work, but no longer than this. */
async function within(work: Promise<void>, ms: number, clock: StreamClock): Promise<void> {
  let cancel = () => {};
  const late = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  await Promise.race([work, late]);
  cancel();
}
