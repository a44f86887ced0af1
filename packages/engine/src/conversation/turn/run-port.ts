import type { RunId, Store } from '@cuebook/journal';
import type { JsonValue, Result } from '@cuebook/prompt';
import type { Engine, Identified } from '../../loop/engine.js';
import { describeEngineError } from '../../loop/error.js';
import type { CommandShape } from '../../machine.js';
import type { Conversation, ConversationCommand } from '../conversation.js';

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

/** The port of a run that an engine does and a store keeps. */
export function createRunPort<State, Command extends CommandShape>(
  engine: Pick<Engine<State, Command>, 'submit' | 'read' | 'open'>,
  store: Pick<Store, 'subscribe'>,
  run: RunId,
): RunPort<State, Command> {
  return {
    async submit(id, command) {
      const submitted = await engine.submit(run, { ...command, id } as Identified<Command>);
      if (submitted.ok) return { ok: true, value: submitted.value.answer };
      return { ok: false, error: describeEngineError(submitted.error) };
    },
    open: (pick) => engine.open(run, pick),
    async until(look, signal) {
      const { state, seq } = await engine.read(run);
      const now = look(state);
      if (now !== undefined || signal.aborted) return now;
      for await (const event of store.subscribe({ run, after: seq, signal })) {
        const known = await engine.read(run);
        const found = known.seq < event.seq ? undefined : look(known.state);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
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
  createRunPort<Conversation, ConversationCommand>(
    {
      submit: (of, command) => engine.submit(of, command as unknown as Identified<Command>),
      async read(of) {
        const found = await engine.read(of);
        return { ...found, state: found.state.agent };
      },
      open: (of, pick) => engine.open(of, ({ agent }) => pick(agent)),
    },
    store,
    run,
  );
