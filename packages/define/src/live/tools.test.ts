import { describe, expect, it } from 'vitest';
import { call, open, stateView, toolText } from '../../test/live.js';
import { MODEL, prompt } from '../../test/project.js';

describe('arguments', () => {
  const schema =
    'args: z.object({ q: z.string().trim(), limit: z.number().default(10), at: z.string().transform((at) => new Date(at)).optional() }),';
  const files = {
    ...MODEL,
    'tools/find.ts': toolText('return { status: "success", result: JSON.stringify(args) };', {
      fields: schema,
    }),
    'tools/none.ts': toolText('return { status: "success", result: String(args) };'),
    'tools/odd.ts': toolText('return { status: "success" };', {
      fields: 'args: z.object({ q: z.string().refine(async () => { throw new Error("odd"); }) }),',
    }),
    'prompts/ask.ts': prompt(
      'ask',
      '  requiredSchema: z.object({ q: z.string(), n: z.number().default(3) }),',
    ),
    'prompts/plain.ts': prompt('plain'),
  };

  it('are parsed: defaults, transforms and all, also into what is not JSON', async () => {
    const live = await open(files);
    expect(await call(live, 'find', { args: { q: ' x ', at: '2026-01-02', more: 1 } })).toEqual({
      kind: 'success',
      text: '{"q":"x","limit":10,"at":"2026-01-02T00:00:00.000Z"}',
      attachments: [],
    });
    expect(await call(live, 'none', { args: { q: 1 } })).toMatchObject({ text: 'undefined' });
  });

  it('that do not fit are told field by field, and nothing runs', async () => {
    const live = await open(files);
    const answer = await call(live, 'find', { args: { q: 1, limit: 'x' } });
    expect(answer).toMatchObject({ kind: 'invalid', problems: [{ path: 'q' }, { path: 'limit' }] });
    expect(await call(live, 'odd', { args: { q: '' } })).toMatchObject({ kind: 'error', text: 'odd' });
  });

  it('are checked for a prompt or a tool without running it', async () => {
    const live = await open(files);
    const of = (kind: 'tool' | 'prompt', name: string) => ({ kind, name });
    expect(await live.check(of('prompt', 'ask'), { q: 'x' })).toEqual({ ok: true, value: { q: 'x', n: 3 } });
    expect(await live.check(of('prompt', 'ask'), { n: 1 })).toMatchObject({
      ok: false,
      problems: [{ path: 'q' }],
    });
    expect(await live.check(of('tool', 'find'), { q: ' x ' })).toEqual({
      ok: true,
      value: { q: 'x', limit: 10 },
    });
    expect(await live.check(of('prompt', 'plain'), { a: 1 })).toEqual({ ok: true, value: { a: 1 } });
    expect(await live.check(of('prompt', 'gone'), {})).toMatchObject({ ok: false });
    expect(await call(live, 'gone')).toMatchObject({ kind: 'error', text: 'No tool is called gone' });
  });
});

