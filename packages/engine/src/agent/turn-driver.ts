import type { RunId } from '@cuebook/journal';
import type { GatedRequest, JsonValue, Result } from '@cuebook/prompt';
import type { Limits, Session, TurnEvent, TurnInput } from '@cuebook/provider';
import type { Driver, PerformContext } from '../effect/driver.js';
import { guard } from '../guard.js';
import type { EffectIntent, Outcome } from '../machine.js';
import type { AgentState } from './agent.js';
import type { TurnOutcome } from './outcome.js';
import { createCollector } from './turn/collect.js';
import { createNative } from './turn/native.js';
import { createReceipts, type Receipts, type TurnRecorder } from './turn/receipts.js';
import type { PortError, RunPort } from './turn/run-port.js';

/** What a turn is made of, from whoever knows the conversation. */
export interface ComposedTurn {
  readonly request: GatedRequest;
  /** What is really sent where the provider keeps the history. */
  readonly delta?: GatedRequest;
  readonly limits?: Partial<Limits>;
}

export interface TurnDriverOptions {
  /** The prompt of the turn. A refusal is the turn's failure, and nothing is sent. */
  readonly compose: (effect: EffectIntent, run: RunId) => Promise<Result<ComposedTurn, PortError>>;
  /** The session to speak through; whoever opens it closes it. */
  readonly session: (effect: EffectIntent, run: RunId) => Session | Promise<Session>;
  readonly recorder: TurnRecorder;
  /** Who the session speaks to, as far as it is known before the turn says it. */
  readonly voice: { readonly provider: string; readonly model?: string };
  /** The run itself, for agents that act in mid-turn and for stopping; left out: they may not, and a turn runs to its end. */
  readonly port?: (run: RunId) => RunPort;
  /** Live events, for watchers. They are not in the log one by one; the whole turn is. */
  readonly publish?: (event: TurnEvent, place: { readonly run: RunId; readonly effect: string }) => void;
}

/**
 * Does `model.turn`: composes, writes the receipt before the first byte leaves, listens, and gives the whole
 * turn as its outcome, also of a turn that failed or was stopped half-way.
 */
export function createTurnDriver(options: TurnDriverOptions): Driver {
  return {
    async perform(effect, context) {
      const run = context.run as RunId;
      const composed = await options.compose(effect, run);
      if (!composed.ok) return { ok: false, error: composed.error };
      const session = await options.session(effect, run);
      const { request, delta } = composed.value;
      const { attempt, fence } = context;
      const receipts = createReceipts(options, {
        run,
        turn: attempt === 1 ? effect.id : `${effect.id}.${attempt}`,
        lane: effect.lane,
        fence,
        request,
        ...(delta ? { delta } : {}),
      });
      const outcome = await speak(options, {
        session,
        receipts,
        composed: composed.value,
        effect,
        context,
        run,
      });
      return settle(outcome, effect, context);
    },
  };
}

interface Place {
  readonly effect: EffectIntent;
  readonly context: PerformContext;
  readonly run: RunId;
}

interface Speaking extends Place {
  readonly session: Session;
  readonly receipts: Receipts;
  readonly composed: ComposedTurn;
}

async function speak(options: TurnDriverOptions, speaking: Speaking): Promise<TurnOutcome> {
  const { session, receipts, composed, effect, context, run } = speaking;
  const stop = new AbortController();
  const over = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const waiting = AbortSignal.any([signal, over.signal]);
  const port = options.port?.(run);
  port
    ?.until((state) => isStopped(state, effect.id), waiting)
    .then(
      (stopped) => stopped && stop.abort(),
      // A journal that does not answer cannot stop a turn; the turn ends by its own limits.
      () => false,
    );
  const prefix = `${effect.id}/${context.attempt}`;
  const native = port && createNative({ port, effect: effect.id, prefix, signal: waiting });
  const input: TurnInput = { ...composed, signal, beforeSend: receipts.beforeSend, ...native };
  const collector = createCollector();
  try {
    for await (const event of session.turn(input)) {
      if (event.type === 'turn.start') receipts.started(event);
      collector.take(event);
      show(options, event, { run, effect: effect.id });
    }
  } finally {
    over.abort();
  }
  const outcome = collector.outcome();
  // The turn was taken, whatever becomes of its receipt: its outcome is not thrown away.
  const isKept = await receipts.end(outcome, collector.uses()).catch(() => false);
  if (!isKept) show(options, UNRECORDED, { run, effect: effect.id });
  return outcome;
}

const UNRECORDED: TurnEvent = {
  type: 'log',
  level: 'error',
  text: 'The end of the turn could not be recorded.',
};

/** A turn that changes nothing by itself, and that the engine ended, is left open: it is done again, not half. */
function settle(outcome: TurnOutcome, effect: EffectIntent, { signal }: PerformContext): Outcome {
  const isLeft = signal.aborted && outcome.end.reason === 'aborted' && effect.onCrash === 'repeat';
  if (!guard('driver.left', isLeft)) return { ok: true, output: outcome as unknown as JsonValue };
  return { ok: false, error: { code: 'E_EFFECT_ABORTED', message: 'The turn was ended before its answer.' } };
}

const isStopped = ({ mode, turn }: AgentState, effect: string): true | undefined =>
  mode === 'stopping' || turn?.effect !== effect || turn.given === 'up' ? true : undefined;

/** A watcher that throws is a watcher's trouble. */
function show(
  { publish }: TurnDriverOptions,
  event: TurnEvent,
  place: { readonly run: RunId; readonly effect: string },
): void {
  try {
    publish?.(event, place);
  } catch (thrown) {
    process.emitWarning(thrown instanceof Error ? thrown : String(thrown));
  }
}
