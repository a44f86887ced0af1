import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
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

  it('writes sheets that check, and the same again changes nothing', async () => {
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

describe('cuebook export', () => {
  const SHEETS = {
    'cuebook.yaml': '',
    'sheets/house.yaml':
      'title: House rules\nblocks:\n  - name: a\n    role: system\n    parts:\n      - text: |\n          Be kind.\n',
    'sheets/ask.yaml':
      'inputs:\n  q: { trust: user, secrecy: public, volatility: turn }\nblocks:\n  - name: a\n    role: user\n    parts: [{ text: "Q: " }, { input: q }]\n',
    'sheets/hidden.yaml':
      'inputs:\n  q: { trust: operator, secrecy: confidential, volatility: turn }\nblocks:\n  - name: a\n    role: user\n    parts: [{ text: "Q: " }, { input: q }]\n',
    'sheets/twice.yaml':
      'inputs:\n  q: { trust: operator, secrecy: public, volatility: turn }\n  o: { trust: operator, secrecy: public, volatility: turn, required: false }\nblocks:\n  - history: {}\n  - name: a\n    role: user\n    parts: [{ input: q }, { input: q }, { text: ", " }, { input: o }]\n',
    'AGENTS.md': 'Mine.\n',
  };
  const change = (cwd: string): void =>
    writeFileSync(join(cwd, 'sheets/house.yaml'), SHEETS['sheets/house.yaml'].replace('kind', 'kinder'));

  it('writes regions beside what people wrote, and brings them up to date', async () => {
    const cwd = folderWith(SHEETS);
    for (const to of ['agents-md', 'claude', 'cursor'])
      expect((await cuebook(['export', 'sheet:house', '--to', to], { cwd })).code).toBe(0);
    expect(read(cwd, 'AGENTS.md')).toMatch(
      /^Mine\.\n\n<!-- cuebook:begin sheet:house sha256:[0-9a-f]{64} -->\nBe kind\.\n<!-- cuebook:end -->\n$/,
    );
    expect((await cuebook(['export', '--check'], { cwd })).code).toBe(0);
    change(cwd);
    const drift = await cuebook(['export', '--check', '--json'], { cwd });
    expect(drift.code).toBe(1);
    expect(JSON.parse(drift.stdout).diagnostics.map(({ code }: { code: string }) => code)).toEqual([
      'E_EXPORT_DRIFT',
      'E_EXPORT_DRIFT',
      'E_EXPORT_DRIFT',
    ]);
    expect((await cuebook(['export'], { cwd })).code).toBe(0);
    expect(read(cwd, 'AGENTS.md')).toContain('Be kinder.');
    expect(read(cwd, 'AGENTS.md')).toMatch(/^Mine\.\n/);
    expect(read(cwd, 'CLAUDE.md')).toContain('Be kinder.');
    writeFileSync(join(cwd, 'AGENTS.md'), `${read(cwd, 'AGENTS.md')}More of mine.\n`);
    expect((await cuebook(['export', '--check'], { cwd })).code).toBe(0);
  });

  it.each([
    { to: 'agents-md', path: 'AGENTS.md' },
    { to: 'cursor', path: '.cursor/rules/house.mdc' },
  ])('never loses a hand edit: $to', async ({ to, path }) => {
    const cwd = folderWith(SHEETS);
    await cuebook(['export', 'sheet:house', '--to', to], { cwd });
    const edited = read(cwd, path).replace('Be kind.', 'Be kind. By hand.');
    writeFileSync(join(cwd, path), edited);
    change(cwd);
    const refused = await cuebook(['export'], { cwd });
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('E_EXPORT_EDITED');
    expect(refused.stdout).toContain('the source changed, too');
    expect(read(cwd, path)).toBe(edited);
    const over = await cuebook(['export', '--overwrite', '--json'], { cwd });
    expect(over.code).toBe(0);
    const [kept] = JSON.parse(over.stdout).kept;
    expect(read(cwd, kept)).toBe(edited);
    expect(read(cwd, path)).toContain('Be kinder.');
  });

  it.each([
    { to: 'claude', path: 'CLAUDE.md', sheet: 'claude' },
    { to: 'agents-md', path: 'AGENTS.md', sheet: 'agents-md' },
  ])('marks the words that were imported from $path in their place', async ({ to, path, sheet }) => {
    const text = '# Rules\n\nBe kind.';
    const cwd = folderWith({ 'cuebook.yaml': '', [path]: text });
    const imported = await cuebook(['import', path], { cwd });
    expect(imported.stdout).toContain(`sheets/${sheet}.yaml`);
    const out = await cuebook(['export', `sheet:${sheet}`, '--to', to], { cwd });
    expect(out.stdout).toContain('was in the file already');
    expect(read(cwd, path).match(/Be kind\./g)).toHaveLength(1);
    expect((await cuebook(['export', '--check'], { cwd })).code).toBe(0);
    // From now on the text of the project is the source.
    const source = `texts/${sheet}.md`;
    writeFileSync(join(cwd, source), read(cwd, source).replace('kind', 'kinder'));
    expect((await cuebook(['export'], { cwd })).code).toBe(0);
    expect(read(cwd, path)).toContain('Be kinder.');
    expect(read(cwd, path)).not.toContain('Be kind.');
    // A copy outside of the region is named, and left alone.
    writeFileSync(join(cwd, path), `${read(cwd, path)}\n# Rules\n\nBe kinder.\n`);
    const double = await cuebook(['export'], { cwd });
    expect(double.stdout).toContain('a second time');
    expect(read(cwd, path).match(/Be kinder\./g)).toHaveLength(2);
  });

  it('an imported agent goes back to the same bytes, and a hand edit is shown beside what would be written', async () => {
    const path = '.claude/agents/reviewer.md';
    const text = '---\nname: reviewer\ndescription: Reviews a change.\ntools: Read, Grep\n---\nYou review.\n';
    const cwd = folderWith({ 'cuebook.yaml': '', [path]: text });
    await cuebook(['import', path], { cwd });
    const out = await cuebook(['export', 'sheet:agents/reviewer', '--to', 'claude-agent'], { cwd });
    expect([out.code, read(cwd, path)]).toEqual([0, text]);
    writeFileSync(join(cwd, path), text.replace('You review.', 'You review by hand.'));
    const refused = await cuebook(['export'], { cwd });
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(/- You review by hand\.\n\s+\+ You review\./);
  });

  it('takes several targets into one file, each with its values', async () => {
    const cwd = folderWith(SHEETS);
    const both = await cuebook(
      ['export', 'sheet:house', 'sheet:ask', '--to', 'agents-md', '--set', 'q=why'],
      { cwd },
    );
    expect(both.code).toBe(0);
    const text = read(cwd, 'AGENTS.md');
    expect([text.match(/cuebook:begin/g)?.length, text.includes('Be kind.'), text.includes('why')]).toEqual([
      2,
      true,
      true,
    ]);
    expect((await cuebook(['export', '--check'], { cwd })).code).toBe(0);
    change(cwd);
    expect((await cuebook(['export'], { cwd })).code).toBe(0);
    expect(read(cwd, 'AGENTS.md')).toBe(
      text
        .replace('Be kind.', 'Be kinder.')
        .replace(
          /(sheet:house sha256:)[0-9a-f]{64}/,
          (_, start) => start + /sheet:house sha256:([0-9a-f]{64})/.exec(read(cwd, 'AGENTS.md'))?.[1],
        ),
    );
    expect(
      (await cuebook(['export', 'sheet:house', 'sheet:ask', '--to', 'claude', '--set', 'z=1'], { cwd })).code,
    ).toBe(2);
  });

  it('does not take a file that it did not write', async () => {
    const cwd = folderWith({ ...SHEETS, '.cursor/rules/house.mdc': 'mine' });
    expect((await cuebook(['export', 'sheet:house', '--to', 'cursor'], { cwd })).code).toBe(1);
    expect(read(cwd, '.cursor/rules/house.mdc')).toBe('mine');
  });

  it.each([
    ['changed', (text: string) => text.replace('cuebook:begin sheet:house', 'cuebook:begin sheet:hause')],
    [
      'taken out',
      (text: string) => text.replace(/<!-- cuebook:begin[\s\S]*cuebook:end -->\n/, 'Mine alone.\n'),
    ],
  ])('does not write a region a second time whose marks were %s by hand', async (_, edit) => {
    const cwd = folderWith(SHEETS);
    await cuebook(['export', 'sheet:house', '--to', 'agents-md'], { cwd });
    const edited = edit(read(cwd, 'AGENTS.md'));
    writeFileSync(join(cwd, 'AGENTS.md'), edited);
    const again = await cuebook(['export'], { cwd });
    expect([again.code, again.stdout.includes('were changed or removed')]).toEqual([1, true]);
    expect((await cuebook(['export', '--check'], { cwd })).code).toBe(1);
    expect(read(cwd, 'AGENTS.md')).toBe(edited);
    expect((await cuebook(['export', '--overwrite'], { cwd })).code).toBe(0);
    expect(read(cwd, 'AGENTS.md')).toContain('cuebook:begin sheet:house');
  });

  it('sees files and targets that are gone', async () => {
    const cwd = folderWith(SHEETS);
    await cuebook(['export', 'sheet:house', '--to', 'cursor'], { cwd });
    await cuebook(['export', 'sheet:house', '--to', 'agents-md'], { cwd });
    rmSync(join(cwd, '.cursor/rules/house.mdc'));
    expect((await cuebook(['export', '--check'], { cwd })).stdout).toContain('exported and is missing');
    expect((await cuebook(['export'], { cwd })).code).toBe(0);
    rmSync(join(cwd, 'sheets/house.yaml'));
    expect((await cuebook(['export', '--check'], { cwd })).stdout).toContain('The target no longer exists');
    expect((await cuebook(['export'], { cwd })).code).toBe(0);
    expect(existsSync(join(cwd, '.cursor/rules/house.mdc'))).toBe(false);
    expect(read(cwd, 'AGENTS.md')).toBe('Mine.\n\n');
  });

  it('puts variables where the format has them, and asks for values where it has none', async () => {
    const cwd = folderWith(SHEETS);
    const printed = await cuebook(['export', 'sheet:ask', '--to', 'langfuse'], { cwd });
    expect(JSON.parse(printed.stdout)[0].prompt).toBe(
      'Q: \nINPUT_TEXT\n- name: q\n- trust: user\n{{q}}\nINPUT_TEXT_END',
    );
    expect(printed.stderr).toContain('values are not escaped');
    const none = await cuebook(['export', 'sheet:ask', '--to', 'claude'], { cwd });
    expect([none.code, none.stdout]).toEqual([1, expect.stringContaining('--set q=VALUE')]);
    expect((await cuebook(['export', 'sheet:ask', '--to', 'claude', '--set', 'q=why'], { cwd })).code).toBe(
      0,
    );
    expect((await cuebook(['export', '--check'], { cwd })).code).toBe(0);
  });

  it('keeps every use of an input, the history, and leaves out what may be left out', async () => {
    const cwd = folderWith(SHEETS);
    const printed = await cuebook(['export', 'sheet:twice', '--to', 'langfuse'], { cwd });
    expect(JSON.parse(printed.stdout)[0].prompt).toEqual([
      { type: 'placeholder', name: 'history' },
      { role: 'user', content: '{{q}}{{q}}, {{o}}' },
    ]);
    const fixed = await cuebook(['export', 'sheet:twice', '--to', 'openai-messages', '--set', 'q=Q'], {
      cwd,
    });
    expect(JSON.parse(fixed.stdout)).toEqual({ messages: [{ role: 'user', content: 'QQ, ' }] });
    // What is left out is told, wherever the format has no variables.
    for (const to of ['openai-messages', 'anthropic-messages', 'agents-md', 'claude', 'copilot', 'cursor']) {
      const told = await cuebook(['export', 'sheet:twice', '--to', to, '--set', 'q=Q'], { cwd });
      expect(told.stdout + told.stderr).toMatch(
        /warning W_EXPORT_LOST .* no text is written for o; .*--set o=VALUE/,
      );
      const given = await cuebook(['export', 'sheet:twice', '--to', to, '--set', 'q=Q', '--set', 'o=O'], {
        cwd,
      });
      expect(given.stdout + given.stderr).not.toContain('no text is written for');
    }
  });

  it('never exports one branch of a template as the whole', async () => {
    const sheet =
      'inputs:\n  q: { trust: operator, secrecy: public, volatility: turn, required: false }\nblocks:\n  - name: a\n    role: user\n    parts: [{ include: t }]\n';
    const cwd = folderWith({
      'sheets/cond.yaml': sheet,
      'texts/t.yaml': 'parts: [{ template: "A{{if .q}} with {{.q}}{{end}}" }]\n',
    });
    const refused = await cuebook(['export', 'sheet:cond', '--to', 'langfuse'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--set q=VALUE')]);
    const set = await cuebook(['export', 'sheet:cond', '--to', 'langfuse', '--set', 'q=Q'], { cwd });
    expect(JSON.parse(set.stdout)[0].prompt).toBe('A with Q');
  });

  it('refuses confidential text, strange calls and a broken list', async () => {
    const cwd = folderWith(SHEETS);
    const hidden = await cuebook(['export', 'sheet:hidden', '--to', 'langfuse'], { cwd });
    expect([hidden.code, hidden.stderr]).toEqual([1, expect.stringContaining('confidential')]);
    expect((await cuebook(['export'], { cwd })).code).toBe(2);
    expect((await cuebook(['export', 'sheet:house', '--to', 'word'], { cwd })).code).toBe(2);
    expect(
      (await cuebook(['export', 'sheet:house', '--to', 'claude', '--out', '../x.md'], { cwd })).code,
    ).toBe(2);
    writeFileSync(join(cwd, 'cuebook.exports.json'), '{');
    expect((await cuebook(['export', '--check'], { cwd })).stderr).toContain('E_EXPORT_LOCK');
  });
});

describe('out and in again', () => {
  const SHEET =
    'params: { model: m }\ninputs:\n  a: { trust: operator, secrecy: public, volatility: turn, required: false }\n  b: { trust: operator, secrecy: public, volatility: turn, required: false }\nblocks:\n  - name: x\n    role: system\n    parts: [{ text: "Be " }, { input: a }, { text: ", {x} and \\\\ kind.\\n" }]\n  - name: y\n    role: user\n    parts: [{ input: b }, { input: a }, { text: "!" }]\n';

  it.each([
    { to: 'langfuse', file: 'out.json' },
    { to: 'langchain', file: 'out.json' },
    { to: 'dotprompt', file: 'out.prompt' },
  ])('is a fixed point: $to', async ({ to, file }) => {
    const first = folderWith({ 'sheets/p.yaml': SHEET });
    expect((await cuebook(['export', 'sheet:p', '--to', to, '--out', file], { cwd: first })).code).toBe(0);
    const second = folderWith({ 'cuebook.yaml': '', [file]: read(first, file) });
    expect(
      (await cuebook(['import', file, '--name', 'p', '--trust', 'operator'], { cwd: second })).code,
    ).toBe(0);
    const values = ['--set', 'a=A', '--set', 'b=B', '--json'];
    const [one, two] = await Promise.all(
      [first, second].map(
        async (cwd) => JSON.parse((await cuebook(['render', 'sheet:p', ...values], { cwd })).stdout).messages,
      ),
    );
    expect(two).toEqual(one);
    await cuebook(['export', 'sheet:p', '--to', to, '--out', `again-${file}`], { cwd: second });
    const third = folderWith({ 'cuebook.yaml': '', [file]: read(second, `again-${file}`) });
    await cuebook(['import', file, '--name', 'p', '--trust', 'operator'], { cwd: third });
    const withoutMeta = (cwd: string): string =>
      read(cwd, 'sheets/p.yaml').replace(/^meta:\n(?: .*\n)*/m, '');
    expect(withoutMeta(third)).toBe(withoutMeta(second));
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
  it('calls each prompt with markers, and refuses one that is a program', async () => {
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
