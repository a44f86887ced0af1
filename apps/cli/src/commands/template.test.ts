import { describe, expect, it } from 'vitest';
import { cuebook, folderWith } from '../../test/cuebook.js';

describe('template', () => {
  it('renders a file with data and includes', async () => {
    const cwd = folderWith({
      'a.tmpl': 'Hello, {{.name}}: {{range .n}}{{.}} {{end}}{{include "rules"}}',
      'data.json': '{"name": "Ada", "n": [1, 1.0, 1e3, 2.5, 1e21]}',
      'rules.md': 'Be {{kind}}.',
    });
    const args = ['template', 'a.tmpl', '--data', 'data.json', '--include', 'rules=rules.md'];
    expect(await cuebook(args, { cwd })).toEqual({
      code: 0,
      stdout: 'Hello, Ada: 1 1 1000 2.5 1e+21 Be {{kind}}.',
      stderr: '',
    });
    for (const engine of ['code', 'closures']) {
      const { stdout } = await cuebook([...args, '--engine', engine, '--json'], { cwd });
      const { out, spans } = JSON.parse(stdout);
      expect(out).toContain('Hello, Ada');
      expect(spans.at(-1)).toMatchObject({ kind: 'call', name: 'include', origin: { include: 'rules' } });
    }
  });

  it('reads the template or the data from standard input, and data in YAML', async () => {
    const cwd = folderWith({ 'a.tmpl': '{{.a}}', 'data.yaml': 'a: [x, y]\n' });
    expect((await cuebook(['template', '-'], { cwd, input: '{{printf "%05d" 42}}' })).stdout).toBe('00042');
    expect((await cuebook(['template', 'a.tmpl', '--data', '-'], { cwd, input: '{"a":1}' })).stdout).toBe(
      '1',
    );
    expect((await cuebook(['template', 'a.tmpl', '--data', 'data.yaml'], { cwd })).stdout).toBe('[x y]');
  });

  it.each([
    ['default', '<no value>', 0],
    ['zero', '<no value>', 0],
    ['error', 'map has no entry for key "b"', 1],
  ])('--missingkey %s', async (mode, says, code) => {
    const outcome = await cuebook(['template', '-', '--missingkey', mode], {
      cwd: folderWith(),
      input: '{{.b}}',
    });
    expect(outcome.code).toBe(code);
    expect(outcome.stdout + outcome.stderr).toContain(says);
  });

  it.each([
    { input: 'a\n{{end}}', code: 'E_TEMPLATE_PARSE', says: 'template: stdin:2: unexpected {{end}}' },
    { input: '{{include "x"}}', code: 'E_TEMPLATE_EXEC', says: 'prompt template "x" not found' },
    { input: '{{range 9223372036854775807}}{{end}}', code: 'E_TEMPLATE_LIMIT', says: 'steps' },
  ])('fails with $code and exit code 1', async ({ input, code, says }) => {
    const { code: exit, stdout, stderr } = await cuebook(['template', '-'], { cwd: folderWith(), input });
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain(`${code} `);
    expect(stderr).toContain(says);
  });

  it.each([
    [],
    ['a.tmpl', '--engine', 'eval'],
    ['a.tmpl', '--missingkey', 'ignore'],
    ['a.tmpl', '--include', 'x'],
    ['a.tmpl', '--include', 'x=a.tmpl', '--include', 'x=a.tmpl'],
    ['-', '--data', '-'],
    ['nowhere.tmpl'],
    ['a.tmpl', '--data', 'a.json'],
    ['--jsonl', 'a.tmpl'],
    ['--jsonl', '--data', 'a.json'],
  ])('a wrong call exits 2: %j %j %j', async (...args) => {
    const cwd = folderWith({ 'a.tmpl': 'x', 'a.json': '{' });
    expect(await cuebook(['template', ...args], { cwd })).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('template --jsonl', () => {
  const answer = async (lines: readonly string[], ...args: readonly string[]) => {
    const input = lines.map((line) => `${line}\n`).join('');
    const { code, stdout } = await cuebook(['template', '--jsonl', ...args], { cwd: folderWith(), input });
    return { code, rows: stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)])) };
  };
  const ctx = {
    AgentName: 'k8s-helper',
    AgentNamespace: 'default',
    Description: 'D',
    ToolNames: ['a'],
    SkillNames: null,
  };

  it.each(['code', 'closures'])('answers each line, %s', async (engine) => {
    const { code, rows } = await answer(
      [
        JSON.stringify({ id: 'a', tmpl: '{{include "p/a"}} ok', lookup: { 'p/a': 'Hello, {{.X}}!' }, ctx }),
        JSON.stringify({ id: 7, tmpl: '{{.Nope}}', ctx }),
        '',
        '{"id": "c", "tmpl": "{{.x}} {{.y}} {{printf \\"%T %T\\" .x .y}}", "data": {"x": 1, "y": 1.0}}',
        JSON.stringify({ id: 'd', tmpl: '{{.q}}', data: {}, missingkey: 'error' }),
        JSON.stringify({ tmpl: '{{slice "h\u00e9" 0 2}}', data: null }),
        JSON.stringify({ id: 'f', tmpl: '{{bad' }),
      ],
      '--engine',
      engine,
    );
    expect(code).toBe(0);
    expect(rows).toEqual([
      { id: 'a', ok: true, out: 'Hello, {{.X}}! ok', err: null },
      {
        id: 7,
        ok: false,
        out: null,
        err: expect.stringMatching(
          /^failed to execute system message template: template: systemMessage:1:2: executing "systemMessage" at <\.Nope>: can't evaluate field Nope in type /,
        ),
      },
      { id: 'c', ok: true, out: '1 1 int float64', err: null },
      { id: 'd', ok: false, out: null, err: expect.stringContaining('map has no entry for key "q"') },
      { id: null, ok: true, out: 'h\ufffd', err: null },
      {
        id: 'f',
        ok: false,
        out: null,
        err: 'failed to parse system message template: template: systemMessage:1: function "bad" not defined',
      },
    ]);
  });

  it.each(['x', '[]', '{}', '{"tmpl": 3}'])(
    'a line that cannot be read is answered, and the exit code is 1: %s',
    async (line) => {
      const { code, rows } = await answer([line, '{"id": 1, "tmpl": "ok"}']);
      expect(code).toBe(1);
      expect(rows).toMatchObject([
        { id: null, ok: false, out: null },
        { id: 1, ok: true, out: 'ok' },
      ]);
    },
  );
});
