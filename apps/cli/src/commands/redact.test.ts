import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { answerLine } from '../redact/lines.js';

interface Leaks {
  readonly ctx: object;
  readonly mustRedact: readonly {
    id: string;
    input: string;
    mustNotContain: readonly string[];
    mustKeep?: readonly string[];
  }[];
  readonly mustNotChange: readonly (string | { id: string; input: string })[];
}

const LEAKS = new URL('../../../../packages/prompt/test/leaks.json', import.meta.url);
const leaks = JSON.parse(readFileSync(LEAKS, 'utf8')) as Leaks;
const CONTEXT = JSON.stringify({
  roots: [['@desk', '/srv/desk']],
  private: ['/srv/store'],
  names: ['marguerite'],
});

const rows = (stdout: string): readonly Record<string, unknown>[] =>
  stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

describe('redact', () => {
  it('cleans standard input and says what kinds it removed', async () => {
    const input = 'in /srv/desk/a.md by marguerite, kept in /srv/store/x, ok\n';
    const args = ['redact', '--root', '@desk=/srv/desk', '--private', '/srv/store', '--name', 'marguerite'];
    const { code, stdout, stderr } = await cuebook(args, { cwd: folderWith(), input });
    expect(code).toBe(0);
    expect(stdout).toBe('in @desk/a.md by [removed:name], kept in [removed:path], ok\n');
    expect(stderr).toBe('Removed: root ×1, name ×1, path ×1\n');
  });

  it('leaves ordinary text alone, to the byte', async () => {
    const input =
      'src/app/main.ts:10:5 GET /api/v1/users/:id\r\n\ttabs, \u00e9\u4e2d\ud83d\ude00 no newline at end';
    const { stdout, stderr } = await cuebook(['redact'], { cwd: folderWith(), input });
    expect(stdout).toBe(input);
    expect(stderr).toBe('Nothing was removed.\n');
  });

  it('knows the credentials in its environment, unless a context file says all there is', async () => {
    const env = { BILLING_API_KEY: 'q9x-plum-orbit-77' };
    const input = 'sent q9x-plum-orbit-77 along';
    const cwd = folderWith({ 'ctx.json': CONTEXT });
    expect((await cuebook(['redact'], { cwd, env, input })).stdout).toBe('sent [removed:credential] along');
    expect((await cuebook(['redact', '--context', 'ctx.json'], { cwd, env, input })).stdout).toBe(input);
  });

  it('lets --public name what looks private', async () => {
    const input = 'at /home/sandbox/a.md';
    const cwd = folderWith({ 'ctx.json': CONTEXT });
    const args = ['redact', '--context', 'ctx.json'];
    expect((await cuebook(args, { cwd, input })).stdout).not.toBe(input);
    expect((await cuebook([...args, '--public', '/home/sandbox'], { cwd, input })).stdout).toBe(input);
  });

  it('answers in JSON', async () => {
    const args = ['redact', '--json', '--name', 'marguerite'];
    const { stdout } = await cuebook(args, { cwd: folderWith(), input: 'marguerite!' });
    expect(JSON.parse(stdout)).toEqual({ output: '[removed:name]!', removed: { name: 1 } });
  });

  it.each([
    ['--root', 'desk=/srv'],
    ['--root', '@desk'],
    ['--root', '@desk='],
    ['--name', ' '],
    ['--private', ''],
  ])('refuses %s %j', async (flag, value) => {
    const outcome = await cuebook(['redact', flag, value], { cwd: folderWith(), input: 'x' });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain('E_USAGE');
  });

  it.each([
    '[',
    '[]',
    '"x"',
    '{"roots":{}}',
    '{"roots":[["desk","/x"]]}',
    '{"roots":[["@desk"]]}',
    '{"private":"/x"}',
    '{"names":[""]}',
    '{"names":["\\ud800"]}',
    '{"name":["x"]}',
  ])('refuses the context %s', async (text) => {
    const cwd = folderWith({ 'ctx.json': text });
    const outcome = await cuebook(['redact', '--context', 'ctx.json'], { cwd, input: 'x' });
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain('E_CONTEXT');
  });
});

