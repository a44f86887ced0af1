import type { RunId, Store } from '@cuebook/journal';
import type { JsonValue, Result } from '@cuebook/prompt';
import type { Engine, Identified } from '../../loop/engine.js';
import { describeEngineError } from '../../loop/error.js';
import type { CommandShape } from '../../machine.js';
import type { Conversation, ConversationCommand } from '../conversation.js';
import { createRunWaits } from './run-waits.js';

/** A run as a driver of it sees it, while one of its effects is being done. */
export interface RunPort<State = Conversation, Command = ConversationCommand> {
  submit(id: string, command: Command): Promise<Result<JsonValue, PortError>>;
  /**
   * A part of the state as it was given, nothing of it sealed; undefined where there is none or it was erased. Left
   * out: nothing of the state is sealed.
   */
  open?<Found>(pick: (state: State) => Found | undefined): Promise<Found | undefined>;
  /** The first thing that `look` finds in the state, now or later; undefined once the signal has fired. */
  until<Found>(look: (state: State) => Found | undefined, signal: AbortSignal): Promise<Found | undefined>;
}

export interface PortError {
  readonly code: string;
  readonly message: string;
}

/** The ports of the runs that an engine does and a store keeps. Those who wait for one run follow it together. */
export function createRunPorts<State, Command extends CommandShape>(
  engine: () => Pick<Engine<State, Command>, 'submit' | 'read' | 'open'>,
  store: Pick<Store, 'subscribe'>,
): (run: RunId) => RunPort<State, Command> {
  const waits = createRunWaits((run) => engine().read(run), store);
  return (run) => ({
    async submit(id, command) {
      const submitted = await engine().submit(run, { ...command, id } as Identified<Command>);
      if (submitted.ok) return { ok: true, value: submitted.value.answer };
      return { ok: false, error: describeEngineError(submitted.error) };
    },
    open: (pick) => engine().open(run, pick),
    until: (look, signal) => waits.until(run, look, signal),
  });
}

/** The port of the conversation that a run contains under `agent`. */
export const createConversationPort = <
  State extends { readonly agent: Conversation },
  Command extends CommandShape,
>(
  engine: Pick<Engine<State, Command>, 'submit' | 'read' | 'open'>,
  store: Pick<Store, 'subscribe'>,
  run: RunId,
): RunPort =>
  createRunPorts<Conversation, ConversationCommand>(
    () => ({
      submit: (of, command) => engine.submit(of, command as unknown as Identified<Command>),
      async read(of) {
        const found = await engine.read(of);
        return { ...found, state: found.state.agent };
      },
      open: (of, pick) => engine.open(of, ({ agent }) => pick(agent)),
    }),
    store,
  )(run);
