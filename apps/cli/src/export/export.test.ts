import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it as itAlways } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

const read = (cwd: string, path: string): string => readFileSync(join(cwd, path), 'utf8');

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

  itAlways('writes regions beside what people wrote, and brings them up to date', async () => {
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

  itAlways.each([
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

  itAlways.each([
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
