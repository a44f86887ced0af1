import { randomBytes, randomUUID } from 'node:crypto';
import {
  type ConversationConfig,
  createCollector,
  createEngine,
  createTurnDriver,
  describeEngineError,
  inProcess,
  statusOf,
  type TurnOutcome,
} from '@cuebook/engine';
import { createRecorder, createSigner, type RunId } from '@cuebook/journal';
import { type GatedRequest, ok } from '@cuebook/prompt';
import type { TurnEvent } from '@cuebook/provider';
import { Failure } from '../failure.js';
import { type Journal, keyFailure } from '../record/journal.js';
import { targetMachine } from '../record/state-problems.js';
import type { Voice } from './voice.js';

/** What came of a run of one turn. */
export interface Answer {
  readonly run: RunId;
  readonly turn: TurnOutcome;
  readonly status: 'done' | 'failed' | 'stopped';
}

export interface OneTurn {
  readonly run: RunId;
  readonly journal: Journal;
  readonly voice: Voice;
  readonly request: GatedRequest;
  readonly publish: (event: TurnEvent) => void;
  /** The person wants it to end. */
  readonly stop: AbortSignal;
}

export const newRunId = (): RunId =>
  `run_${Date.now().toString(36)}${randomBytes(5).toString('hex')}` as RunId;

/**
 * Says one composed request and waits for the answer. The prompt is on record before it is sent, and so is how
 * it ended, whatever happens. Tools that the model asks for are told and not run: a single turn has nobody to
 * run them.
 */
export async function speakOnce(one: OneTurn): Promise<Answer> {
  const { run, journal, voice, request, stop } = one;
  const signer = await createSigner(journal.home);
  if (!signer.ok) throw keyFailure(signer.error);
  const recorder = createRecorder({ store: journal.store, signer: signer.value });
  const heard = createCollector();
  const engine = createEngine({
    store: journal.store,
    // A kind of its own, because work of one kind belongs to one process: calls side by side do not wait.
    machine: targetMachine(run, configFor(voice)),
    keepState: true,
    redactor: voice.redactor,
    drivers: {
      'model.turn': createTurnDriver({
        compose: async () => ok({ request }),
        session: () => voice.session,
        recorder,
        redactor: voice.redactor,
        voice: { provider: voice.provider.name, ...(voice.model && { model: voice.model }) },
        publish: (event) => {
          heard.take(event);
          one.publish(event);
        },
      }),
    },
    work: inProcess({ whenHeld: 'refuse' }),
  });
  try {
    await engine.start();
    const begun = await engine.submit(run, { type: 'agent.start', ask: true, by: 'user', id: randomUUID() });
    if (!begun.ok) throw engineFailure(begun.error);
    const abort = () => void engine.stop({ running: 'abort' });
    // A word that came while the project was being read counts too.
    if (stop.aborted) abort();
    stop.addEventListener('abort', abort, { once: true });
    await engine.drain();
    stop.removeEventListener('abort', abort);
    const { state } = await engine.read(run);
    const { kind } = statusOf(state);
    const status = kind === 'done' || kind === 'failed' ? kind : 'stopped';
    return { run, status, turn: heard.outcome() };
  } finally {
    await engine.stop();
    await voice.session.close();
  }
}

/** A model that only answers may be asked again after a crash; an agent may have acted, so a person decides. */
const configFor = ({ provider, priced }: Voice): ConversationConfig => ({
  rules: { tools: [] },
  priced,
  onTurnCrash: provider.kind === 'cli' ? 'ask-person' : 'repeat',
  onAnswer: (_, { end }) =>
    end.reason === 'done'
      ? { kind: 'done' }
      : {
          kind: 'fail',
          code: end.code ?? 'E_AGENT_TURN',
          message: end.message ?? `The turn ended: ${end.reason}.`,
        },
});

function engineFailure(error: Parameters<typeof describeEngineError>[0]): Failure {
  const { code, message } = describeEngineError(error);
  return new Failure(code, message, { exit: 1 });
}
