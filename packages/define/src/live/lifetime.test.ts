import { memorySource } from '@cuebook/files';
import { describe, expect, it } from 'vitest';
import { itInTurn, sampled } from '../../../../test/runs.js';
import { call, deferred, open, stateView, toolText } from '../../test/live.js';
import type { LiveProject } from './contract.js';
import { openLiveProject } from './open.js';

/** Ways to fill the memory: of some V8 makes loops that cannot be interrupted. */
const GROWING = {
  fill: 'for (;;) all.push(new Array(1000).fill(all.length));',
  objects: 'for (;;) all.push({ n: all.length });',
  texts: 'for (;;) all.push("x".repeat(100) + all.length);',
  maps: 'for (;;) all.push(new Map([[all.length, all]]));',
  closures: 'for (;;) { const n = all.length; all.push(() => n); }',
  slowly: 'for (;;) { all.push(new Array(1000).fill(all.length)); await null; }',
};
const OTHERS = Object.keys(GROWING).filter((name) => name !== 'fill');
const FILES = {
  'tools/ok.ts': toolText('return String(process.pid);'),
  'tools/count.ts': toolText('n += 1; return String(n);', { imports: 'let n = 0;' }),
  'tools/loop.ts': toolText('await state.notifyParent("in"); for (;;) {}'),
  'tools/wait.ts': toolText('await state.notifyParent("in"); await new Promise(() => {});'),
  'tools/hold.ts': toolText(
    'await state.notifyParent("in"); await state.setEnv("GO", "1"); return "went on";',
  ),
  'tools/leave.ts': toolText('process.exit(0);'),
  'tools/cut.ts': toolText('process.disconnect(); await new Promise(() => {});'),
  'tools/kill.ts': toolText('process.kill(process.pid, "SIGKILL"); await new Promise(() => {});'),
  'tools/deaf.ts': toolText(
    'await state.notifyParent("in"); for (let all = [];;) { all = new Array(1000).fill(all.length); }',
  ),
  ...Object.fromEntries(
    Object.entries(GROWING).map(([name, body]) => [`tools/${name}.ts`, toolText(`const all = []; ${body}`)]),
  ),
  'tools/late.ts': toolText(
    'Promise.reject(new Error("later")); setTimeout(() => { throw "thrown"; }); return "first";',
  ),
  'tools/print.ts': toolText('console.log("out"); console.error("err"); return "";'),
  'tools/noise.ts': toolText(
    `for (const message of ['', 7, { type: 'end' }, { type: 'end', id: 1, outcome: {} }, { type: 'ask', id: 1 }, { type: 'want' }]) process.send(message); return 'mine';`,
  ),
  'tools/polite.ts': toolText(
    `const end = new Promise((resolve) => state.signal.addEventListener('abort', () => resolve('ended by itself'))); await state.notifyParent('in'); return end;`,
  ),
  'tools/breaks.ts': toolText(
    `const end = new Promise((_, reject) => state.signal.addEventListener('abort', () => reject(state.signal.reason))); await state.notifyParent('in'); return end;`,
  ),
};

/** A state that says when the function is at work, and lets `setEnv` wait until it may go on. */
function gate() {
  const inside = deferred();
  const go = deferred();
  const state = {
    ...stateView(),
    notifyParent: async () => inside.resolve(),
    setEnv: async () => go.promise,
  };
  return { state, inside: inside.promise, go: () => go.resolve() };
}

const processOf = async (live: LiveProject): Promise<string> => {
  const answer = await call(live, 'ok');
  return answer.kind === 'success' ? answer.text : answer.kind;
};

