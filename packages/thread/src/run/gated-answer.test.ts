import type { Catalog } from '@cuebook/define';
import { type EffectIntent, type Outcome, pendingApprovals } from '@cuebook/engine';
import type { JsonValue } from '@cuebook/prompt';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { agent, desk, prompt } from '../../test/project.js';
import { answer, catalogOf, type Simulated, START, say, simulate } from '../../test/simulated.js';
import { createThreadMachine } from '../machine.js';
import { PLAIN_CHILD } from './child-config.js';
import type { AnyThreadEvent } from './event.js';
import type { ChildOpening, StepCall } from './outcome.js';
import { threadStatus } from './status.js';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOf({
    ...desk(),
    'prompts/side.ts': prompt('side'),
    'prompts/helper.ts': prompt('helper'),
    'agents/many.ts': agent(
      'many',
      "sideA: { prompt: 'side' }, exposeAsTool: true, toolDescription: 'Works'",
    ),
    'agents/other.ts': agent('other', "sideA: { prompt: 'side' }"),
  });
});

const DOES = ['function', 'function', 'unknown', 'sub-prompt', 'handoff', 'create', 'message'] as const;
const aCall = fc.record({
  does: fc.constantFrom(...DOES),
  /** A person is asked. */
  gated: fc.boolean(),
  /** The arguments do not fit. */
  broken: fc.boolean(),
  pick: fc.nat(5),
});
type Asked = typeof aCall extends fc.Arbitrary<infer Value> ? Value : never;

function callOf(sim: Simulated, { does, gated, broken, pick }: Asked, id: string): StepCall {
  const call = {
    ...{ id, input: { pick } },
    ...(gated ? { approval: {} } : {}),
    ...(broken ? { problem: 'does not fit' } : {}),
  };
  const opened = (
    name: string,
    kind: ChildOpening['does'],
    target: string,
    config = PLAIN_CHILD,
  ): StepCall => ({
    ...{ ...call, name },
    opening: { does: kind, target, text: 'Go.', attachments: [], name: null, config },
  });
  const ids = [...Object.keys(sim.state.frames), 'thr_nobody'];
  const resumable = { receives: 'side_a', communication: 'implicit', maxInstances: 1 } as const;
  switch (does) {
    case 'function':
      return { ...call, name: 'echo' };
    case 'unknown':
      return { ...call, name: 'nobody' };
    case 'sub-prompt':
      return opened('helper', 'sub-prompt', 'helper');
    case 'handoff':
      return opened('other', 'handoff', 'other');
    case 'create':
      return opened('subagent_create', 'subagent.create', 'many', {
        ...PLAIN_CHILD,
        ...{ blocking: pick % 2 === 0, resumable },
      });
    case 'message':
      return opened('subagent_message', 'subagent.message', ids[pick % ids.length] ?? '');
  }
}

const anAnswer = fc.record({
  calls: fc.array(aCall, { maxLength: 6 }),
  parallel: fc.boolean(),
  /** All calls have one id, as some models give them. */
  sameIds: fc.boolean(),
});
const aWord = fc.constantFrom('allow', 'deny', 'change', 'none', 'none', 'stop', 'resume', 'say');

/** What a person does now. Everything that is asked can be answered, and is answered once. */
function act(sim: Simulated, word: string, turn: number): void {
  const [asked] = pendingApprovals(sim.state.approvals);
  if (asked !== undefined && (word === 'allow' || word === 'deny' || word === 'change')) {
    const input = word === 'change' ? { input: { pick: 99 } } : {};
    const resolve = { type: 'approval.resolve', approval: asked.id, by: 'ann', ...input } as const;
    expect(sim.submit({ ...resolve, decision: word })).toBeUndefined();
    expect(sim.state.approvals.resolved[asked.id]).toBeDefined();
  }
  if (word === 'stop' && turn % 17 === 16) sim.submit({ type: 'thread.stop', by: 'ann' });
  if (word === 'resume') sim.submit({ type: 'thread.resume', by: 'ann' });
  if (word === 'say' && turn % 5 === 4) sim.submit(say(`word ${turn}`));
}

const FAILED: Outcome = { ok: false, error: { code: 'E_X', message: 'no' } };

it('whatever of one answer a person is asked about, fails or is doubtful, the run ends, waits with a reason or goes on', () => {
  fc.assert(
    fc.property(
      fc.array(anAnswer, { maxLength: 8 }),
      fc.infiniteStream(fc.nat(1_000)),
      fc.infiniteStream(aWord),
      (answers, choices, words) => {
        const sim = simulate(catalog);
        const machine = createThreadMachine({ catalog, priced: false });
        const pick = (): number => choices.next().value ?? 0;
        /** A crash: nobody knows whether it was done. */
        const doubt = ({ id }: EffectIntent): void => {
          const event = { type: 'effect.asked', data: { id } } as const satisfies AnyThreadEvent;
          sim.state = machine.project(sim.state, event);
          sim.log.push(event);
        };
        sim.submit({ ...START, budget: { turns: 30 } });
        let said = 0;
        for (let turn = 0; turn < 2_000; turn += 1) {
          act(sim, words.next().value ?? 'none', turn);
          const effect = sim.open[pick() % Math.max(1, sim.open.length)];
          if (effect === undefined) {
            if (pendingApprovals(sim.state.approvals).length === 0) break;
            expect(threadStatus(sim.state)).toMatchObject({ kind: 'waiting', for: 'approval' });
            continue;
          }
          if (effect.kind === 'model.turn') {
            const { calls = [], parallel = true, sameIds = false } = answers[said] ?? {};
            said += 1;
            const made = calls.map((each, at) => callOf(sim, each, sameIds ? 'same' : `given-${at}`));
            sim.settle(effect, answer({ text: 'Words.', calls: made, parallel }));
          } else {
            const way = pick() % 4;
            if (way === 1 && !sim.state.doubts.includes(effect.id)) doubt(effect);
            else
              sim.settle(effect, way === 0 ? FAILED : { ok: true, output: { text: `${turn}` } as JsonValue });
          }
          if (sim.open.length === 0) expect(threadStatus(sim.state).kind).not.toBe('working');
        }
        expect(sim.open).toEqual([]);
        expect(['done', 'failed', 'stopped', 'waiting', 'idle']).toContain(threadStatus(sim.state).kind);
        for (const { messages, calls } of Object.values(sim.state.frames)) {
          const ids = messages.flatMap(({ calls: made = [] }) => made.map(({ id }) => id));
          const results = messages.flatMap(({ callId }) => (callId === undefined ? [] : [callId]));
          if (calls === null) expect(results).toEqual(ids);
        }
        const log = JSON.parse(JSON.stringify(sim.log)) as typeof sim.log;
        expect(log.reduce(machine.project, machine.initial)).toEqual(sim.state);
      },
    ),
    runs(100, 5_000),
  );
});
