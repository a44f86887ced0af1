import { describe, expect, it } from 'vitest';
import { itInTurn } from '../../../../test/runs.js';
import { adopt, rendered } from '../../test/render.js';
import { mergeAdopted } from '../merge.js';
import { READERS, readerOf } from '../readers.js';

const read = (path: string, text: string, files: Record<string, string> = {}, how = {}) => {
  const reader = READERS.find(({ detect }) => detect(path, text));
  if (reader === undefined) throw new Error(`no reader for ${path}`);
  const file = (at: string) => (at in files ? Buffer.from(files[at] ?? '') : undefined);
  return adopt(reader, path, text, { file, ...how });
};
const told = (adopted: ReturnType<typeof read>) =>
  adopted.diagnostics.map(({ code, severity, line, column }) => `${line}:${column} ${severity} ${code}`);

it.each([
  ['CLAUDE.md', 'claude'],
  ['pkg/CLAUDE.local.md', 'claude'],
  ['.claude/rules/a/b.md', 'claude'],
  ['.claude/agents/a.md', 'claude'],
  ['.claude/commands/git/fix.md', 'claude'],
  ['.claude/output-styles/x.md', 'claude'],
  ['AGENTS.md', 'agents-md'],
  ['pkg/AGENTS.md', 'agents-md'],
  ['GEMINI.md', 'gemini'],
  ['.gemini/commands/do.toml', 'gemini'],
  ['.gemini/agents/a.md', 'gemini'],
  ['.github/copilot-instructions.md', 'copilot'],
  ['.github/instructions/x.instructions.md', 'copilot'],
  ['.github/prompts/x.prompt.md', 'copilot'],
  ['.github/agents/x.agent.md', 'copilot'],
  ['.cursor/rules/x.mdc', 'cursor'],
  ['.cursorrules', 'cursor'],
  ['.agents/skills/x/SKILL.md', 'skill'],
  ['prompts/x.prompt', 'dotprompt'],
  ['x.prompt.yml', 'github-models'],
])('%s is read by %s alone', (path, id) => {
  expect(READERS.filter(({ detect }) => detect(path, '')).map((reader) => reader.id)).toEqual([id]);
});

it('files of no format are left alone', () => {
  for (const path of ['README.md', 'docs/claude.md', 'package.json', 'agents/x.md', 'x.toml', 'SKILLS.md'])
    expect(READERS.filter(({ detect }) => detect(path, '{"name": "x"}'))).toEqual([]);
});

describe('CLAUDE.md', () => {
  it('is kept byte for byte, white space and all', async () => {
    const text = '# Rules\r\n\n\tBe kind.  \n<!-- note -->\n\n';
    const adopted = read('CLAUDE.md', text);
    expect(adopted.texts).toEqual([{ name: 'claude', markdown: text }]);
    expect(await rendered(adopted, {})).toEqual([{ role: 'user', content: text }]);
    expect(told(adopted)).toEqual(['4:1 info W_IMPORT_COMMENT']);
  });

  it('includes what it imports, relative to each file, and not in code', async () => {
    const files = { 'pkg/docs/a.md': 'A (@../b.md)', 'pkg/b.md': 'B\n' };
    const adopted = read(
      'pkg/CLAUDE.md',
      'See @docs/a.md. `@docs/a.md`\n```\n@docs/a.md\n```\nme@x.y @alice @none.md\n',
      files,
    );
    expect(await rendered(adopted, {})).toEqual([
      { role: 'user', content: 'See A (B\n). `@docs/a.md`\n```\n@docs/a.md\n```\nme@x.y @alice @none.md\n' },
    ]);
    expect(told(adopted)).toEqual([
      '1:4 info W_IMPORT_REFERENCE',
      '1:5 info W_IMPORT_REFERENCE',
      '5:15 info W_IMPORT_REFERENCE',
    ]);
    expect(adopted.diagnostics[0]?.file).toBe('pkg/docs/a.md');
    expect(adopted.texts.map(({ name }) => name).sort()).toEqual(['pkg/b', 'pkg/docs/a']);
  });

  it('does not follow cycles, depth, and paths out of the repository', () => {
    const files = {
      'a.md': '@b.md',
      'b.md': '@a.md',
      'x1.md': '@x2.md',
      'x2.md': '@x3.md',
      'x3.md': '@x4.md',
      'x4.md': '@x5.md',
      'x5.md': 'end',
    };
    expect(told(read('CLAUDE.md', '@a.md', files)).filter((line) => line.includes('warning'))).toEqual([
      '1:1 warning W_IMPORT_REFERENCE',
    ]);
    expect(told(read('CLAUDE.md', '@x1.md', files)).filter((line) => line.includes('warning'))).toHaveLength(
      1,
    );
    const outside = read('CLAUDE.md', '@../../etc/passwd @~/x.md @/etc/hosts', {});
    expect(outside.texts).toEqual([{ name: 'claude', markdown: '@../../etc/passwd @~/x.md @/etc/hosts' }]);
  });
});

