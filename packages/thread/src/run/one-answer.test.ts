import type { Catalog } from '@cuebook/define';
import type { EffectIntent, Outcome } from '@cuebook/engine';
import type { JsonValue } from '@cuebook/prompt';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { agent, desk, prompt } from '../../test/project.js';
import { answer, catalogOf, type Simulated, START, say, simulate } from '../../test/simulated.js';
import { createThreadMachine } from '../machine.js';
import { PLAIN_CHILD } from './child-config.js';
import { MAX_DEPTH } from './config.js';
import { NO_EFFECTS, type PrepareOutcome, type StepCall } from './outcome.js';
import { ROOT } from './state.js';
import { threadStatus } from './status.js';

const dual = (name: string): string =>
  agent(
    name,
    `type: 'dual_ai', exposeAsTool: true, toolDescription: 'Works', maxSessionTurns: 2, sideA: { prompt: 'side' }, sideB: { prompt: 'side' }`,
  );

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOf({
    ...desk(),
    'prompts/side.ts': prompt('side'),
    'prompts/helper.ts': prompt('helper'),
    'prompts/doll.ts': prompt('doll', "tools: [{ name: 'doll', immediate: true, blocking: false }],"),
    'agents/one.ts': dual('one'),
    'agents/two.ts': dual('two'),
    'agents/many.ts': dual('many'),
    'agents/other.ts': agent('other', "sideA: { prompt: 'side' }"),
    'agents/third.ts': agent('third', "sideA: { prompt: 'side' }"),
    'agents/doll.ts': agent(
      'doll',
      "type: 'dual_ai', exposeAsTool: true, toolDescription: 'Works', maxSessionTurns: 1, sideA: { prompt: 'doll' }, sideB: { prompt: 'side' }",
    ),
  });
});

const MOST: Readonly<Record<string, number | null>> = { one: 1, two: 2, many: null };

/** A call of any kind. A message goes to one of the conversations that there are then, or to nobody. */
type Asked =
  | { readonly does: 'function' | 'unknown' | 'sub-prompt' }
  | { readonly does: 'handoff'; readonly to: string; readonly text: string; readonly args: boolean }
  | { readonly does: 'subagent'; readonly blocking: boolean; readonly text: string; readonly args: boolean }
  | {
      readonly does: 'create';
      readonly agent: string;
      readonly name: string;
      readonly blocking: boolean;
      readonly receives: 'side_a' | 'side_b';
      readonly communication: 'implicit' | 'explicit';
    }
  | { readonly does: 'message'; readonly pick: number };

function callOf(sim: Simulated, asked: Asked, index: number): StepCall {
  const call = { id: `given-${index}`, input: { index } };
  const words = { text: 'Go.', attachments: [], name: null } as const;
  switch (asked.does) {
    case 'function':
      return { ...call, name: 'echo' };
    case 'unknown':
      return { ...call, name: 'nobody' };
    case 'sub-prompt':
      return {
        ...call,
        name: 'helper',
        opening: { ...words, does: 'sub-prompt', target: 'helper', config: PLAIN_CHILD },
      };
    case 'handoff':
      return {
        ...call,
        name: 'other',
        opening: {
          ...words,
          ...more(asked),
          does: 'handoff',
          target: asked.to,
          text: asked.text,
          config: PLAIN_CHILD,
        },
      };
    case 'subagent': {
      const config = { ...PLAIN_CHILD, blocking: asked.blocking };
      const { text } = asked;
      return {
        ...call,
        name: 'child',
        opening: { ...words, ...more(asked), text, does: 'subagent', target: 'many', config },
      };
    }
    case 'create': {
      const { blocking, receives, communication, name, agent: target } = asked;
      const resumable = { receives, communication, maxInstances: MOST[target] ?? null };
      const config = { ...PLAIN_CHILD, blocking, resumable };
      return {
        ...call,
        name: 'subagent_create',
        opening: { ...words, does: 'subagent.create', target, name, config },
      };
    }
    case 'message': {
      const ids = [...Object.keys(sim.state.frames), 'thr_nobody'];
      const target = ids[asked.pick % ids.length] ?? '';
      return {
        ...call,
        name: 'subagent_message',
        opening: { ...words, does: 'subagent.message', target, config: PLAIN_CHILD },
      };
    }
  }
}

/** Arguments beside the message, as a driver tells them. */
const more = ({ args }: { readonly args: boolean }): { readonly args?: string } =>
  args ? { args: 'Arguments: {"limit":10}' } : {};

const asked: fc.Arbitrary<Asked> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('function', 'unknown', 'sub-prompt') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('handoff'),
      to: fc.constantFrom('other', 'third', 'desk'),
      text: fc.constantFrom('', 'Take over.'),
      args: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('subagent'),
      blocking: fc.boolean(),
      text: fc.constantFrom('', 'Go.'),
      args: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('create'),
      agent: fc.constantFrom('one', 'two', 'many'),
      name: fc.constantFrom('Ann', 'Ann', 'Bob', ''),
      blocking: fc.boolean(),
      receives: fc.constantFrom('side_a', 'side_b'),
      communication: fc.constantFrom('implicit', 'explicit'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('message'), pick: fc.nat(20) }) },
) as fc.Arbitrary<Asked>;

