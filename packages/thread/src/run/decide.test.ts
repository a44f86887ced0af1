import type { Catalog } from '@cuebook/define';
import type { EffectIntent } from '@cuebook/engine';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { agent, desk, ECHO, prompt, tool } from '../../test/project.js';
import { catalogOf, START, say, simulate, step } from '../../test/simulated.js';
import { createThreadMachine } from '../machine.js';
import { MAX_FRAMES, MAX_SESSION_STEPS } from './config.js';
import { ROOT } from './state.js';
import { threadStatus } from './status.js';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOf({
    ...desk("tools: ['echo', 'helper', 'child'],", {
      'tools/echo.ts': ECHO,
      'tools/done.ts': tool("return { status: 'success' };"),
    }),
    'prompts/helper.ts': prompt('helper', "tools: ['echo', 'helper'],"),
    'prompts/side_a.ts': prompt('side_a', "tools: ['done'],"),
    'prompts/side_b.ts': prompt('side_b'),
    'agents/child.ts': agent(
      'child',
      "type: 'dual_ai', exposeAsTool: true, toolDescription: 'Works', maxSessionTurns: 2, sideA: { prompt: 'side_a', sessionStop: 'done' }, sideB: { prompt: 'side_b' }",
    ),
  });
});

const first = (open: readonly EffectIntent[]): EffectIntent => {
  const [effect] = open;
  if (effect === undefined) throw new Error('nothing is open');
  return effect;
};

describe('commands', () => {
  it('a word to a thread that has not begun is refused', () => {
    expect(simulate(catalog).submit(say('Hello?'))).toBe('E_THREAD_NOT_STARTED');
  });

  it('a thread begins once, and with an agent that there is', () => {
    const sim = simulate(catalog);
    expect(simulate(catalog).submit({ ...START, agent: 'dusk' })).toBe('E_THREAD_AGENT');
    expect(sim.submit(START)).toBeUndefined();
    expect(sim.submit(START)).toBe('E_THREAD_STARTED');
  });

  it('moves to other definitions that have who takes part, and to no others', () => {
    const sources = (entry: string) => ({ entry, files: {} });
    const move = (entry: string, agents: readonly string[], prompts: readonly string[]) =>
      ({ type: 'run.update', by: 'ann', to: sources(entry), own: { agents, prompts } }) as const;
    const sim = simulate(catalog);
    sim.submit({ ...START, sources: sources('one') });
    expect(sim.submit(move('two', ['other'], ['clerk']))).toBe('E_UPDATE_GONE');
    expect(sim.submit(move('two', ['desk'], ['other']))).toBe('E_UPDATE_GONE');
    expect(sim.submit(move('one', ['desk'], ['clerk']))).toBe('E_UPDATE_SAME');
    expect(sim.submit(move('two', ['desk'], ['clerk']))).toBeUndefined();
    expect(sim.state.sources).toMatchObject({ entry: 'two' });
    const { mayBegin } = createThreadMachine({ catalog, priced: false, entry: () => 'one' });
    const turn = first(sim.open);
    expect(mayBegin?.(sim.state, turn)).toBe(false);
    expect(mayBegin?.(sim.state, { ...turn, kind: 'tool.call' })).toBe(true);
    const now = createThreadMachine({ catalog, priced: false, entry: () => 'two' });
    expect(now.mayBegin?.(sim.state, turn)).toBe(true);
  });

  it('a stop waits for what runs, keeps what was said, and takes no word until it is over', () => {
    const sim = simulate(catalog);
    sim.submit(START);
    sim.submit({ type: 'thread.stop', by: 'ann' });
    expect(sim.submit(say('Wait.'))).toBe('E_THREAD_STOPPING');
    sim.settle(first(sim.open), step({ text: 'Half', names: ['echo'], end: { reason: 'aborted' } }));
    expect(sim.state.mode).toBe('stopped');
    expect(sim.state.frames[ROOT]?.messages).toMatchObject([
      { text: 'Hello.' },
      { text: 'Half', partial: true },
      { role: 'tool', isError: true },
    ]);
    expect(sim.submit(say('Go on.'))).toBeUndefined();
    expect(first(sim.open).kind).toBe('model.turn');
  });

  it('a spent budget pauses before the next request, and a higher one goes on', () => {
    const sim = simulate(catalog);
    sim.submit({ ...START, budget: { turns: 1 } });
    sim.settle(first(sim.open), step({ names: ['echo'] }));
    sim.settle(first(sim.open), { ok: true, output: { text: 'a' } });
    expect(threadStatus(sim.state)).toMatchObject({ kind: 'waiting', for: 'budget' });
    expect(sim.open).toEqual([]);
    sim.submit({ type: 'budget.raise', to: { turns: 2 }, by: 'ann' });
    expect(sim.open).toHaveLength(1);
  });

  it('a session that does not end by itself ends after so many steps', () => {
    const sim = simulate(catalog);
    sim.submit(START);
    for (let steps = 0; sim.open.length > 0; steps += 1) {
      const effect = first(sim.open);
      // Something new each time, so that it is no stall.
      const text = `word ${[...String(steps)].map((digit) => 'ghjkmnpqrs'[Number(digit)]).join('')}`;
      sim.settle(
        effect,
        effect.kind === 'model.turn' ? step({ text, names: ['echo'] }) : { ok: true, output: { text } },
      );
    }
    expect(sim.log.filter(({ type }) => type === 'step.asked')).toHaveLength(MAX_SESSION_STEPS);
    expect(threadStatus(sim.state)).toMatchObject({ kind: 'failed', outcome: { code: 'E_THREAD_STEPS' } });
  });

  it('conversations stand so deep within each other, and no deeper', () => {
    const sim = simulate(catalog);
    sim.submit(START);
    for (let depth = 0; sim.open.length > 0 && depth < 100; depth += 1) {
      const effect = first(sim.open);
      const isCaller = (effect.input as { readonly prompt?: string }).prompt !== undefined;
      sim.settle(effect, isCaller && depth < 40 ? step({ names: ['helper'] }) : step({ text: 'Done.' }));
    }
    const texts = Object.values(sim.state.frames).flatMap(({ messages }) => messages.map(({ text }) => text));
    expect(texts.some((text) => text.includes('16 deep within each other'))).toBe(true);
    expect(Object.keys(sim.state.frames).length).toBeLessThan(40);
  });

  it('a run opens so many conversations, and no more', () => {
    const sim = simulate(catalog);
    sim.submit(START);
    const ended = { ...sim.state.frames[ROOT], id: 'x', ended: true } as never;
    const many = Array.from({ length: MAX_FRAMES - 1 }, (_, index) => [`thr_${index}`, ended] as const);
    sim.state = { ...sim.state, frames: { ...sim.state.frames, ...Object.fromEntries(many) } };
    sim.settle(first(sim.open), step({ names: ['helper'] }));
    expect(sim.state.frames[ROOT]?.messages.at(-1)?.text).toContain('as many conversations as it may');
  });
});

