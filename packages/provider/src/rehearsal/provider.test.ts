import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { eventsOf, HOME, play, redactor, requestOf } from '../../test/play.js';
import type { ApprovalAnswer } from '../turn.js';
import { modelLane } from './odds/schema.js';
import { createRehearsalProvider } from './provider.js';
import type { Script, ScriptStep } from './script.js';

const cwd = mkdtempSync(join(tmpdir(), 'rehearsal-'));
afterAll(() => rmSync(cwd, { recursive: true }));

const scripted = (lanes: Script['lanes']) => createRehearsalProvider({ script: { lanes } });
const sessionOf = (...steps: ScriptStep[]) =>
  scripted({ '*': steps }).open({ redactor, cwd, home: join(cwd, 'state') });

describe('the rehearsal', () => {
  it('plays reasoning, text, edits and tool calls in order and says that it is a rehearsal', async () => {
    const step: ScriptStep = {
      text: 'I write the notes and then ask for a check.',
      reasoning: 'notes first',
      edits: [{ path: 'docs/notes.md', content: 'hello\n' }],
      toolCalls: [{ name: 'check', args: { deep: true } }],
    };
    const played = await play(sessionOf(step), {});
    expect(played.events[0]).toEqual({
      type: 'turn.start',
      provider: 'rehearsal',
      sessionId: '*@0',
      rehearsal: true,
    });
    expect(played.text).toBe(step.text);
    expect(eventsOf(played, 'text.delta').length).toBeGreaterThan(1);
    expect(readFileSync(join(cwd, 'docs/notes.md'), 'utf8')).toBe('hello\n');
    expect(eventsOf(played, 'tool.end').map(({ name, by, isError }) => [name, by, isError])).toEqual([
      ['edit', 'agent', undefined],
      ['check', 'caller', undefined],
    ]);
    expect(played.end).toEqual({ type: 'turn.end', reason: 'done', stop: 'tool-calls' });
    expect(eventsOf(played, 'usage')[0]?.usage.outputTokens).toBeGreaterThan(10);
  });

  it('gives the same events and the same bytes on each run, and joined deltas are the text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (text, reasoning) => {
        const [one, two] = await Promise.all([
          play(sessionOf({ text, reasoning }), {}),
          play(sessionOf({ text, reasoning }), {}),
        ]);
        expect(one).toEqual(two);
        expect(one.text).toBe(text);
      }),
      runs(100, 2000),
    );
  });

  it('sends the request as canonical JSON past the choke point', async () => {
    const { sent } = await play(sessionOf({ text: 'a' }), {
      request: requestOf(`look at ${HOME}/x`, [{ name: 'check' }]),
    });
    expect(sent).toHaveLength(1);
    const body = JSON.parse(sent[0] ?? '') as Record<string, unknown>;
    expect(Object.keys(body)).toEqual(['messages', 'params', 'tools']);
    expect(sent[0]).not.toContain(HOME);
  });

  it('says nothing when the record of the request cannot be written', async () => {
    const turn = sessionOf({ text: 'never said' }).turn({
      request: requestOf('hi'),
      beforeSend: async () => {
        throw new Error('disk full');
      },
    });
    const types: string[] = [];
    for await (const { type } of turn) types.push(type);
    expect(types).toEqual(['turn.start', 'turn.end']);
  });

  const CHOICES: ReadonlyArray<{ names: string[]; model?: string; heard: string }> = [
    { names: ['worker'], heard: 'alias' },
    { names: ['nobody', 'demo'], heard: 'scenario' },
    { names: ['nobody'], model: 'model-1', heard: 'model' },
    { names: ['worker'], model: 'model-1', heard: 'alias' },
    { names: [], heard: 'anybody' },
    { names: ['constructor'], heard: 'anybody' },
  ];
  it.each(CHOICES)('hears $heard as $names with $model', async ({ names, model, heard }) => {
    const provider = scripted({
      worker: [{ text: 'alias' }],
      demo: [{ text: 'scenario' }],
      'model-1': [{ text: 'model' }],
      '*': [{ text: 'anybody' }],
    });
    const session = provider.open({ redactor, names, ...(model === undefined ? {} : { model }) });
    expect((await play(session, {})).text).toBe(heard);
  });

  it('ends with an error that names lane and step when a lane is exhausted', async () => {
    const session = sessionOf({ text: 'only one' });
    await play(session, {});
    const { end } = await play(session, {});
    expect(end.error?.code).toBe('E_SCRIPT_END');
    expect(end.error?.message).toBe('Lane "*" of the script has 1 steps, and step 2 was asked for.');
  });

  it('ends with an error when nobody wrote a lane for it', async () => {
    const { end } = await play(scripted({ worker: [] }).open({ redactor, model: 'm' }), {});
    expect(end.error?.code).toBe('E_SCRIPT_LANE');
    expect(end.error?.message).toContain('"m"');
  });

  it('goes on after the step of an earlier process', async () => {
    const lanes = { '*': [{ text: 'one' }, { text: 'two' }, { text: 'three' }] };
    const first = await play(scripted(lanes).open({ redactor }), {});
    const later = scripted(lanes).open({ redactor, resume: first.sessionId ?? '' });
    expect((await play(later, {})).text).toBe('two');
    expect((await play(later, {})).text).toBe('three');
  });

  it.each([
    [401, 'E_PROVIDER_AUTH', false],
    [429, 'E_PROVIDER_RATE', true],
    [500, 'E_PROVIDER_DOWN', true],
    [400, 'E_PROVIDER_REJECTED', false],
  ])('rehearses status %i as %s and keeps what was said before', async (status, code, retryable) => {
    const { text, end } = await play(sessionOf({ text: 'partial', error: { status } }), {});
    expect(text).toBe('partial');
    expect(end).toMatchObject({ reason: 'error', error: { code, status, retryable } });
  });

  it('plays the same step to a turn that is asked again, and the next to the one behind it', async () => {
    const agent = {
      seed: 1,
      works: 40,
      obeys: 0,
      take: {
        task: 't',
        case: 'c',
        number: 1,
        work: [{ text: 'a' }, { text: 'b' }, { text: 'c' }],
        fails: [{ text: 'failed' }],
      },
    };
    const script = {
      lanes: { steps: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] },
      models: { odds: modelLane.parse({ agent }) },
    };
    for (const lane of ['steps', 'odds']) {
      const provider = createRehearsalProvider({ script });
      const said = async (turn: string, resume?: string) => {
        const session = provider.open({
          redactor,
          names: [lane],
          ...(resume === undefined ? {} : { resume }),
        });
        return (await play(session, { turn, conversation: { run: 'run_1', lane: 'main' } })).text;
      };
      expect([await said('1'), await said('2'), await said('2'), await said('1')]).toEqual([
        'a',
        'b',
        'b',
        'a',
      ]);
      expect([await said('3'), await said('3')]).toEqual(['c', 'c']);
      const other = createRehearsalProvider({ script }).open({ redactor, names: [lane] });
      const first = await play(other, { turn: '1', conversation: { run: 'run_1', lane: 'main' } });
      // A process that was behind goes on where another one is.
      const behind = createRehearsalProvider({ script });
      const late = behind.open({ redactor, names: [lane], resume: first.sessionId ?? '' });
      expect((await play(late, { turn: '2' })).text).toBe('b');
    }
  });

  it('waits by the clock that it is given, and an abort ends the wait', async () => {
    const waited: number[] = [];
    const provider = createRehearsalProvider({
      script: {
        lanes: {
          '*': [
            { delayMs: 5000, text: 'late' },
            { delayMs: 3_000_000, text: 'never' },
          ],
        },
      },
      sleep: async (ms) => void waited.push(ms),
    });
    expect((await play(provider.open({ redactor }), {})).text).toBe('late');
    expect(waited).toEqual([5000]);
    const stop = new AbortController();
    const real = sessionOf({ delayMs: 3_000_000, text: 'never' });
    const { end, text } = await play(real, { signal: stop.signal }, () => stop.abort());
    expect(end.reason).toBe('aborted');
    expect(text).toBe('');
  });

  it('says that it is a rehearsal when nobody wrote a script, turn after turn', async () => {
    const session = createRehearsalProvider().open({ redactor });
    for (const _ of [1, 2, 3]) {
      const { text, end } = await play(session, {});
      expect(text).toContain('This is a rehearsal');
      expect(end.reason).toBe('done');
    }
  });
});