const act = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ calls: [] as readonly Asked[], parallel: true, ends: 'done' }) },
  { weight: 1, arbitrary: fc.constant({ calls: [] as readonly Asked[], parallel: true, ends: 'error' }) },
  {
    weight: 4,
    arbitrary: fc.record({
      calls: fc.array(asked, { minLength: 1, maxLength: 6 }),
      parallel: fc.boolean(),
      ends: fc.constant('done'),
    }),
  },
);

/** What a state may never be: at work with nothing under way, or past a limit. */
function expectSound(sim: Simulated): void {
  const frames = Object.values(sim.state.frames);
  if (threadStatus(sim.state).kind === 'working') expect(sim.open).not.toEqual([]);
  for (const frame of frames)
    for (const call of frame.calls ?? []) {
      if (call.phase !== 'running' || call.effect !== undefined) continue;
      const waits = frames.filter(({ waiter }) => waiter?.frame === frame.id && waiter.call === call.id);
      expect(waits).toHaveLength(1);
    }
  for (const parent of frames)
    for (const [name, most] of Object.entries(MOST)) {
      const alive = frames.filter(
        (each) =>
          each.agent === name && each.parent === parent.id && !each.ended && each.config.resumable !== null,
      );
      if (most !== null) expect(alive.length).toBeLessThanOrEqual(most);
    }
}

const output = (value: object): Outcome => ({ ok: true, output: value as JsonValue });

const first = (sim: Simulated): EffectIntent => {
  const [effect] = sim.open;
  if (effect === undefined) throw new Error('nothing is open');
  return effect;
};

const create = (name: string, blocking = true): Asked => ({
  does: 'create',
  agent: 'one',
  name,
  blocking,
  receives: 'side_a',
  communication: 'implicit',
});

const ask = (sim: Simulated, calls: readonly Asked[], parallel = true): void =>
  sim.settle(first(sim), answer({ calls: calls.map((each, index) => callOf(sim, each, index)), parallel }));

const finish = (sim: Simulated): void => {
  for (let turn = 0; sim.open.length > 0 && turn < 100; turn += 1) {
    expectSound(sim);
    sim.settle(first(sim), answer({ text: 'The end.' }));
  }
};

describe('the calls of one answer, one after another', () => {
  it('two messages to one child that is waited for: the first waits, the second is sent', () => {
    const sim = simulate(catalog);
    sim.submit(START);
    ask(sim, [create('Ann')]);
    for (let turn = 0; sim.state.frames[ROOT]?.ask === null && turn < 10; turn += 1)
      sim.settle(first(sim), answer({ text: 'Done.' }));
    const toChild: Asked = { does: 'message', pick: 1 };
    ask(sim, [toChild, toChild]);
    expectSound(sim);
    finish(sim);
    expect(threadStatus(sim.state)).toMatchObject({ kind: 'done' });
    const results = sim.state.frames[ROOT]?.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(results.slice(1).map(({ text }) => text.includes('reference: thr_'))).toEqual([true, true]);
    expect(results.at(-1)?.text).toContain('The message was sent.');
  });

  it('maxInstances 1: of two creates the first is made, and the second is told of it', () => {
    const sim = simulate(catalog);
    sim.submit(START);
    ask(sim, [create('Ann', false), create('Bob', false)]);
    const children = Object.values(sim.state.frames).filter(({ agent: name }) => name === 'one');
    expect(children.map(({ name }) => name)).toEqual(['Ann']);
    const results = sim.state.frames[ROOT]?.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(results.map(({ isError }) => isError === true)).toEqual([false, true]);
    expect(results[1]?.text).toContain(children[0]?.id ?? '-');
  });

  it('two handoffs: the first counts', () => {
    const sim = simulate(catalog);
    sim.submit(START);
    ask(sim, [
      { does: 'handoff', to: 'other', text: '', args: true },
      { does: 'handoff', to: 'third', text: 'Mine.', args: true },
    ]);
    expect(sim.state.frames[ROOT]?.agent).toBe('other');
    const told = sim.state.frames[ROOT]?.messages.filter(({ from }) => from === 'parent') ?? [];
    expect(told.map(({ text }) => text)).toEqual(['Arguments: {"limit":10}']);
    const results = sim.state.frames[ROOT]?.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(results.map(({ isError }) => isError === true)).toEqual([false, true]);
  });

  it('a conversation of two that is handed to an agent without a second side: that one answers, and it is over', () => {
    const sim = simulate(catalog);
    sim.submit(START);
    ask(sim, [create('Ann')]);
    ask(sim, [{ does: 'handoff', to: 'other', text: '', args: false }]);
    finish(sim);
    const [child] = Object.values(sim.state.frames).filter(({ name }) => name === 'Ann');
    expect(child).toMatchObject({ agent: 'other', type: 'ai_human', outcome: { status: 'done' } });
    expect(threadStatus(sim.state)).toMatchObject({ kind: 'done' });
  });

  it('a thread whose prompt is gone fails once for each word, and keeps the word', () => {
    const sim = simulate(catalog);
    sim.submit(START);
    finish(sim);
    const gone = { ...catalog, prompts: new Map() } as Catalog;
    const machine = createThreadMachine({ catalog: gone, priced: false });
    let ids = 0;
    const context = { now: 0, newId: (prefix: string) => `${prefix}_late${++ids}` };
    const decided = machine.decide(sim.state, say('Go on.'), context);
    const events = decided.ok ? decided.events : [];
    expect(events.filter(({ type }) => type === 'session.ended')).toHaveLength(1);
    const state = events.reduce(machine.project, sim.state);
    expect(threadStatus(state)).toMatchObject({ kind: 'failed' });
    expect(state.frames[ROOT]?.messages.at(-1)?.text).toBe('Go on.');
    expect(state.frames[ROOT]?.inbox).toEqual([]);
  });

  it('a child that begins with a child of its own kind: as deep as calls may go, and no deeper', () => {
    const sim = simulate(catalog);
    const prepare: PrepareOutcome = {
      ...NO_EFFECTS,
      consumed: [],
      start: [
        { agent: 'doll', name: 'doll', text: 'Go.', config: { ...PLAIN_CHILD, blocking: false }, env: {} },
      ],
    };
    sim.submit({ ...START, agent: 'doll' });
    for (let turn = 0; sim.open.length > 0; turn += 1) {
      expect(turn).toBeLessThan(1_000);
      const effect = first(sim);
      sim.settle(effect, effect.kind === 'thread.prepare' ? output(prepare) : answer({ text: 'Done.' }));
    }
    expect(Object.keys(sim.state.frames)).toHaveLength(MAX_DEPTH + 1);
    expect(threadStatus(sim.state).kind).toBe('done');
  });
});

