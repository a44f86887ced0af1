import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it as itAlways } from 'vitest';
import type {
  CodeAction,
  CompletionItem,
  Hover,
  InlayHint,
  Location,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import { itInTurn as it } from '../../../../test/runs.js';
import { folderWith } from '../../test/cuebook.js';
import { openEditor } from '../../test/editor.js';

const SHEET = `title: Greet
inputs:
  name: { trust: user, secrecy: public, volatility: turn, example: Ada }
  team: { trust: operator, secrecy: public, volatility: session, example: desk }
blocks:
  - name: rules
    role: system
    parts:
      - include: tone
      - template: "You work for {{.team}}."
  - name: ask
    role: user
    parts:
      - text: "Greet: "
      - input: name
`;
const FILES = {
  'cuebook.yaml': 'roots: {}\n',
  'sheets/greet.yaml': SHEET,
  'texts/tone.md': 'Be kind.\n',
  'texts/unused.yaml': 'parts:\n  - include: tone\n',
};

const at = (text: string, words: string, add = 0) => {
  const offset = text.indexOf(words) + add;
  const before = text.slice(0, offset).split('\n');
  return { position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } };
};

describe('the language server over standard streams', () => {
  itAlways('tells what is wrong with what is typed, and ends as the protocol says', async () => {
    const editor = await openEditor(folderWith(FILES));
    const broken = SHEET.replace('include: tone', 'include: tome');
    await editor.open('sheets/greet.yaml', broken);
    const [found] = await editor.until('sheets/greet.yaml', (all) => all.length > 0);
    expect(found).toMatchObject({ code: 'E_INCLUDE_UNKNOWN', severity: 1, source: 'cuebook' });
    expect(found?.range).toEqual({ start: { line: 8, character: 17 }, end: { line: 8, character: 21 } });
    const actions = await editor.ask<CodeAction[]>('codeAction', 'sheets/greet.yaml', {
      range: found?.range,
      context: { diagnostics: [found] },
    });
    expect(actions.map(({ title, isPreferred }) => [title, isPreferred])).toEqual([
      ['Change to "tone"', true],
      ['Write texts/tome.md', false],
    ]);
    await editor.type('sheets/greet.yaml', SHEET);
    await editor.until('sheets/greet.yaml', (all) => all.length === 0);
    expect(await editor.end()).toEqual({ code: 0, stderr: '' });
  });

  it('a text that is open counts for those who include it, and what is saved when it is closed', async () => {
    const editor = await openEditor(folderWith(FILES));
    await editor.open('texts/tone.md', 'Be kind to {{name}}.\n');
    const [found] = await editor.until('texts/tone.md', (all) => all.length > 0);
    expect(found?.code).toBe('W_PLACEHOLDER');
    await editor.close('texts/tone.md');
    await editor.until('texts/tone.md', (all) => all.length === 0);
    expect((await editor.end()).code).toBe(0);
  });

  it('leads from a name to what it means, and back, and changes it everywhere', async () => {
    const editor = await openEditor(folderWith(FILES));
    await editor.open('sheets/greet.yaml', SHEET);
    const include = at(SHEET, 'tone', 1);
    const [definition] = await editor.ask<Location[]>('definition', 'sheets/greet.yaml', include);
    expect(definition?.uri).toBe(editor.uri('texts/tone.md'));
    await editor.open('texts/tone.md', FILES['texts/tone.md']);
    const uses = await editor.ask<Location[]>('references', 'texts/tone.md', {
      position: { line: 0, character: 3 },
      context: { includeDeclaration: false },
    });
    expect(uses.map(({ uri }) => uri).sort()).toEqual([
      editor.uri('sheets/greet.yaml'),
      editor.uri('texts/unused.yaml'),
    ]);
    const edit = await editor.ask<WorkspaceEdit>('rename', 'sheets/greet.yaml', {
      ...include,
      newName: 'manner',
    });
    expect(edit.documentChanges).toHaveLength(3);
    expect(edit.documentChanges?.at(-1)).toEqual({
      kind: 'rename',
      oldUri: editor.uri('texts/tone.md'),
      newUri: editor.uri('texts/manner.md'),
    });
    const [input] = await editor.ask<Location[]>(
      'definition',
      'sheets/greet.yaml',
      at(SHEET, '{{.team}}', 4),
    );
    expect(input?.range.start).toEqual(at(SHEET, 'team: {').position);
    await expect(
      editor.ask('rename', 'sheets/greet.yaml', { ...include, newName: 'no such name' }),
    ).rejects.toThrow('cannot be the name');
    expect((await editor.end()).code).toBe(0);
  });

  it('completes, explains, counts and colours', async () => {
    const editor = await openEditor(folderWith(FILES));
    const typed = SHEET.replace('include: tone', 'include: ').replace('{{.team}}', '{{.');
    await editor.open('sheets/greet.yaml', typed);
    const labels = async (place: object) =>
      ((await editor.ask<CompletionItem[]>('completion', 'sheets/greet.yaml', place)) ?? []).map(
        ({ label }) => label,
      );
    expect(await labels(at(typed, 'include: ', 9))).toEqual(['tone', 'unused']);
    expect(await labels(at(typed, '{{.', 3))).toEqual(['name', 'team']);
    expect(await labels(at(typed, '{{.', 2))).toContain('range');
    await editor.type('sheets/greet.yaml', SHEET);
    const hover = await editor.ask<Hover>('hover', 'sheets/greet.yaml', at(SHEET, 'tone', 1));
    const { value } = hover.contents as { value: string };
    expect(value).toContain('defined in `texts/tone.md`');
    expect(value).toContain('Told in `sheet:greet`, block `rules` (system): trust author');
    expect(value).toContain('Be kind.');
    const hints = await editor.ask<InlayHint[]>('inlayHint', 'sheets/greet.yaml', {
      range: { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } },
    });
    expect(hints.map(({ label }) => label)).toEqual([
      expect.stringMatching(/^\d+ tokens$/),
      expect.stringMatching(/^\d+ tokens$/),
      expect.stringMatching(/^stable prefix: \d+ bytes$/),
    ]);
    const { data } = await editor.ask<{ data: number[] }>('semanticTokens/full', 'sheets/greet.yaml');
    const kinds = new Set(data.filter((_, index) => index % 5 === 3));
    // Author, operator, user.
    expect([...kinds].sort()).toEqual([1, 2, 3]);
    expect((await editor.end()).code).toBe(0);
  });

  it('goes on whatever it is sent: hostile texts, places that are nowhere, files of nowhere', async () => {
    const folder = folderWith({ ...FILES, 'texts/binary.md': Uint8Array.of(0xff, 0, 0x80) });
    symlinkSync('/etc/hostname', join(folder, 'texts/out.md'));
    const editor = await openEditor(folder);
    const deep = `blocks: ${'['.repeat(20_000)}`;
    const includes = ['binary', 'out', 'tone'].map((name) => `      - include: ${name}\n`).join('');
    const hostile = `blocks:\n  - name: a\n    role: user\n    parts:\n${includes}`;
    await editor.open('sheets/greet.yaml', deep);
    await editor.until('sheets/greet.yaml', ([found]) => found?.code === 'E_SHEET');
    await editor.type('sheets/greet.yaml', `${'{{'.repeat(50_000)}\ud800`);
    await editor.type('sheets/greet.yaml', hostile);
    const found = await editor.until('sheets/greet.yaml', (all) => all.length === 2);
    expect(found.map(({ range: { start } }) => start.line)).toEqual([4, 5]);
    for (const method of ['hover', 'definition', 'completion', 'prepareRename']) {
      const nowhere = { position: { line: 1e9, character: 1e9 } };
      expect(await editor.ask(method, 'sheets/greet.yaml', nowhere)).toBeDefined();
      expect(await editor.ask(method, '../../nowhere.yaml', nowhere)).toBeNull();
    }
    await expect(editor.connection.sendRequest('no/suchMethod')).rejects.toThrow();
    await editor.type('sheets/greet.yaml', SHEET);
    await editor.until('sheets/greet.yaml', (all) => all.length === 0);
    expect((await editor.end()).code).toBe(0);
  });
});