describe('a live project', () => {
  it('keeps the state of modules between calls, and overlaps calls', async () => {
    const live = await open(FILES);
    expect(await call(live, 'count')).toMatchObject({ text: '1' });
    expect(await call(live, 'count')).toMatchObject({ text: '2' });
    const [one, two] = [gate(), gate()];
    const both = [one, two].map(({ state }) => call(live, 'hold', { state }));
    await Promise.all([one.inside, two.inside]);
    two.go();
    expect(await both[1]).toMatchObject({ text: 'went on' });
    one.go();
    expect(await both[0]).toMatchObject({ text: 'went on' });
  });

  itInTurn(
    'gives up a call that waits for ever, leaves those beside it alone, and goes on elsewhere',
    async () => {
      const live = await open(FILES);
      const before = await processOf(live);
      const beside = gate();
      const held = call(live, 'hold', { state: beside.state });
      await beside.inside;
      expect(await call(live, 'wait', { timeoutMs: 50 })).toMatchObject({
        kind: 'stopped',
        reason: 'timeout',
        text: 'It did not answer: the time for it was over',
      });
      expect(await processOf(live)).not.toBe(before);
      beside.go();
      expect(await held).toMatchObject({ kind: 'success', text: 'went on' });
    },
  );

  itInTurn('ends a process that a call does not let go of', async () => {
    const live = await open(FILES);
    const beside = gate();
    const held = call(live, 'hold', { state: beside.state });
    await beside.inside;
    const loop = gate();
    const looped = call(live, 'loop', { state: loop.state, timeoutMs: 100 });
    await loop.inside;
    // It cannot begin while the loop runs: it is not lost with the thread, it runs in the next.
    const behind = call(live, 'ok');
    expect(await looped).toMatchObject({ kind: 'stopped', reason: 'timeout' });
    expect(await held).toEqual({
      kind: 'stopped',
      reason: 'exit',
      text: 'Its process ended before it answered',
    });
    expect(await behind).toMatchObject({ kind: 'success' });
  });

  itInTurn.each(['leave', 'cut', 'kill', 'fill', ...sampled(OTHERS, 1)])(
    'answers for a call that ends its process: %s',
    async (name) => {
      const live = await open(FILES, { heapMb: 64 });
      expect(await call(live, name, { timeoutMs: 1e8 })).toMatchObject({ kind: 'stopped', reason: 'exit' });
      expect(await call(live, 'count')).toMatchObject({ text: '1' });
    },
  );

  itInTurn('ends a loop that V8 compiles so that nothing can interrupt it', async () => {
    const live = await open(FILES);
    const { state, inside } = gate();
    const looped = call(live, 'deaf', { state, timeoutMs: 300 });
    await inside;
    expect(await looped).toMatchObject({ kind: 'stopped', reason: 'timeout' });
    expect(await call(live, 'count')).toMatchObject({ text: '1' });
  });

  it('tells that memory ran out, and nothing of what V8 writes about it', async () => {
    let told = '';
    const live = await open(FILES, {
      heapMb: 64,
      onOutput: (text) => {
        told += text;
      },
    });
    await call(live, 'fill', { timeoutMs: 1e8 });
    expect(told.trim()).toBe('A function took too much memory');
  });

  it('tries a definition that ends the process as it loads again, but not for ever', async () => {
    const leaves = "if (process.argv[1]?.endsWith('live.js')) process.exit(0);";
    const live = await open({ ...FILES, 'tools/gone.ts': toolText('return 1;', { imports: leaves }) });
    expect(await call(live, 'gone')).toEqual({
      kind: 'stopped',
      reason: 'exit',
      text: 'It did not begin: its process ended',
    });
    expect(await call(live, 'count')).toMatchObject({ text: '1' });
  });

  it('outlives what fails when nobody waits for it, and tells of it', async () => {
    let told = '';
    const both = deferred();
    const live = await open(FILES, {
      onOutput: (text) => {
        told += text;
        if (told.includes('later') && told.includes('thrown')) both.resolve();
      },
    });
    expect(await call(live, 'late')).toMatchObject({ kind: 'success', text: 'first' });
    await both.promise;
    expect(await call(live, 'count')).toMatchObject({ text: '1' });
  });

  it('hands what functions print to the caller, and nowhere else', async () => {
    let told = '';
    const both = deferred();
    const live = await open(FILES, {
      onOutput: (text) => {
        told += text;
        if (told.includes('out') && told.includes('err')) both.resolve();
      },
    });
    await call(live, 'print');
    await both.promise;
  });

  it('passes over what functions tell it themselves', async () => {
    const live = await open(FILES);
    expect(await call(live, 'noise')).toMatchObject({ kind: 'success', text: 'mine' });
  });

  itInTurn.each([
    ['polite', { kind: 'success', text: 'ended by itself' }],
    ['breaks', { kind: 'stopped', reason: 'aborted' }],
    ['wait', { kind: 'stopped', reason: 'aborted', text: 'It did not answer: the call was cut off' }],
    ['loop', { kind: 'stopped', reason: 'aborted' }],
  ])('cuts off a call when it is asked to: %s', async (name, answer) => {
    const live = await open(FILES);
    const stop = new AbortController();
    const { state, inside } = gate();
    const called = call(live, name, { state, signal: stop.signal });
    await inside;
    stop.abort();
    expect(await called).toMatchObject(answer);
    expect(await call(live, 'ok')).toMatchObject({ kind: 'success' });
  });

  it('does not begin what is cut off before', async () => {
    const live = await open(FILES);
    expect(await call(live, 'count', { signal: AbortSignal.abort() })).toEqual({
      kind: 'stopped',
      reason: 'aborted',
      text: 'It did not begin: the call was cut off',
    });
    expect(await call(live, 'count')).toMatchObject({ text: '1' });
  });

  it('answers everything when it is closed, and afterwards', async () => {
    const live = await open(FILES);
    const { state, inside } = gate();
    const called = call(live, 'wait', { state });
    await inside;
    await live.close();
    expect(await called).toMatchObject({ kind: 'stopped', reason: 'aborted' });
    expect(await call(live, 'ok')).toMatchObject({ kind: 'stopped', reason: 'aborted' });
    await live.close();
  });

  itInTurn('shows files as they were when it was opened, also after its process was replaced', async () => {
    let text = 'one';
    const source = memorySource({
      'agents/tools/say.ts': toolText('return WORD;', {
        imports: "import { WORD } from '../../lib/word.js';",
      }),
      'agents/tools/leave.ts': toolText('process.exit(0);'),
    });
    if (!source.ok) throw new Error(source.error.code);
    const changing = {
      ...source.value,
      readText: async (path: string) =>
        path === 'lib/word.ts'
          ? ({ ok: true, value: `export const WORD = '${text}';` } as const)
          : source.value.readText(path),
    };
    const live = await openLiveProject(changing);
    expect(live.catalog.diagnostics).toEqual([]);
    text = 'two';
    expect(await call(live, 'say')).toMatchObject({ text: 'one' });
    await call(live, 'leave');
    expect(await call(live, 'say')).toMatchObject({ text: 'one' });
    await live.close();
    const again = await openLiveProject(changing);
    expect(await call(again, 'say')).toMatchObject({ text: 'two' });
    await again.close();
  });

  it('loads definitions that share imports side by side', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [
        `tools/t${n}.ts`,
        toolText(`return WORD + (await import('../lib/late.js')).default;`, {
          imports: "import { WORD } from '../lib/word.js';",
        }),
      ]),
    );
    const live = await open({
      ...many,
      'lib/word.ts': "import '../lib/deep.js';\nexport const WORD = 'a';",
      'lib/deep.ts': 'await Promise.resolve(); export {};',
      'lib/late.ts': "import { WORD } from './word.js';\nexport default WORD;",
    });
    const answers = await Promise.all(Object.keys(many).map((_, n) => call(live, `t${n}`)));
    expect(answers.map((answer) => 'text' in answer && answer.text)).toEqual(answers.map(() => 'aa'));
  });
});