describe('agents, commands and skills', () => {
  it('an agent keeps its tools, model and fields', () => {
    const adopted = read(
      '.claude/agents/x.md',
      '---\nname: x\ndescription: d\ntools: [Read, Grep]\nmodel: opus\nmaxTurns: 3\n---\nBody\n',
    );
    expect(adopted.sheets).toMatchObject([
      {
        name: 'agents/x',
        title: 'd',
        params: { model: 'opus' },
        capabilities: ['Read', 'Grep'],
        meta: { frontmatter: { maxTurns: 3 } },
        blocks: [{ role: 'system' }],
      },
    ]);
    expect(told(adopted)).toEqual(['6:11 info W_IMPORT_KEY']);
    expect(told(read('.claude/agents/x.md', '---\nname: x\n---\nBody\n'))).toEqual([
      '1:1 warning E_IMPORT_SYNTAX',
    ]);
  });

  it('a bare colon in a description is read, and told', () => {
    const adopted = read(
      '.claude/skills/x/SKILL.md',
      '---\nname: x\ndescription: Use when: always\n---\nBody\n',
    );
    expect(adopted.sheets[0]?.title).toBe('Use when: always');
    expect(told(adopted)).toEqual(['3:14 info W_IMPORT_SYNTAX']);
  });

  it.each([
    { what: 'a key twice', head: 'name: x\nname: y\ndescription: d' },
    {
      what: 'laughs',
      head: `a: &a [x]\nb: &b [${'*a, '.repeat(30)}]\nc: &c [${'*b, '.repeat(30)}]\nd: [${'*c, '.repeat(30)}]`,
    },
    { what: 'no map', head: '- a' },
  ])('fields that cannot be read are an error: $what', ({ head }) => {
    const adopted = read('.claude/skills/x/SKILL.md', `---\n${head}\n---\nBody\n`);
    expect(adopted.sheets).toEqual([]);
    expect(told(adopted)).toEqual([expect.stringContaining('error E_IMPORT_SYNTAX')]);
  });

  it('arguments of a command become inputs, and the dialect is asked for', async () => {
    const text =
      '---\ndescription: d\narguments: [file]\n---\nFix $ARGUMENTS in $file, \\$ARGUMENTS, $other, $5x\n';
    const asked = read('.claude/commands/fix.md', text);
    expect(asked.sheets).toEqual([]);
    expect(told(asked)).toEqual(['5:47 warning W_IMPORT_DIALECT']);
    const adopted = read('.claude/commands/fix.md', text, {}, { firstArgument: 0 });
    expect(await rendered(adopted, { arguments: 'all', file: 'f' })).toEqual([
      { role: 'user', content: 'Fix all in f, $ARGUMENTS, $other, $5x\n' },
    ]);
    expect([
      ...(read('.claude/commands/fix.md', 'a $0 $1', {}, { firstArgument: 0 }).sheets[0]?.inputs.keys() ??
        []),
    ]).toEqual(['argument_1', 'argument_2']);
  });

  it('a command in the text is never imported as text', () => {
    expect(told(read('.claude/commands/x.md', 'Status: !`git status`\n'))).toContain(
      '1:9 warning W_IMPORT_COMMAND',
    );
    expect(told(read('.gemini/commands/x.toml', 'prompt = "a !{git diff} b"'))).toContain(
      '1:13 warning W_IMPORT_COMMAND',
    );
    expect(told(read('.gemini/commands/x.toml', 'prompt = """\na @{x.md}\n"""'))).toContain(
      '2:3 warning W_IMPORT_REFERENCE',
    );
    expect(told(read('.gemini/commands/x.toml', 'prompt = 3'))).toEqual(['1:1 error E_IMPORT_SYNTAX']);
    expect(told(read('.gemini/commands/x.toml', 'prompt = "'))).toEqual([
      expect.stringContaining('error E_IMPORT_SYNTAX'),
    ]);
  });

  it('prompt files of the editor take inputs', async () => {
    const $ = '$';
    const adopted = read(
      '.github/prompts/x.prompt.md',
      `---\ndescription: d\nagent: ask\n---\nMake ${$}{input:name:a name} of ${$}{x}\n`,
    );
    expect(await rendered(adopted, { name: 'N' })).toEqual([
      { role: 'user', content: `Make N of ${$}{x}\n` },
    ]);
    expect(told(adopted)).toEqual(['5:6 info W_IMPORT_DEFAULT', '3:8 info W_IMPORT_KEY']);
    expect(told(read('.github/prompts/x.prompt.md', `Look at ${$}{selection}`))).toContain(
      '1:9 warning W_IMPORT_HELPER',
    );
  });

  it('a rule of Cursor keeps its glob as it is written', () => {
    const adopted = read(
      '.cursor/rules/a.mdc',
      '---\ndescription:\nglobs: **/*.ts\nalwaysApply: "true"\n---\nX\n',
    );
    expect(adopted.sheets[0]?.meta.frontmatter).toEqual({
      description: '',
      globs: '**/*.ts',
      alwaysApply: 'true',
    });
  });
});

