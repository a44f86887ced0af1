import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it as itAlways } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

const PROMPTS = JSON.stringify([
  {
    name: 'support/answer',
    version: 3,
    type: 'chat',
    labels: ['production'],
    tags: [],
    config: { model: 'm' },
    prompt: [
      { role: 'system', content: 'Be {{tone}}.' },
      { role: 'user', content: 'Q: {{question}}' },
    ],
  },
  {
    name: 'lost',
    version: 1,
    type: 'text',
    labels: ['production'],
    tags: [],
    config: {},
    prompt: '{{#x.map}}y{{/x.map}}',
  },
]);
const FILES = {
  'CLAUDE.md': 'Be kind.\n',
  '.claude/agents/reviewer.md': '---\nname: reviewer\ndescription: Reviews\n---\nYou review.\n',
  'prompts.json': PROMPTS,
};
const read = (cwd: string, path: string): string => readFileSync(join(cwd, path), 'utf8');

describe('cuebook import', () => {
  it('lists what is here and writes nothing', async () => {
    const cwd = folderWith(FILES);
    const { code, stdout } = await cuebook(['import'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('CLAUDE.md');
    expect(stdout).toContain('cuebook import langfuse');
    expect(existsSync(join(cwd, 'sheets'))).toBe(false);
    const json = JSON.parse((await cuebook(['import', '--json'], { cwd })).stdout);
    expect(json.found).toEqual([
      { path: '.claude/agents/reviewer.md', source: 'claude' },
      { path: 'CLAUDE.md', source: 'claude' },
      { path: 'prompts.json', source: 'langfuse' },
    ]);
  });

  it('lists where programs use prompts that OpenAI stores, and not what keys or packages hold', async () => {
    const id = 'pmpt_68a1b2c3d4';
    const cwd = folderWith({
      'src/reply.ts': `import x;\nawait ask({ prompt: { id: '${id}' } });\n`,
      'src/two.py': `a("${id}", "${id}")\nx = "pmpt_"\n`,
      'node_modules/x/index.js': `"${id}"`,
      '.env': `PROMPT=${id}\n`,
      'notes.txt': id,
      'big.json': `"${id}"${' '.repeat(1024 * 1024)}`,
    });
    const { stdout } = await cuebook(['import', '--json'], { cwd });
    expect(JSON.parse(stdout).calls).toEqual([
      { path: 'src/reply.ts', line: 2, id },
      { path: 'src/two.py', line: 1, id },
      { path: 'src/two.py', line: 1, id },
    ]);
    const shown = await cuebook(['import'], { cwd });
    expect(shown.stdout).toContain(`src/reply.ts:2  ${id}`);
    expect(shown.stdout).toContain('import openai FILE');
  });

  itAlways('writes sheets that check, and the same again changes nothing', async () => {
    const cwd = folderWith(FILES);
    const first = await cuebook(['import', 'claude'], { cwd });
    expect(first.stdout).toContain('+ sheets/claude.yaml');
    expect(first.code).toBe(0);
    expect(read(cwd, 'texts/claude.md')).toBe('Be kind.\n');
    expect((await cuebook(['check'], { cwd })).code).toBe(0);
    const again = await cuebook(['import', 'claude', '--json'], { cwd });
    expect(JSON.parse(again.stdout)).toMatchObject({ ok: true, written: [] });
  });

  it('does not read keys and environment files that an imported file names', async () => {
    const cwd = folderWith({ 'CLAUDE.md': 'See @.env and @a.md\n', '.env': 'TOKEN=hidden\n', 'a.md': 'A' });
    const { stdout } = await cuebook(['import', 'CLAUDE.md', '--json'], { cwd });
    expect(stdout).not.toContain('hidden');
    expect(JSON.parse(stdout).written).toEqual(['sheets/claude.yaml', 'texts/a.md']);
  });

  it('asks for trust, and takes it for all or by name', async () => {
    const cwd = folderWith(FILES);
    const none = await cuebook(['import', 'prompts.json', '--accept', 'W_IMPORT_SECTION'], { cwd });
    expect(none.code).toBe(2);
    expect(none.stdout).toMatch(/^prompts\.json:1:\d+ error E_IMPORT_TRUST /m);
    expect(existsSync(join(cwd, 'sheets'))).toBe(false);
    const low = await cuebook(['import', 'prompts.json', '--trust', 'user'], { cwd });
    expect(low.stdout).toContain('stands in a system message');
    const moved = await cuebook(
      ['import', 'prompts.json', '--trust', 'user', '--system-to-user', '--dry-run', '--json'],
      { cwd },
    );
    expect(JSON.parse(moved.stdout).files[0].text).toContain('role: user');
    const named = await cuebook(
      [
        'import',
        'prompts.json',
        '--trust',
        'user',
        '--trust',
        'tone=operator',
        '--accept',
        'W_IMPORT_SECTION',
      ],
      { cwd },
    );
    expect(named.code).toBe(0);
    const rendered = await cuebook(
      ['render', 'sheet:support/answer', '--set', 'tone=kind', '--set', 'question=why'],
      { cwd },
    );
    expect(rendered.stdout).toContain('Be kind.');
    expect(rendered.stdout).toContain('- trust: user');
    expect((await cuebook(['import', 'prompts.json', '--trust', 'nobody'], { cwd })).code).toBe(2);
  });

  it('names losses and ends with 1 unless they are accepted', async () => {
    const cwd = folderWith(FILES);
    const lost = await cuebook(['import', 'langfuse', 'prompts.json', '--trust', 'operator'], { cwd });
    expect(lost.code).toBe(1);
    expect(lost.stdout).toMatch(/^prompts\.json:1:\d+ warning W_IMPORT_SECTION /m);
    const sarif = JSON.parse(
      (await cuebook(['import', 'prompts.json', '--trust', 'operator', '--sarif'], { cwd })).stdout,
    );
    expect(sarif.runs[0].results.map(({ level }: { level: string }) => level)).toContain('warning');
    const agreed = await cuebook(
      ['import', 'prompts.json', '--trust', 'operator', '--accept', 'W_IMPORT_SECTION'],
      { cwd },
    );
    expect(agreed.code).toBe(0);
  });

  it('never writes over a file: it shows the difference, and --update writes', async () => {
    const cwd = folderWith(FILES);
    await cuebook(['import', 'CLAUDE.md'], { cwd });
    writeFileSync(join(cwd, 'CLAUDE.md'), 'Be kinder.\n');
    const before = read(cwd, 'sheets/claude.yaml');
    const refused = await cuebook(['import', 'CLAUDE.md'], { cwd });
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('- Be kind.');
    expect(refused.stdout).toContain('+ Be kinder.');
    expect(refused.stdout).toContain('E_IMPORT_EXISTS');
    expect(refused.stdout).toMatch(/would be\nNext:\n {2}\S*cuebook import CLAUDE\.md --update {3}/);
    const named = await cuebook(['import', 'CLAUDE.md', '--name', 'a/b', '--accept', 'W_IMPORT_KEY'], {
      cwd,
    });
    expect(named.code).toBe(0);
    for (const name of ['a b', '../a', 'a//b', '-a', ''])
      expect((await cuebook(['import', 'CLAUDE.md', `--name=${name}`], { cwd })).code, name).toBe(2);
    writeFileSync(join(cwd, 'CLAUDE.md'), 'Be kindest.\n');
    const again = await cuebook(['import', 'CLAUDE.md', '--name', 'a/b', '--accept', 'W_IMPORT_KEY'], {
      cwd,
    });
    expect(again.stdout).toContain('import CLAUDE.md --name a/b --accept W_IMPORT_KEY --update');
    writeFileSync(join(cwd, 'CLAUDE.md'), 'Be kinder.\n');
    expect([read(cwd, 'texts/claude.md'), read(cwd, 'sheets/claude.yaml')]).toEqual(['Be kind.\n', before]);
    expect((await cuebook(['import', 'CLAUDE.md', '--update'], { cwd })).code).toBe(0);
    expect(read(cwd, 'texts/claude.md')).toBe('Be kinder.\n');
  });

  it('reads standard input and files elsewhere, without naming where they lie', async () => {
    const cwd = folderWith({ 'cuebook.yaml': '' });
    const piped = await cuebook(
      ['import', 'langfuse', '-', '--trust', 'operator', '--accept', 'W_IMPORT_SECTION'],
      { cwd, input: PROMPTS },
    );
    expect(piped.code).toBe(0);
    expect((await cuebook(['import', '-'], { cwd, input: PROMPTS })).code).toBe(2);
    const other = folderWith(FILES);
    expect((await cuebook(['import', join(other, 'CLAUDE.md')], { cwd })).code).toBe(0);
    expect(read(cwd, 'sheets/claude.yaml')).toContain('file: CLAUDE.md\n');
    for (const place of ['.claude/agents/reviewer.md', '.claude/agents', '.claude']) {
      const far = await cuebook(['import', join(other, place), '--json'], { cwd });
      expect(JSON.parse(far.stdout).sheets).toEqual(['agents/reviewer']);
      const near = await cuebook(['import', place, '--json'], { cwd: other });
      expect(JSON.parse(near.stdout).sheets).toEqual(['agents/reviewer']);
    }
    expect(read(cwd, 'sheets/agents/reviewer.yaml')).toContain('file: .claude/agents/reviewer.md\n');
    const strange = await cuebook(['import', join(cwd, 'cuebook.yaml')], { cwd });
    expect([strange.code, strange.stderr]).toEqual([2, expect.stringContaining('E_IMPORT_SOURCE')]);
  });
});

const SERVER = `
const PROMPTS = [
  { name: 'review', arguments: [{ name: 'code', required: true }, { name: 'tone' }] },
  { name: 'count', arguments: [{ name: 'code', required: true }] },
];
const text = (name, { code = '', tone = '' }) => (name === 'review' ? 'Review ' + code + ' ' + tone : code.length + ' characters');
let rest = '';
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) continue;
    const result =
      method === 'prompts/list' ? { prompts: PROMPTS }
      : method === 'prompts/get' ? { messages: [{ role: 'user', content: { type: 'text', text: text(params.name, params.arguments) } }] }
      : {};
    console.log('news of the server');
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }
});
`;

describe('cuebook import mcp --server', () => {
  itAlways('calls each prompt with markers, and refuses one that is a program', async () => {
    const cwd = folderWith({ 'cuebook.yaml': '', 'server.mjs': SERVER });
    const env = { PATH: process.env.PATH };
    const { code, stdout } = await cuebook(
      ['import', 'mcp', '--server', `${process.execPath} server.mjs`, '--trust', 'operator'],
      { cwd, env },
    );
    expect(stdout).toContain('+ sheets/review.yaml');
    expect(stdout).toContain('W_IMPORT_MARKER "count"');
    expect(code).toBe(1);
    const rendered = await cuebook(['render', 'sheet:review', '--set', 'code=x', '--set', 'tone=kind'], {
      cwd,
    });
    expect(rendered.stdout).toContain('Review x kind');
    const none = await cuebook(['import', 'mcp', '--server', 'no-such-program-here'], { cwd, env });
    expect([none.code, none.stderr]).toEqual([3, expect.stringContaining('E_IMPORT_SOURCE')]);
  });
});
