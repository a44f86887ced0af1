import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { spec, teamRun } from '../../test/team-run.js';
import { composeNode } from '../prompt/compose.js';
import { type Memory, NO_MEMORY, type PastTurn } from '../prompt/past.js';
import { promptInput } from './facts.js';
import { condense } from './memory.js';

type Run = ReturnType<typeof teamRun>;

/** A node of a provider that keeps no conversation, asked after each of its turns. */
function alone(): Run {
  const run = teamRun();
  const nodes = [spec('dev', 'implementer', { provider: 'raw' })];
  run.start({ nodes, edges: [], mode: 'INTERACTIVE', stall: { repeats: 1_000 } });
  return run;
}

function blocksOf(run: Run, structured: boolean) {
  const { id } = run.node('dev').node;
  const input = promptInput(run.state(), id, { nativeTools: () => false }, undefined, structured);
  if (input === undefined) throw new Error('no turn');
  return composeNode(input).full.map(({ name, role, pieces, calls, callId }) => ({
    ...{ name, role, calls, callId },
    text: pieces.map(({ text }) => text).join(''),
  }));
}

/** Three turns: it reads a file, then two others. */
function afterThree(): Run {
  const run = alone();
  for (const [path, text] of [
    ['a.md', 'The password of the vault is heron.'],
    ['b.md', 'Nothing here.'],
    ['c.md', 'Nor here.'],
  ] as const) {
    run.answers('dev', `I read ${path}.`, [['read_file', { path }]]);
    run.settle(run.effects('tool.call')[0]?.id ?? '', { ok: true, output: text });
    run.diffs('dev');
  }
  return run;
}

describe('the conversation of a node whose provider keeps none', () => {
  it.each([true, false])(
    'holds what it read three turns ago, each thing once (structured: %s)',
    (structured) => {
      const blocks = blocksOf(afterThree(), structured);
      const all = blocks.map(({ text }) => text).join('\n');
      for (const words of ['is heron', 'Nothing here', 'Nor here', 'I read a.md'])
        expect(all.split(words)).toHaveLength(2);
      expect(blocks.slice(0, 3).map(({ name }) => name)).toEqual(['system', 'role', 'mode']);
      expect(blocks.at(-1)?.name).toBe('task');
    },
  );

  it('gives every call its result, right behind the answer and in order', () => {
    const blocks = blocksOf(afterThree(), true);
    const asked = blocks.flatMap(({ calls }) => (calls ?? []).map(({ id }) => id));
    expect(asked).toHaveLength(3);
    blocks.forEach(({ calls = [] }, at) => {
      const behind = blocks.slice(at + 1, at + 1 + calls.length).map(({ callId }) => callId);
      expect(behind).toEqual(calls.map(({ id }) => id));
    });
    expect(blocks.filter(({ role }) => role === 'tool')).toHaveLength(3);
  });

  it('stays the same from turn to turn but for its end', () => {
    const run = afterThree();
    const before = blocksOf(run, true);
    run.answers('dev', 'On.', [['read_file', { path: 'd.md' }]]);
    run.settle(run.effects('tool.call')[0]?.id ?? '', { ok: true, output: 'D' });
    run.diffs('dev');
    const after = blocksOf(run, true);
    // All but the task of this turn, which goes into the conversation as what came in with it.
    expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  });

  it('is forgotten when a person resets the node', () => {
    const run = afterThree();
    run.submit({ type: 'node.reset', node: 'dev', by: 'ann' });
    expect(run.node('dev').memory).toEqual(NO_MEMORY);
  });
});

describe('for all conversations', () => {
  const aText = fc.oneof(
    fc.string({ maxLength: 50 }),
    fc.nat(5_000).map((size) => 'é'.repeat(size)),
    fc.nat(4_000).map((size) => '字\u0001"'.repeat(size / 3)),
  );
  const someInput = fc.oneof(
    aText.map((path) => ({ path })),
    fc.nat(20_000).map((size) => ({ list: Array.from({ length: size }, (_, at) => at) })),
    fc.nat(400).map((size) => Object.fromEntries(Array.from({ length: size }, (_, at) => [`${at}`, 'v']))),
    aText.map((name) => ({ [name]: 1 })),
    fc.nat(900).map((size) => Array.from({ length: size }, () => 'word')),
  );
  const aTurn = fc.record({ said: aText, result: aText, input: someInput, message: aText }).map(
    ({ said, result, input, message }, turn = 1): PastTurn => ({
      turn,
      cause: 'results',
      said,
      calls: [{ id: `call_${turn}`, name: 'read_file', input }],
      taken: {
        inbox: [],
        messages: [{ id: 'm', text: message, by: 'ann', interrupt: false }],
        results: [
          { kind: 'call', call: 'c', given: '', tool: 'read_file', result: { status: 'ok', text: result } },
        ],
      },
    }),
  );
  const size = (memory: Memory) => Buffer.byteLength(JSON.stringify(memory.turns));

  it('condensing reaches any room that holds the newest turn cut short, and keeps that turn', () => {
    fc.assert(
      fc.property(
        fc.array(aTurn, { minLength: 1, maxLength: 30 }),
        fc.oneof(fc.integer({ min: 6_000, max: 15_000 }), fc.integer({ min: 6_000, max: 100_000 })),
        (turns, room) => {
          const after = condense({ turns, forgotten: 0 }, room);
          expect(size(after)).toBeLessThanOrEqual(room + 1_000);
          expect(after.turns.at(-1)?.calls.map(({ id }) => id)).toEqual(
            turns.at(-1)?.calls.map(({ id }) => id),
          );
          expect(after.turns.length + after.forgotten).toBe(turns.length);
          if (size({ turns, forgotten: 0 }) <= room) expect(after.turns).toEqual(turns);
        },
      ),
      runs(50, 5_000),
    );
  });

  it('condensing is rare: what was freed lasts for several turns', () => {
    let memory = NO_MEMORY;
    let changes = 0;
    const turn = (n: number): PastTurn => ({
      turn: n,
      cause: 'results',
      said: 'x'.repeat(300),
      calls: [],
      taken: { inbox: [], messages: [], results: [] },
    });
    for (let n = 1; n <= 200; n += 1) {
      const grown = { ...memory, turns: [...memory.turns, turn(n)] };
      memory = condense(grown, 20_000);
      if (memory !== grown) changes += 1;
    }
    expect(changes).toBeGreaterThan(0);
    expect(changes).toBeLessThan(20);
  });
});
