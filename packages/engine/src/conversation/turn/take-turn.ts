import { setMaxListeners } from 'node:events';
import { guard, guarded } from '@cuebook/guard';
import type { FileStamps, RunId } from '@cuebook/journal';
import { asJson } from '@cuebook/journal/json';
import type { GatedRequest, JsonValue, Redactor } from '@cuebook/prompt';
import type { Session, ToldTurn, TurnEvent, TurnInput, TurnLimits } from '@cuebook/provider';
import type { PerformContext } from '../../effect/driver.js';
import type { EffectIntent, Outcome } from '../../machine.js';
import { FORMS_ONLY, hideCredentials } from '../../seal/shield.js';
import type { Conversation } from '../conversation.js';
import type { TurnOutcome } from '../outcome.js';
import { createCollector } from './collect.js';
import { createLiveTurn } from './live-turn.js';
import { createNative, type NativeCommand, type NativeWords } from './native.js';
import { createReceipts, type Receipts, type TurnRecorder } from './receipts.js';
import { CONVERSATION_LOOK, type RunLook } from './run-look.js';
import type { RunPort } from './run-port.js';

/** What a turn is made of, from whoever knows the conversation. */
export interface ComposedTurn {
  readonly request: GatedRequest;
  /** What is really sent where the provider keeps the history. */
  readonly delta?: GatedRequest;
  /** Files that words come from and that the run was not begun with, or has read again since. */
  readonly files?: FileStamps;
  readonly limits?: Partial<TurnLimits>;
}

export interface TakeTurnOptions<State = Conversation> {
  readonly recorder: TurnRecorder;
  /** The run itself, for agents that act in mid-turn and for stopping; left out: they may not, and a turn runs to its end. */
  readonly port?: (run: RunId) => RunPort<State, NativeCommand>;
  /** False: agents that act in mid-turn may not, and nobody is asked. */
  readonly acts?: boolean;
  /** How its state is looked at; left out: as that of an agent. */
  readonly look?: RunLook<State>;
  /** Takes what is private out of live events and of receipts; left out: credentials, by their form. */
  readonly redactor?: Redactor;
  /** Live events, for watchers, masked. They are not in the log one by one; the whole turn is. */
  readonly publish?: (event: TurnEvent, place: { readonly run: RunId; readonly effect: string }) => void;
  /** What the log keeps of the turn, from its outcome and its words block by block; left out: the outcome. */
  readonly answer?: (turn: TurnOutcome, said: readonly string[]) => JsonValue;
}

/** One try of a turn: what is said, through which session, to whom. */
export interface TurnTry {
  readonly effect: EffectIntent;
  readonly context: PerformContext;
  readonly composed: ComposedTurn;
  readonly session: Session;
  /** Who the session speaks to, as far as it is known before the turn says it. */
  readonly voice: { readonly provider: string; readonly model?: string };
  /** How the run speaks of what the agent asks before it acts; left out: as the agent does. */
  readonly words?: NativeWords;
}

/**
 * Takes a turn: the receipt is on disk before the first byte leaves, and the whole turn is the outcome, also of
 * one that failed or was stopped half-way.
 */
export async function takeTurn<State = Conversation>(
  options: TakeTurnOptions<State>,
  { effect, context, composed, session, voice, words }: TurnTry,
): Promise<Outcome> {
  const run = context.run as RunId;
  const { attempt, fence } = context;
  const { request, delta, files } = composed;
  const receipts = createReceipts(
    {
      ...{ recorder: options.recorder, voice, stands: context.stands, tryAgain: context.tryAgain },
      ...(context.begin && { begin: context.begin }),
      ...(context.settleWith && { settleWith: context.settleWith }),
    },
    {
      run,
      turn: attempt === 1 ? effect.id : `${effect.id}.${attempt}`,
      lane: effect.lane,
      fence,
      request,
      ...(delta ? { delta } : {}),
      ...(files ? { files } : {}),
    },
  );
  const spoken = await speak(options, { session, receipts, composed, effect, context, run, words });
  return settle(spoken.outcome, effect, context, options.answer?.(spoken.outcome, spoken.said));
}

