import { guard, guarded } from '@cuebook/guard';
import type { RunId } from '@cuebook/journal';
import type { Drivers } from '../effect/driver.js';
import type { LaneParts } from '../effect/lane.js';
import { plain } from '../seal/mark.js';
import type { Shield } from '../seal/shield.js';
import type { Clock } from '../timer/clock.js';
import type { TimerJob } from '../work/queue.js';
import type { CommitParts } from './commit.js';
import { appendBehind } from './commit-behind.js';
import { decideFire, decideSettle } from './decide.js';
import { describeEngineError } from './error.js';
import type { EngineFault } from './fault.js';
import { fireCommand } from './names.js';
import type { RunCache } from './run-cache.js';
import type { AnyMachine } from './run-state.js';
import type { Writer } from './writer.js';

/** What the engine's own commands need of it. */
export interface OwnParts<State> {
  readonly machine: AnyMachine<State>;
  readonly clock: Clock;
  readonly cache: RunCache<State>;
  readonly writer: Writer<State>;
  readonly commits: CommitParts<State>;
  readonly fault: EngineFault;
  readonly shield: Shield;
  readonly drivers: Drivers;
  readonly limits: LaneParts<State>['limits'];
  isStopping(): boolean;
  /** Others may work on the same runs, also newer versions. */
  readonly isShared: boolean;
  /** Effects that run here, by run and id. */
  readonly running: Map<string, AbortController>;
  onProblem(error: unknown, about: { readonly run: RunId; readonly effect?: string }): void;
}

/** The engine as a lane sees it. */
export function laneParts<State>(own: OwnParts<State>): LaneParts<State> {
  const { machine, clock, cache, writer, commits, fault, shield, drivers, limits, running } = own;
  return {
    kind: machine.kind,
    drivers,
    clock,
    fault,
    limits,
    isStopping: () => guard('lane.stop', own.isStopping()),
    refresh: (run) => cache.refresh(run),
    async write({ hold, lane, ...request }) {
      const fence = guarded('lane.fence', () => ({ fence: hold.fence }));
      const isPatient = () => hold.isPatient === true && !own.isStopping();
      const options = { except: lane, signal: hold.signal, isPatient };
      const once = () => writer.persist({ ...request, ...fence }, options);
      const written = await once();
      const isFenced = !written.ok && written.error.type === 'fenced';
      // A lease that ran out and that nobody took can be renewed: then the work was alone all the time.
      const final = isFenced && (await hold.stands()) ? await once() : written;
      if (!final.ok && final.error.type !== 'closed') {
        const { type } = final.error;
        const newer = type === 'newer' ? describeEngineError(final.error) : undefined;
        const what = type === 'journal' ? final.error.code : newer ? `${newer.code} ${newer.message}` : type;
        own.onProblem(new Error(`not written: ${what}`), {
          run: request.run,
          effect: request.target,
        });
      }
      return final;
    },
    writeBehind: async (write, batch) => {
      const { command, target, fence } = batch;
      const behind = await appendBehind(commits, write, batch, { command, target, ...(fence && { fence }) });
      return behind.appended;
    },
    append: (batch) => commits.store.append(batch),
    isShared: own.isShared,
    settle: (state, { run, command, outcome, ...settled }) =>
      decideSettle({ machine, run, command, now: clock.now() }, state, {
        ...settled,
        outcome: guarded('seal.echo', plain, outcome),
      }),
    mayBegin: ({ state }, effect) => machine.mayBegin?.(state, effect) ?? true,
    async open(run, intent) {
      const input = await shield.open(run, intent.input);
      return input === undefined ? undefined : { ...intent, input };
    },
    abortable(run, effect) {
      const key = JSON.stringify([run, effect]);
      const controller = new AbortController();
      running.set(key, controller);
      return { signal: controller.signal, over: () => running.delete(key) };
    },
    onProblem: own.onProblem,
  };
}

/** Fires a timer that is still set. Whoever comes second finds it fired. */
export async function fireTimer<State>(own: OwnParts<State>, job: TimerJob): Promise<boolean> {
  const { run, timer: id, seq } = job;
  const command = fireCommand(id, seq);
  const written = await own.writer.write({
    run,
    command,
    target: id,
    decide: (state) =>
      decideFire({ machine: own.machine, run, command, now: own.clock.now() }, state, { id, seq }),
  });
  if (written.ok || written.error.type === 'closed') return true;
  own.onProblem(new Error(`timer not fired: ${written.error.type}`), { run });
  return false;
}
