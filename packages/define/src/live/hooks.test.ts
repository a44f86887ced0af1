import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { hookText, open, stateView } from '../../test/live.js';

describe('hooks', () => {
  const RESULTS: readonly (readonly [body: string, answer: object])[] = [
    ['return given[0].slice(-1);', { kind: 'value', value: [{ text: 'b', n: 2 }] }],
    [
      'return given[0].map((each) => ({ ...each, text: undefined }));',
      { kind: 'value', value: [{}, { n: 2 }] },
    ],
    ['return;', { kind: 'value', value: undefined }],
    ['return null;', { kind: 'value', value: null }],
    ['throw new Error("boo");', { kind: 'failed', reason: 'throw', text: 'boo' }],
    ['await new Promise(() => {});', { kind: 'failed', reason: 'timeout' }],
    ['process.exit(1);', { kind: 'failed', reason: 'exit' }],
    ['const a = []; a.push(a); return a;', { kind: 'failed', reason: 'not-json' }],
    [
      'return [1n];',
      { kind: 'failed', reason: 'not-json', text: 'What it returned is not JSON: it holds a bigint' },
    ],
    ['return "x".repeat(100_000_000);', { kind: 'failed', reason: 'not-json' }],
    ['return { get a() { throw new Error("got"); } };', { kind: 'failed', reason: 'throw', text: 'got' }],
    ['given[0].length = 0; return undefined;', { kind: 'value', value: undefined }],
  ];

  it('answer with JSON, nothing, or why not', async () => {
    const files = Object.fromEntries(
      RESULTS.map(([body], n) => [`hooks/h${n}.ts`, hookText(`h${n}`, 'filter_messages', body)]),
    );
    const live = await open(files);
    const messages = [{ text: 'a' }, { text: 'b', n: 2 }];
    for (const [n, [body, answer]] of RESULTS.entries()) {
      const timeoutMs = body.includes('new Promise') ? 100 : 60_000;
      const got = await live.callHook({
        hook: `h${n}`,
        kind: 'filter_messages',
        args: [messages],
        state: stateView(),
        timeoutMs,
      });
      expect([body, got]).toEqual([body, expect.objectContaining(answer)]);
    }
    expect(messages).toHaveLength(2);
  });

  it('of a new subagent get the state of the child, which they can write', async () => {
    const live = await open({
      'hooks/h.ts': hookText(
        'h',
        'after_subagent_created',
        "await given[0].setEnv('A', 'b', { type: 'text' }); return given[0].threadId + given[0].env('X') + state.threadId;",
      ),
    });
    const state = stateView();
    const child = stateView({ threadId: 'child_1', env: { X: { value: 'x', type: 'text' } } });
    const answer = await live.callHook({
      hook: 'h',
      kind: 'after_subagent_created',
      args: [],
      state,
      child,
      timeoutMs: 60_000,
    });
    expect(answer).toEqual({ kind: 'value', value: 'child_1xthread_1' });
    expect([state.told.set, child.told.set]).toEqual([[], [['A', 'b', 'text']]]);
  });
});