it('whatever one answer asks, the run ends, waits for a person with a named reason, or goes on', () => {
  fc.assert(
    fc.property(
      fc.array(act, { maxLength: 14 }),
      fc.infiniteStream(fc.nat(1_000)),
      fc.array(fc.constantFrom('stop', 'say', 'resume', 'none', 'none', 'none', 'none'), { maxLength: 25 }),
      fc.integer({ min: 1, max: 60 }),
      (acts, choices, words, turns) => {
        const sim = simulate(catalog);
        sim.submit({ ...START, budget: { turns } });
        let said = 0;
        for (let turn = 0; sim.open.length > 0; turn += 1) {
          expect(turn).toBeLessThan(3_000);
          const word = words[turn];
          if (word === 'stop') sim.submit({ type: 'thread.stop', by: 'ann' });
          if (word === 'say') sim.submit(say(`word ${turn}`));
          if (word === 'resume') sim.submit({ type: 'thread.resume', by: 'ann' });
          const effect = sim.open[(choices.next().value ?? 0) % sim.open.length];
          if (effect === undefined) break;
          if (effect.kind !== 'model.turn') sim.settle(effect, output({ text: `out ${turn}` }));
          else {
            const { calls = [], parallel = true, ends = 'done' } = acts[said] ?? {};
            said += 1;
            const made = calls.map((each, index) => callOf(sim, each, index));
            const end =
              ends === 'done' ? {} : { end: { reason: 'error', code: 'E_X', message: 'no' } as const };
            sim.settle(effect, answer({ text: 'Words.', calls: made, parallel, ...end }));
          }
          expectSound(sim);
        }
        const status = threadStatus(sim.state);
        expect(['done', 'failed', 'stopped', 'waiting', 'idle']).toContain(status.kind);
        if (status.kind === 'waiting') expect(['budget', 'stall']).toContain(status.for);
        for (const { messages, calls, kind, id } of Object.values(sim.state.frames)) {
          // Whoever is asked was told something, and no word is empty.
          const heard = messages.filter(({ role }) => role === 'user' || role === 'assistant');
          if (messages.length > 0 && id !== ROOT) expect(heard.length, kind).toBeGreaterThan(0);
          expect(heard.filter(({ text, calls: made }) => text === '' && made === undefined)).toEqual([]);
          const ids = messages.flatMap(({ calls: made = [] }) => made.map(({ id }) => id));
          const results = messages.flatMap(({ callId }) => (callId === undefined ? [] : [callId]));
          if (calls === null) expect(results).toEqual(ids);
        }
        const machine = createThreadMachine({ catalog, priced: false });
        const log = JSON.parse(JSON.stringify(sim.log)) as typeof sim.log;
        expect(log.reduce(machine.project, machine.initial)).toEqual(sim.state);
      },
    ),
    runs(25, 10_000),
  );
});
