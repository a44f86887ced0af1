import type { JsonValue } from '@cuebook/prompt';
import type {
  CommandShape,
  Decision,
  EffectIntent,
  EngineCommand,
  EngineEvent,
  EventShape,
  Machine,
  Outcome,
} from '../src/machine.js';

/**
 * A run without store, clock and drivers: commands in, a log out. The state is built from the log, through JSON,
 * each time the log has grown, as if the process had been restarted; effects are open until a test settles them.
 */
export function simulateRun<State, Command extends CommandShape, Event extends EventShape>(
  machine: Machine<State, Command, Event>,
) {
  const log: string[] = [];
  let commands = 0;
  let now = 1_000_000;

  let read: readonly (Event | EngineEvent)[] = [];
  let known: State = machine.initial;

  const events = (): readonly (Event | EngineEvent)[] => {
    if (read.length === log.length) return read;
    read = log.map((line) => JSON.parse(line));
    known = read.reduce(machine.project, machine.initial);
    return read;
  };
  const state = (): State => {
    events();
    return known;
  };
  const append = (added: readonly EventShape[]) => log.push(...added.map((event) => JSON.stringify(event)));

  const decide = (command: Command | EngineCommand): Decision<Event> => {
    commands += 1;
    let counter = 0;
    const newId = (prefix: string) => {
      counter += 1;
      return `${prefix}_${commands}x${counter}`;
    };
    const decision = machine.decide(state(), command, { now, newId });
    if (decision.ok) append(decision.events);
    return decision;
  };

  const openEffects = (): readonly EffectIntent[] => {
    const open = new Map<string, EffectIntent>();
    for (const event of events() as readonly EngineEvent[]) {
      if (event.type === 'effect.intended') open.set(event.data.id, event.data);
      if (event.type === 'effect.settled') open.delete(event.data.id);
    }
    return [...open.values()];
  };

  const openTimers = (): readonly { readonly id: string; readonly at: number }[] => {
    const open = new Map<string, number>();
    for (const event of events() as readonly EngineEvent[]) {
      if (event.type === 'timer.set') open.set(event.data.id, event.data.at);
      if (event.type === 'timer.cleared' || event.type === 'timer.fired') open.delete(event.data.id);
    }
    return [...open].map(([id, at]) => ({ id, at }));
  };

  return {
    state,
    events,
    openEffects,
    openTimers,
    submit: decide,
    /** The outcome of an open effect. A second one changes nothing: the engine refuses it. */
    settle(id: string, outcome: Outcome): void {
      if (!openEffects().some((effect) => effect.id === id)) return;
      append([{ type: 'effect.settled', data: { id, outcome, by: 'driver' } as unknown as JsonValue }]);
      decide({ type: 'effect.settle', id, outcome, by: 'driver' });
    },
    /** A person is asked what became of an effect, as after a crash. */
    doubt(id: string): void {
      append([{ type: 'effect.asked', data: { id } }]);
    },
    /** The clock goes on, and what is due fires. */
    wait(ms: number): void {
      now += ms;
      for (const { id, at } of openTimers()) {
        if (at > now) continue;
        append([{ type: 'timer.fired', data: { id } }]);
        decide({ type: 'timer.fire', id });
      }
    },
  };
}