interface Speaking {
  readonly effect: EffectIntent;
  readonly context: PerformContext;
  readonly run: RunId;
  readonly session: Session;
  readonly receipts: Receipts;
  readonly composed: ComposedTurn;
  readonly words: NativeWords | undefined;
}

interface Spoken {
  readonly outcome: TurnOutcome;
  readonly said: readonly string[];
}

async function speak<State>(options: TakeTurnOptions<State>, speaking: Speaking): Promise<Spoken> {
  const { session, receipts, composed, effect, context, run, words } = speaking;
  const look = options.look ?? (CONVERSATION_LOOK as unknown as RunLook<State>);
  const stop = new AbortController();
  const over = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const waiting = AbortSignal.any([signal, over.signal]);
  // Every request of the agent that waits for an answer listens to it: that they are many is no leak.
  setMaxListeners(0, waiting);
  const port = options.port?.(run);
  port
    ?.until((state) => look.isStopped(state, effect.id), waiting)
    .then(
      (stopped) => stopped && stop.abort(),
      // A journal that does not answer cannot stop a turn; the turn ends by its own limits.
      () => false,
    );
  const prefix = `${effect.id}/${context.attempt}`;
  const native =
    port &&
    options.acts !== false &&
    createNative({ port, effect: effect.id, attempt: context.attempt, prefix, signal: waiting, words }, look);
  const conversation = { run, lane: effect.lane };
  const told = (): Promise<ToldTurn | undefined> => toldBefore(options.recorder, run, effect.lane);
  const input: TurnInput = {
    ...composed,
    conversation,
    turn: effect.id,
    told,
    signal,
    beforeSend: receipts.beforeSend,
    ...native,
  };
  const collector = createCollector();
  const redactor = options.redactor ?? FORMS_ONLY;
  const live = createLiveTurn(redactor);
  const place = { run, effect: effect.id };
  try {
    for await (const event of session.turn(input)) {
      if (event.type === 'turn.start') receipts.started(event);
      collector.take(event);
      if (options.publish) for (const shown of live.take(event)) show(options, shown, place);
    }
  } finally {
    over.abort();
  }
  const outcome = collector.outcome();
  // The turn was taken, whatever becomes of its receipt: its outcome is not thrown away.
  const heard = { outcome, uses: collector.uses() };
  const said = await guarded('seal.receipt', (words) => hideCredentials(redactor, words), heard);
  await receipts.end(said.outcome, said.uses, () => show(options, UNRECORDED, place));
  return { outcome, said: collector.words() };
}

/** What the lane was told last, also by another process. A record that cannot be read tells nothing. */
async function toldBefore(recorder: TurnRecorder, run: RunId, lane: string): Promise<ToldTurn | undefined> {
  const last = await recorder.last?.(run, lane).catch(() => undefined);
  if (last === undefined) return undefined;
  const { prompt, tools } = last.request;
  const { model } = last.to;
  return { prompt, tools, at: last.at, ...(model === undefined ? {} : { model }) };
}

const UNRECORDED: TurnEvent = {
  type: 'log',
  level: 'error',
  text: 'The end of the turn could not be recorded.',
};

/** A turn that changes nothing by itself, and that the engine ended, is left open: it is done again, not half. */
function settle(
  outcome: TurnOutcome,
  effect: EffectIntent,
  { signal }: PerformContext,
  answer: JsonValue = asJson(outcome),
): Outcome {
  const isLeft = signal.aborted && outcome.end.reason === 'aborted' && effect.onCrash === 'repeat';
  if (!guard('driver.left', isLeft)) return { ok: true, output: answer };
  return { ok: false, error: { code: 'E_EFFECT_ABORTED', message: 'The turn was ended before its answer.' } };
}

/** A watcher that throws is a watcher's trouble. */
function show(
  { publish }: Pick<TakeTurnOptions, 'publish'>,
  event: TurnEvent,
  place: { readonly run: RunId; readonly effect: string },
): void {
  try {
    publish?.(event, place);
  } catch (thrown) {
    process.emitWarning(thrown instanceof Error ? thrown : String(thrown));
  }
}
