import type { EffectIntent, EngineEvent, Outcome } from '@cuebook/engine';
import type { JsonValue } from '@cuebook/prompt';
import type { TeamCommand } from '../src/run/command.js';
import type { TeamConfig } from '../src/run/config.js';
import { createTeamMachine } from '../src/run/decide.js';
import type { AnyTeamEvent } from '../src/run/event.js';
import type { NodeTurnOutcome } from '../src/run/outcome.js';
import type { NodeState, TeamState } from '../src/run/state.js';
import { someNode } from './facts.js';
import { loadedRoles } from './roles.js';

type Start = Extract<TeamCommand, { readonly type: 'run.start' }>;

/** A run without engine, store or provider: every effect is settled by the test. */
export function teamRun(given: Partial<TeamConfig> = {}) {
  const machine = createTeamMachine({
    resumes: (provider) => provider !== 'raw',
    nativeTools: (provider) => provider === 'claude',
    ...given,
  });
  const events: AnyTeamEvent[] = [];
  let state = machine.initial;
  let ids = 0;
  let now = 1_700_000_000_000;
  const newId = (prefix: string): string => {
    ids += 1;
    return `${prefix}_${ids}`;
  };
  const write = (event: AnyTeamEvent): void => {
    events.push(structuredClone(event));
    state = machine.project(state, event);
  };
  const submit = (command: TeamCommand | Parameters<typeof machine.decide>[1]) => {
    const decision = machine.decide(state, command, { now, newId });
    if (decision.ok) for (const event of decision.events) write(event as AnyTeamEvent);
    return decision;
  };
  const open = (): readonly EffectIntent[] => {
    const done = new Set(events.flatMap((event) => (event.type === 'effect.settled' ? [event.data.id] : [])));
    return events.flatMap((event) =>
      event.type === 'effect.intended' && !done.has(event.data.id) ? [event.data] : [],
    );
  };
  const settle = (id: string, outcome: Outcome, by: 'driver' | 'world' | 'person' = 'driver'): void => {
    if (!open().some((effect) => effect.id === id)) return;
    write({ type: 'effect.settled', data: { id, outcome, by } });
    submit({ type: 'effect.settle', id, outcome, by });
  };
  const node = (alias: string): NodeState => {
    const found = Object.values(state.nodes).find((each) => each.node.alias === alias);
    if (!found) throw new Error(`no node ${alias}`);
    return found;
  };
  const effects = (kind: string, alias?: string): readonly EffectIntent[] =>
    open().filter((effect) => {
      const isOf = alias === undefined || effect.lane.split('/')[1] === node(alias).node.id;
      return effect.kind === kind && isOf;
    });
  const turn = (alias: string) => effects('node.turn', alias)[0];

  return {
    machine,
    submit,
    open,
    settle,
    node,
    effects,
    turn,
    write,
    events: () => events,
    state: (): TeamState => state,
    at: (ms: number) => {
      now += ms;
    },
    fire: (id: string) => {
      write({ type: 'timer.fired', data: { id } });
      submit({ type: 'timer.fire', id });
    },
    /** The state that the events alone give. */
    rebuilt: (): TeamState =>
      events.reduce((sum, event) => machine.project(sum, event as EngineEvent), machine.initial),
    start(command: Partial<Start> = {}) {
      return submit({
        type: 'run.start',
        run: 'run_1',
        by: 'ann',
        mode: 'AUTO',
        globalMode: 'IMPLEMENTATION',
        goal: { text: 'Ship it.', by: 'user', ref: 'goal' },
        done: [],
        nodes: [spec('lead', 'orchestrator'), spec('dev', 'implementer')],
        edges: [{ from: 'lead', to: 'dev' }],
        roles: loadedRoles(),
        providers: ['line', 'claude', 'raw'],
        verify: [],
        budget: {},
        priced: false,
        ...command,
      });
    },
    /** The turn of a node ends with these words and calls; what hangs on it is settled as nothing changed. */
    answers(
      alias: string,
      text: string,
      calls: readonly (readonly [string, JsonValue, string?])[] = [],
      more: Partial<NodeTurnOutcome> = {},
    ) {
      const effect = turn(alias);
      if (!effect) throw new Error(`${alias} has no turn`);
      const output = {
        text,
        calls: calls.map(([name, input, id = '']) => ({ id, name, input })),
        notes: [],
        end: { reason: 'done' },
        sessionId: `session of ${alias}`,
        ...more,
      };
      settle(effect.id, { ok: true, output: output as unknown as JsonValue });
    },
    /** Settles diffs: nothing changed, or these files. */
    diffs(alias?: string, files: readonly string[] = []) {
      for (const { id } of effects('diff.take', alias))
        settle(id, {
          ok: true,
          output: { hash: files.length > 0 ? `sha256:${files.join()}` : null, files: [...files] },
        });
    },
    says(alias: string, text: string, calls: readonly (readonly [string, JsonValue, string?])[] = []) {
      this.answers(alias, text, calls);
      this.diffs(alias);
    },
    results: (alias: string) => node(alias).results.concat(node(alias).work?.taken.results ?? []),
  };
}

/** A node of a team file. */
export const spec = (
  alias: string,
  role: string,
  more: Partial<Start['nodes'][number]> = {},
): Start['nodes'][number] => {
  const { id: _id, depth: _depth, ...node } = someNode({ id: alias, alias, role });
  return { ...node, ...more };
};