describe('what a tool answers', () => {
  const ANSWERS: readonly (readonly [body: string, answer: object])[] = [
    ['return { status: "success", result: "ok" };', { kind: 'success', text: 'ok' }],
    ['return { status: "error", error: "no" };', { kind: 'error', text: 'no' }],
    ['return { status: "success", result: { a: 1 } };', { kind: 'success', text: '{"a":1}' }],
    [
      'return { status: "success", attachments: ["/a.png", 7] };',
      { kind: 'success', attachments: ['/a.png'] },
    ],
    ['return { content: [{ type: "text", text: "a" }, { type: "text", text: "b" }] };', { text: 'a\nb' }],
    [
      'return { content: [{ type: "image", data: "AA" }], isError: true };',
      { kind: 'error', text: '[image]' },
    ],
    ['return "plain";', { kind: 'success', text: 'plain' }],
    ['return;', { kind: 'success', text: '' }],
    ['return null;', { kind: 'success', text: '' }],
    ['return { rows: [1] };', { kind: 'success', text: '{"rows":[1]}' }],
    ['throw new Error("boo");', { kind: 'error', text: 'boo' }],
    ['throw "words";', { kind: 'error', text: 'words' }],
    ['throw { code: 7 };', { kind: 'error', text: '{"code":7}' }],
    ['throw undefined;', { kind: 'error', text: '' }],
    ['throw { get message() { throw 1; } };', { kind: 'error', text: 'a value that cannot be shown' }],
    ['const a = {}; a.a = a; return { status: "success", result: a };', { kind: 'error' }],
    ['return { get status() { throw new Error("got"); } };', { kind: 'error', text: 'got' }],
    ['return { status: "success", get result() { return "read"; } };', { kind: 'success', text: 'read' }],
    ['return new Proxy({}, { get() { throw new Error("trap"); } });', { kind: 'error', text: 'trap' }],
    ['return { status: "success", result: 10n };', { kind: 'success', text: '10' }],
    ['return new Map([[1, 2]]);', { kind: 'success', text: '{}' }],
  ];

  it('is one text, whatever it is', async () => {
    const files = Object.fromEntries(ANSWERS.map(([body], n) => [`tools/t${n}.ts`, toolText(body)]));
    const live = await open(files);
    for (const [n, [body, answer]] of ANSWERS.entries()) {
      expect([body, await call(live, `t${n}`)]).toEqual([body, expect.objectContaining(answer)]);
    }
  });

  it('is cut where it is made when it is too long', async () => {
    const live = await open({
      'tools/big.ts': toolText('return { status: "success", result: "x".repeat(100_000_000) };'),
      'tools/parts.ts': toolText(
        'return { content: Array.from({ length: 1000 }, () => ({ text: "y".repeat(100_000) })) };',
      ),
    });
    for (const name of ['big', 'parts']) {
      const answer = await call(live, name);
      if (answer.kind !== 'success') throw new Error(answer.kind);
      expect(answer.text.length).toBeLessThan(1_000_100);
      expect(answer.text).toMatch(/\[cut: the result is longer\]$/);
    }
  });
});

describe('the state', () => {
  it('has the variables of the call, and writes through', async () => {
    const live = await open({
      'tools/state.ts': toolText(
        `const before = [state.threadId, state.agent, state.prompt, state.options.k, state.env('A'), state.envType('A'), state.envType('B')];
        await state.setEnv('B', 'two');
        await state.setEnv('A', 'three');
        await state.setEnv('D', 'four', { type: 'text' });
        await state.setEnv('NEW', 'five');
        await state.notifyParent('news');
        return JSON.stringify([...before, state.env('B'), state.envType('B'), state.env('A')]);`,
        {
          fields:
            "variables: [{ name: 'B', type: 'text', required: false, description: '' }, { name: 'D', type: 'secret', required: false, description: '' }],",
        },
      ),
      'tools/missing.ts': toolText("return state.env('GONE');"),
      'tools/wrong.ts': toolText("await state.setEnv('A', 7);"),
    });
    const state = stateView({ options: { k: 7 }, env: { A: { value: 'one', type: 'secret' } } });
    expect(await call(live, 'state', { state })).toMatchObject({
      text: JSON.stringify([
        'thread_1',
        'desk',
        'helper',
        7,
        'one',
        'secret',
        null,
        'two',
        'secret',
        'three',
      ]),
    });
    expect(state.told).toEqual({
      set: [
        ['B', 'two', 'text'],
        ['A', 'three', 'secret'],
        ['D', 'four', 'text'],
        ['NEW', 'five', 'secret'],
      ],
      parent: ['news'],
    });
    expect(await call(live, 'missing')).toMatchObject({
      kind: 'error',
      text: 'Environment variable not found: GONE',
    });
    expect(await call(live, 'wrong')).toMatchObject({ kind: 'error', text: 'setEnv takes two strings' });
  });

  it('refuses in its own words when this side cannot do it', async () => {
    const live = await open({
      'tools/set.ts': toolText("await state.setEnv('A', 'b');"),
      'tools/tell.ts': toolText("await state.notifyParent('b');"),
    });
    const refuse = async () => Promise.reject(new Error('the disk at /home/ada is full'));
    const state = { ...stateView(), setEnv: refuse, notifyParent: refuse };
    expect(await call(live, 'set', { state })).toMatchObject({ text: 'The variable A could not be set' });
    expect(await call(live, 'tell', { state })).toMatchObject({ text: 'The parent could not be told' });
  });
});
