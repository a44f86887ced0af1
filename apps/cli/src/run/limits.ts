import { describeEngineError, type Engine, type GivenBudget } from '@cuebook/engine';
import { openRunDoor } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { ResidentCommand, ResidentState } from '@cuebook/resident';
import type { Journal } from '../record/journal.js';
import { isLife } from './is-life.js';

/** A run that this process works on by itself, and who pays for it. */
export interface PaidRun {
  readonly run: RunId;
  readonly journal: Pick<Journal, 'store'>;
  readonly by: string;
}

/** The life of an agent, whose every command that may have it spend passes the limits of the project. */
export function limitLife(engine: Engine<ResidentState, ResidentCommand>, { run, journal, by }: PaidRun) {
  const submit = async (
    id: string,
    command: ResidentCommand,
  ): Promise<Result<JsonValue, { readonly code: string; readonly message: string }>> => {
    const done = await engine.submit(run, { ...command, id });
    return done.ok ? ok(done.value.answer) : fail(describeEngineError(done.error));
  };
  const door = openRunDoor({
    ...{ store: journal.store, run, by, isDaily: isLife(journal.store), isStanding: true },
    raise: (to, said) => submit(said.id, { type: 'resident.raise', to, by: said.by }),
    stop: (said) => submit(said.id, { type: 'resident.stop' }),
  });
  return {
    /** Has it begun, or go on, with what the limits have left for a day of it. */
    begin: (
      id: string,
      commandOf: (
        budget: GivenBudget | undefined,
      ) => Result<ResidentCommand, { readonly code: string; readonly message: string }>,
    ) =>
      door.begin(undefined, async (budget) => {
        const command = commandOf(budget);
        return command.ok ? submit(id, command.value) : command;
      }),
    settle: () => door.settle(),
  };
}
