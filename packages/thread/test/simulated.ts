import { type Catalog, loadProject, type ToolBinding } from '@cuebook/define';
import type { EffectIntent, Outcome } from '@cuebook/engine';
import { memorySource } from '@cuebook/files';
import type { JsonValue } from '@cuebook/prompt';
import { createThreadMachine } from '../src/machine.js';
import { PLAIN_CHILD } from '../src/run/child-config.js';
import type { ThreadCommand } from '../src/run/command.js';
import type { AnyThreadEvent } from '../src/run/event.js';
import { NO_EFFECTS, type StepCall, type StepOutcome, type StepTool } from '../src/run/outcome.js';
import type { ThreadRunState } from '../src/run/state.js';
import type { Project } from './stand.js';

/** A thread run by hand: the machine alone, with effects that the test settles. No process, no disk. */
export interface Simulated {
  state: ThreadRunState;
  readonly log: AnyThreadEvent[];
  readonly open: EffectIntent[];
  readonly submit: (command: ThreadCommand) => string | undefined;
  readonly settle: (effect: EffectIntent, outcome: Outcome) => void;
}

export async function catalogOf(project: Project): Promise<Catalog> {
  const source = memorySource(
    Object.fromEntries(Object.entries(project).map(([path, text]) => [`agents/${path}`, text])),
  );
  if (!source.ok) throw new Error(source.error.code);
  return loadProject(source.value, { limits: { fileMs: 60_000 } });
}

export function simulate(catalog: Catalog): Simulated {
  const machine = createThreadMachine({ catalog, priced: false });
  let ids = 0;
  const context = { now: 0, newId: (prefix: string) => `${prefix}_${++ids}` };
  const fold = (events: readonly AnyThreadEvent[]): void => {
    for (const event of events) {
      sim.state = machine.project(sim.state, event);
      sim.log.push(event);
      if (event.type === 'effect.intended') sim.open.push(event.data);
    }
  };
  const sim: Simulated = {
    state: machine.initial,
    log: [],
    open: [],
    submit(command) {
      const decision = machine.decide(sim.state, command, context);
      if (!decision.ok) return decision.error.code;
      fold(decision.events);
      return undefined;
    },
    settle(effect, outcome) {
      sim.open.splice(sim.open.indexOf(effect), 1);
      const settled = { id: effect.id, outcome, by: 'driver' } as const;
      fold([{ type: 'effect.settled', data: settled }]);
      const decision = machine.decide(sim.state, { type: 'effect.settle', ...settled }, context);
      if (!decision.ok) throw new Error(decision.error.code);
      fold(decision.events);
    },
  };
  return sim;
}

export const START: Extract<ThreadCommand, { type: 'thread.start' }> = {
  type: 'thread.start',
  agent: 'desk',
  by: 'ann',
  message: { id: 'msg_first', role: 'user', side: 'b', from: 'person', text: 'Hello.' },
  effects: null,
  env: {},
  account: {},
  instance: {},
  budget: { turns: 10_000 },
};

export const say = (text: string): ThreadCommand => ({
  type: 'thread.say',
  message: { id: `msg_${text}`, role: 'user', side: 'b', from: 'person', text },
  effects: null,
  by: 'ann',
});

const BINDINGS: Readonly<Record<string, ToolBinding['does']>> = {
  echo: 'function',
  helper: 'sub-prompt',
  child: 'subagent',
  other: 'handoff',
  subagent_create: 'subagent.create',
  subagent_message: 'subagent.message',
};

/** What a driver answers for a model that says this. */
export function step(said: Partial<StepOutcome> & { readonly names?: readonly string[] }): Outcome {
  const { names = [], ...rest } = said;
  const calls = names.map((name, index): StepCall => {
    const does = BINDINGS[name];
    const call = { id: `given-${index}`, name, input: {} };
    if (does === undefined || does === 'function') return call;
    const config = { ...PLAIN_CHILD, blocking: index % 2 === 0 };
    return { ...call, opening: { does, target: name, text: 'Go.', attachments: [], name: null, config } };
  });
  return answer({ calls, ...rest });
}

/** The same for calls that are looked at already. */
export function answer(said: Partial<StepOutcome> & { readonly parallel?: boolean }): Outcome {
  const { parallel = true, ...rest } = said;
  const tools: readonly StepTool[] = Object.entries(BINDINGS).map(([name, does]) => ({
    name,
    does,
    idempotent: false,
    parallel,
  }));
  const outcome: StepOutcome = {
    ...NO_EFFECTS,
    text: '',
    calls: [],
    end: { reason: 'done' },
    tools,
    required: false,
    fallbacks: 0,
    ...rest,
  };
  return { ok: true, output: outcome as unknown as JsonValue };
}