/** What a model does next: words, calls of any kind, or a failure. */
const act = fc.oneof(
  fc.record({ text: fc.constantFrom('Words.', 'Others.', '') }),
  fc.record({
    text: fc.constantFrom('', 'Hm.'),
    names: fc.array(fc.constantFrom('echo', 'helper', 'child', 'nobody'), { minLength: 1, maxLength: 4 }),
  }),
  fc.constant({ end: { reason: 'error', code: 'E_X', message: 'no' } as const }),
);

describe('whatever models do, in whatever order effects come back, stops and words in between', () => {
  it('every call has one result behind it in call order, the log gives the state, and it comes to rest', () => {
    fc.assert(
      fc.property(
        fc.array(act, { maxLength: 25 }),
        fc.infiniteStream(fc.nat(1_000)),
        fc.array(fc.constantFrom('stop', 'say', 'none', 'none', 'none'), { maxLength: 20 }),
        (acts, choices, words) => {
          const sim = simulate(catalog);
          sim.submit(START);
          let asked = 0;
          for (let turn = 0; sim.open.length > 0; turn += 1) {
            expect(turn).toBeLessThan(3_000);
            const word = words[turn];
            if (word === 'stop') sim.submit({ type: 'thread.stop', by: 'ann' });
            if (word === 'say') sim.submit(say(`word ${turn}`));
            const effect = sim.open[(choices.next().value ?? 0) % sim.open.length];
            if (effect === undefined) break;
            if (effect.kind === 'model.turn') {
              sim.settle(effect, step(acts[asked] ?? { text: 'The end.' }));
              asked += 1;
            } else sim.settle(effect, { ok: true, output: { text: `out ${turn}`, isError: turn % 3 === 0 } });
          }
          for (const { messages } of Object.values(sim.state.frames)) {
            const ids = messages.flatMap(({ calls = [] }) => calls.map(({ id }) => id));
            const results = messages.flatMap(({ callId }) => (callId === undefined ? [] : [callId]));
            expect(results).toEqual(ids);
            expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
          }
          expect(threadStatus(sim.state).kind).not.toBe('working');
          const machine = createThreadMachine({ catalog, priced: false });
          const log = JSON.parse(JSON.stringify(sim.log)) as typeof sim.log;
          expect(log.reduce(machine.project, machine.initial)).toEqual(sim.state);
        },
      ),
      runs(150, 5_000),
    );
  });
});
