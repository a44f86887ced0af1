import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inTurn, itInTurn, sampled } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { DEFINITIONS, NOTHING, OF_DEFINITION, OF_SHEET, SHEET, SHEETS } from '../../test/diff-edits.js';
import { commitAll } from '../../test/git.js';

interface Diff {
  readonly same: boolean;
  readonly [section: string]: unknown;
}

const PROJECT = { ...SHEETS, ...DEFINITIONS };

function project(files: Readonly<Record<string, string>> = SHEETS): string {
  const cwd = folderWith(files);
  commitAll(cwd, 'before');
  return cwd;
}

async function edited(cwd: string, file: string, from: string, to: string, target: string): Promise<Diff> {
  const text = PROJECT[file] ?? '';
  expect(text).toContain(from);
  writeFileSync(join(cwd, file), text.replace(from, to));
  const { stdout, stderr, code } = await cuebook(['diff', `${target}@HEAD`, target, '--json'], { cwd });
  writeFileSync(join(cwd, file), text);
  const diff: Diff = JSON.parse(stdout);
  expect([code, stderr.includes('error')]).toEqual([diff.same ? 0 : 1, false]);
  return diff;
}

const at = (diff: Diff, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], diff);

describe('an edit is told where it belongs', () => {
  it('has sixty of them', () => {
    expect(OF_SHEET.length + OF_DEFINITION.length).toBeGreaterThanOrEqual(60);
  });

  itInTurn.each(sampled(OF_SHEET, 8))('%s', async (_title, file, from, to, section, says) => {
    const diff = await edited(project(), file, from, to, 'sheet:desk');
    expect(diff.same).toBe(false);
    expect(JSON.stringify(at(diff, section))).toContain(JSON.stringify(says).slice(1, -1));
  });

  it.each(inTurn(sampled(OF_DEFINITION, 2)))(
    '%s of a definition',
    async (_title, file, from, to, section, says) => {
      const diff = await edited(project(DEFINITIONS), file, from, to, 'prompt:helper');
      expect(diff.same).toBe(false);
      expect(JSON.stringify(at(diff, section))).toContain(says);
    },
  );

  it.each(NOTHING)('%s is the same to the byte', async (_title, file, from, to) => {
    expect(await edited(project(), file, from, to, 'sheet:desk')).toMatchObject({ same: true });
  });

  it('what a stranger demands is no obligation', async () => {
    const [from, to] = ['example: a change', 'example: You must obey.'];
    const diff = await edited(project(), SHEET, from, to, 'sheet:desk');
    expect(diff.obligations).toEqual({ added: [], dropped: [] });
  });

  it('a target that composes no more is broken, not removed', async () => {
    const cwd = project();
    writeFileSync(
      join(cwd, 'sheets/other.yaml'),
      'blocks:\n  - { name: a, role: user, parts: [{ include: tone }] }\n',
    );
    commitAll(cwd, 'other');
    writeFileSync(
      join(cwd, 'sheets/other.yaml'),
      'blocks:\n  - { name: a, role: user, parts: [{ include: none }] }\n',
    );
    const { stdout } = await cuebook(['diff', 'sheet:desk@HEAD', 'sheet:desk', '--json'], { cwd });
    expect(JSON.parse(stdout).reach).toEqual([{ target: 'sheet:other', change: 'broken', through: [] }]);
    const text = await cuebook(['diff', 'sheet:desk@HEAD', 'sheet:desk'], { cwd });
    expect(text.stdout).toContain('sheet:other broken');
  });

  it('people read every section', async () => {
    const cwd = project();
    const text = (PROJECT[SHEET] ?? '')
      .replace('temperature: 0.2', 'temperature: 0.9')
      .replace('Reads a file.', 'Reads it.')
      .replace('name: team\n    role: user', 'name: team\n    role: system')
      .replace('volatility: deploy', 'volatility: session');
    writeFileSync(join(cwd, SHEET), text);
    const { stdout } = await cuebook(['diff', 'sheet:desk@HEAD', 'sheet:desk'], { cwd });
    for (const line of [
      'Blocks',
      '+ team: role system',
      'Tools',
      '- read_file.description: Reads a file.',
      'Parameters',
      '+ temperature: 0.9',
      'Labels',
    ])
      expect(stdout).toContain(line);
  });
});

describe('notes of two targets', () => {
  const sheet = (meta: string) => `meta: ${meta}\nblocks: [{ name: b, role: user, parts: [{ text: Hi }] }]\n`;
  it('are told where they differ, and make no other prompt of it', async () => {
    const cwd = folderWith({
      'sheets/a.yaml': sheet('{ source: { version: 1, labels: [production] }, owner: desk }'),
      'sheets/b.yaml': sheet('{ source: { version: 2, labels: [production] }, ticket: "7" }'),
    });
    const { stdout, code } = await cuebook(['diff', 'sheet:a', 'sheet:b', '--json'], { cwd });
    expect(code).toBe(0);
    const { same, meta } = JSON.parse(stdout) as { same: boolean; meta: readonly { path: string }[] };
    expect([same, [...meta].sort((a, b) => (a.path < b.path ? -1 : 1))]).toEqual([
      true,
      [
        { path: 'owner', before: 'desk' },
        { path: 'source.version', before: 1, after: 2 },
        { path: 'ticket', after: '7' },
      ],
    ]);
    const text = (await cuebook(['diff', 'sheet:a', 'sheet:b'], { cwd })).stdout;
    expect(text).toContain('the same to the byte');
    expect(text).toContain('Notes (meta, never sent)\n');
    expect(text).toContain('- source.version: 1\n+ source.version: 2\n');
  });
});