describe('hostile files', () => {
  itInTurn('of any reader are told or taken, and never thrown', () => {
    const bytes = [
      Uint8Array.from([0xff, 0xfe, 0x41]),
      new Uint8Array(0),
      Buffer.from('---\n'.repeat(2000)),
      Buffer.from('`'.repeat(100_000)),
      Buffer.from('@a.md '.repeat(50_000)),
      Buffer.from(`{{a}} ${'$'}{input:b} $1 $ARGUMENTS `.repeat(5000)),
      Buffer.from(`---\n${'a: &x\n'.repeat(500)}---\nx`),
      Buffer.from('x'.repeat(2_000_000)),
      Buffer.from('[['.repeat(10_000)),
    ];
    for (const reader of READERS)
      for (const each of bytes)
        for (const path of [
          'CLAUDE.md',
          '.claude/agents/x.md',
          '.claude/commands/x.md',
          '.gemini/commands/x.toml',
          'x.json',
          'x/SKILL.md',
        ]) {
          const { sheets, diagnostics } = reader.read(
            { path, bytes: each },
            { file: () => Buffer.from('@a.md') },
          );
          expect(sheets.length + diagnostics.length).toBeGreaterThan(0);
        }
    expect(
      readerOf('claude')?.read({ path: 'CLAUDE.md', bytes: Uint8Array.from([0x41, 0x0a, 0xff]) }, {})
        .diagnostics,
    ).toMatchObject([{ code: 'E_IMPORT_SYNTAX', line: 2, column: 1 }]);
  });
});

it('two files of one name become two sheets', () => {
  const claude = read('.claude/agents/x.md', '---\nname: x\ndescription: d\n---\nClaude\n');
  const gemini = read('.gemini/agents/x.md', '---\nname: x\ndescription: d\n---\nGemini\n');
  const merged = mergeAdopted([claude, gemini]);
  expect(merged.sheets.map(({ name, blocks }) => [name, blocks])).toEqual([
    ['agents/x', [{ name: 'instructions', role: 'system', parts: [{ include: 'agents/x' }] }]],
    ['agents/x-gemini', [{ name: 'instructions', role: 'system', parts: [{ include: 'agents/x-gemini' }] }]],
  ]);
  expect(merged.texts.map(({ name }) => name)).toEqual(['agents/x', 'agents/x-gemini']);
  expect(merged.diagnostics).toMatchObject([
    { code: 'W_IMPORT_NAME', severity: 'info', file: '.gemini/agents/x.md' },
  ]);
});
