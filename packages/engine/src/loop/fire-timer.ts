import type { RunId } from '@cuebook/journal';
import type { Clock } from '../timer/clock.js';
import type { TimerJob } from '../work/queue.js';
import { decideFire } from './decide.js';
import { fireCommand } from './names.js';
import type { AnyMachine } from './run-state.js';
import type { Writer } from './writer.js';

interface FireParts<State> {
  readonly machine: AnyMachine<State>;
  readonly clock: Clock;
  readonly writer: Writer<State>;
  onProblem(error: unknown, about: { readonly run: RunId }): void;
}

/** Fires a timer that is still set. Whoever comes second finds it fired. False: it could not be written. */
export async function fireTimer<State>(
  { machine, clock, writer, onProblem }: FireParts<State>,
  { run, timer: id, seq }: TimerJob,
): Promise<boolean> {
  const command = fireCommand(id, seq);
  const written = await writer.write({
    run,
    command,
    target: id,
    decide: (state) => decideFire({ machine, run, command, now: clock.now() }, state, { id, seq }),
  });
  if (written.ok || written.error.type === 'closed') return true;
  onProblem(new Error(`timer not fired: ${written.error.type}`), { run });
  return false;
}