describe('redact --jsonl', () => {
  const args = ['redact', '--jsonl', '--context', 'ctx.json'];

  it('cleans every string of the shared cases, in prose and in values', async () => {
    const cwd = folderWith({ 'ctx.json': JSON.stringify({ about: 'x', ctx: leaks.ctx }) });
    const lines = leaks.mustRedact.flatMap(({ id, input }) => [
      { id, input },
      { id, input: { [input]: [{ deep: input }] } },
    ]);
    const input = lines.map((line) => JSON.stringify(line)).join('\n');
    const { code, stdout } = await cuebook(args, { cwd, input });
    expect(code).toBe(0);
    const answers = rows(stdout);
    expect(answers.map(({ id }) => id)).toEqual(lines.map(({ id }) => id));
    for (const [index, answer] of answers.entries()) {
      const wanted = leaks.mustRedact[index >> 1];
      expect(Object.keys(answer)).toEqual(['id', 'output', 'refused']);
      expect(answer.refused).toBe(false);
      const told = typeof answer.output === 'string' ? answer.output : JSON.stringify(answer.output);
      for (const secret of wanted?.mustNotContain ?? []) expect(told).not.toContain(secret);
      if (index % 2 === 0) for (const kept of wanted?.mustKeep ?? []) expect(told).toContain(kept);
    }
  });

  it('changes nothing in the strings that must not change', async () => {
    const cwd = folderWith({ 'ctx.json': JSON.stringify(leaks.ctx) });
    const texts = leaks.mustNotChange.map((each) => (typeof each === 'string' ? each : each.input));
    const input = texts.map((text, id) => JSON.stringify({ id, input: text })).join('\n');
    const { stdout } = await cuebook(args, { cwd, input });
    expect(rows(stdout).map(({ output }) => output)).toEqual(texts);
  });

  it('answers a bad line in its place, goes on, and exits 1', async () => {
    const cwd = folderWith({ 'ctx.json': CONTEXT });
    const lines = [
      '{"id":1,"input":"a"}',
      '',
      'not json',
      '[1]',
      '{"id":2}',
      '{"id":3,"input":"\\ud800"}',
      '{"id":4,"input":{"\\udc00":1}}',
      '{"id":"z","input":null}',
    ];
    const { code, stdout, stderr } = await cuebook(args, { cwd, input: lines.join('\r\n') });
    expect(code).toBe(1);
    expect(stderr).toBe('7 lines, 5 refused.\n');
    const told = rows(stdout).map(({ id, output, refused, error }) => [
      id,
      output,
      refused,
      (error as { code: string } | undefined)?.code,
    ]);
    expect(told).toEqual([
      [1, 'a', false, undefined],
      [null, null, true, 'E_LINE'],
      [null, null, true, 'E_LINE'],
      [null, null, true, 'E_LINE'],
      [3, null, true, 'E_NOT_UNICODE'],
      [4, null, true, 'E_NOT_UNICODE'],
      ['z', null, false, undefined],
    ]);
  });

  it('refuses a line of bytes that are no text, one that is too long, and one nested too deep', async () => {
    const cwd = folderWith({ 'ctx.json': CONTEXT });
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const deep = `{"id":1,"input":${nested}}\n`;
    const long = Buffer.alloc(17 * 1024 * 1024, 97);
    const input = Buffer.concat([
      Buffer.from([0xff, 10]),
      long,
      Buffer.from('\n'),
      Buffer.from(deep),
      Buffer.from('{"id":9,"input":"ok"}'),
    ]);
    const { stdout } = await cuebook(args, { cwd, input });
    const codes = rows(stdout).map(({ error }) => (error as { code: string } | undefined)?.code);
    // A version of Node that writes JSON of any depth has nothing to refuse, and answers with all of it.
    const isWritten = stdout.includes(`{"id":1,"output":${nested},"refused":false}\n`);
    expect(codes).toEqual(['E_NOT_UTF8', 'E_LINE', isWritten ? undefined : 'E_LINE', undefined]);
  });
});

describe('the last look', () => {
  const leaky = {
    find: () => [],
    redactText: (text: string) => ({ text, replacements: [] }),
    redactValue: (value: never) => ({ value, kinds: [] }),
    leaks: (text: string) => (text.includes('secret') ? [{ kind: 'name' as const, start: 0, end: 1 }] : []),
  };

  it.each(['a secret', { a: ['secret'] }])(
    'refuses a line from which something private survives: %j',
    (input) => {
      const answer = answerLine(leaky as never, JSON.stringify({ id: 7, input }));
      expect(answer).toMatchObject({ id: 7, output: null, refused: true, error: { code: 'E_PROMPT_LEAK' } });
      expect(JSON.stringify(answer)).not.toContain('secret');
    },
  );
});