describe('edits of the rehearsal', () => {
  it.each([
    ...['../outside.txt', '/etc/outside.txt', '.git/config', '.cuebook/key', 'link/outside.txt'],
    ...['.env', 'a/.ENV.local', 'server.pem', '.ssh/config', 'state/keys/x'],
  ])('refuses %s and goes on', async (path) => {
    if (path.startsWith('link')) symlinkSync(tmpdir(), join(cwd, 'link'));
    const played = await play(sessionOf({ edits: [{ path, content: 'x' }], text: 'still here' }), {});
    expect(eventsOf(played, 'tool.end')).toMatchObject([{ isError: true }]);
    expect(played.text).toBe('still here');
    expect(played.end.reason).toBe('done');
  });

  it('writes nothing while planning', async () => {
    const session = scripted({ '*': [{ edits: [{ path: 'plan.md', content: 'x' }] }] }).open({
      redactor,
      cwd,
      access: 'plan',
    });
    expect(eventsOf(await play(session, {}), 'tool.end')).toMatchObject([{ isError: true }]);
    expect(() => readFileSync(join(cwd, 'plan.md'))).toThrow();
  });

  const ANSWERS: ReadonlyArray<{ name: string; answer?: ApprovalAnswer; made?: string }> = [
    { name: 'allow', answer: { decision: 'allow' }, made: 'as planned' },
    { name: 'deny', answer: { decision: 'deny', message: 'not now' } },
    { name: 'nobody', made: undefined as never },
    {
      name: 'change',
      answer: { decision: 'change', input: { path: 'asked-change.md', content: 'as changed' } },
      made: 'as changed',
    },
    { name: 'nonsense', answer: { decision: 'change', input: 7 } },
  ];
  it.each(ANSWERS)('asks before it writes: $name', async ({ name, answer, made }) => {
    const path = `asked-${name}.md`;
    const session = scripted({ '*': [{ edits: [{ path, content: 'as planned' }] }] }).open({
      redactor,
      cwd,
      ask: true,
    });
    const played = await play(session, answer === undefined ? {} : { onApproval: async () => answer });
    expect(eventsOf(played, 'approval.request')).toMatchObject([{ tool: 'edit', input: { path } }]);
    const read = () => readFileSync(join(cwd, path), 'utf8');
    if (made === undefined) expect(read).toThrow();
    else expect(read()).toBe(made);
  });

  it('heeds a person: what was denied is not done, nor what would follow it, and the step says so', async () => {
    const names = ['heeded-0.md', 'heeded-1.md', 'heeded-2.md'];
    for (const at of [0, 1, 2, 3]) {
      for (const name of names) rmSync(join(cwd, name), { force: true });
      const step: ScriptStep = {
        text: 'I write. ',
        edits: names.map((path) => ({ path, content: 'x' })),
        // biome-ignore lint/suspicious/noThenProperty: a field of a script, which nobody awaits.
        then: 'Written.',
        denied: 'Not all of it.',
        toolCalls: [{ name: 'check', args: {} }],
      };
      const session = scripted({ '*': [step] }).open({ redactor, cwd, ask: true });
      let asked = 0;
      const onApproval = async (): Promise<ApprovalAnswer> =>
        asked++ === at ? { decision: 'deny', message: 'no' } : { decision: 'allow' };
      const played = await play(session, { onApproval });
      const isDenied = at < names.length;
      expect(names.map((name) => existsSync(join(cwd, name)))).toEqual(names.map((_, index) => index < at));
      expect(asked).toBe(isDenied ? at + 1 : names.length);
      expect(played.text).toBe(isDenied ? 'I write. Not all of it.' : 'I write. Written.');
      expect(played.end).toMatchObject({ reason: 'done', stop: isDenied ? 'stop' : 'tool-calls' });
    }
  });

  it('plays another step after the words that it names, the first that fits', async () => {
    const step = {
      text: 'as planned',
      instead: [
        { heard: 'a red door', text: 'red' },
        { heard: 'a door', text: 'any' },
      ],
    };
    for (const [told, said] of [
      ['look at a red door', 'red'],
      ['look at a door', 'any'],
      ['look', 'as planned'],
    ] as const) {
      const session = scripted({ '*': [step] }).open({ redactor });
      expect((await play(session, { request: requestOf(told) })).text).toBe(said);
    }
  });
});
