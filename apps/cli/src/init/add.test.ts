import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itInTurn, runs } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { git } from '../../test/git.js';
import { TEMPLATE } from './template.js';
import { WORKFLOW_TEMPLATE } from './workflow/template.js';

/** Every file and link below a folder, by path, with its content, its mode and where it leads. */
function snapshot(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (entry.isSymbolicLink()) found.set(name, `link ${readlinkSync(path)}`);
    else if (entry.isFile())
      found.set(name, `${statSync(path).mode.toString(8)} ${readFileSync(path).toString('latin1')}`);
  }
  return found;
}

const PATHS = [...new Set([...Object.keys(TEMPLATE), ...Object.keys(WORKFLOW_TEMPLATE)])].filter(
  (path) => path !== '.gitignore',
);
/** Paths of a repository: ours, beside ours, and others. */
const path = fc.oneof(
  fc.constantFrom(...PATHS),
  fc.constantFrom('package.json', 'src/index.ts', 'agents/mine.ts', 'sheets/own.yaml', 'docs/README.md'),
);
const content = fc.oneof(
  fc.constantFrom('', 'mine\n', 'a\r\nb\r\n', '\ufeffmine'),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const bytes = fc.oneof(
  content.map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each)),
);
const rule = fc.constantFrom(
  'node_modules/',
  '.cuebook',
  '/.cuebook/',
  '# .cuebook/',
  'dist',
  '',
  '!keep',
  '*.log  ',
);
const ignore = fc.option(
  fc.oneof(
    bytes,
    fc
      .tuple(fc.array(rule, { maxLength: 5 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
      .map(([lines, end, isClosed]) => Buffer.from(lines.join(end) + (isClosed ? end : ''))),
  ),
  { nil: undefined },
);

describe('init in a repository that is there', () => {
  it('leaves every file as it was, byte for byte; an ignore file only gains lines; a second time changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(path, bytes, { maxKeys: 8 }),
        ignore,
        fc.boolean(),
        async (files, ignored, isWorkflow) => {
          const cwd = folderWith();
          for (const [name, data] of Object.entries({
            ...files,
            ...(ignored && { '.gitignore': ignored }),
          })) {
            mkdirSync(dirname(join(cwd, name)), { recursive: true });
            writeFileSync(join(cwd, name), data);
          }
          const before = snapshot(cwd);
          const args = ['init', '--json', ...(isWorkflow ? ['--workflow'] : [])];
          const first = await cuebook(args, { cwd });
          expect(first.code).toBe(0);
          const after = snapshot(cwd);
          for (const [name, was] of before) {
            if (name !== '.gitignore') expect(after.get(name)).toBe(was);
            else expect(after.get(name)?.startsWith(was)).toBe(true);
          }
          const template = isWorkflow ? WORKFLOW_TEMPLATE : TEMPLATE;
          const said = JSON.parse(first.stdout) as Record<string, string[]>;
          expect(Object.values(said).flat().sort()).toEqual(Object.keys(template).sort());
          for (const name of said.created ?? []) {
            expect(before.has(name)).toBe(false);
            expect(readFileSync(join(cwd, name), 'utf8')).toBe(template[name]);
          }
          for (const name of said.kept ?? []) expect(after.get(name)).toBe(before.get(name));
          expect([...after.keys()].filter((name) => !before.has(name)).sort()).toEqual(
            [...(said.created ?? [])].sort(),
          );
          const lines = readFileSync(join(cwd, '.gitignore'), 'latin1').split(/\r?\n/);
          expect(lines.some((line) => /^\/?\.cuebook\/?\s*$/.test(line))).toBe(true);
          const second = await cuebook(args, { cwd });
          expect(second.code).toBe(0);
          expect(JSON.parse(second.stdout)).toMatchObject({ created: [], extended: [] });
          expect(snapshot(cwd)).toEqual(after);
        },
      ),
      runs(40, 600),
    );
  });

  itInTurn('says what it did, and git ignores the records', async () => {
    const cwd = folderWith({ 'README.md': '# Mine\n', '.gitignore': 'dist', 'package.json': '{}\n' });
    git(cwd, 'init', '--quiet');
    const { code, stdout } = await cuebook(['init'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('= README.md  is there already, and stays as it is\n');
    expect(stdout).toContain('+ .gitignore  lines were added\n');
    expect(readFileSync(join(cwd, '.gitignore'), 'utf8')).toBe('dist\n.cuebook/\n');
    mkdirSync(join(cwd, '.cuebook'));
    writeFileSync(join(cwd, '.cuebook/x'), '');
    expect(git(cwd, 'check-ignore', '.cuebook/x').trim()).toBe('.cuebook/x');
    expect((await cuebook(['check'], { cwd })).code).toBe(0);
    expect((await cuebook(['init'], { cwd })).stdout).toMatch(
      /\nNothing to write; \d+ files were there already\. Try:\n/,
    );
  });

  it('writes nothing at all where a file stands in place of a folder, or a link leads out', async () => {
    const outside = folderWith();
    for (const block of [
      (cwd: string) => writeFileSync(join(cwd, 'agents'), 'a file'),
      (cwd: string) => symlinkSync(outside, join(cwd, 'sheets')),
    ]) {
      const cwd = folderWith();
      block(cwd);
      const before = snapshot(cwd);
      const { code, stderr } = await cuebook(['init'], { cwd });
      expect([code, stderr]).toEqual([1, expect.stringContaining('E_WOULD_OVERWRITE')]);
      expect(snapshot(cwd)).toEqual(before);
      expect(readdirSync(outside)).toEqual([]);
    }
  });

  it('does not write through a link, and says what git should ignore', async () => {
    const cwd = folderWith({ 'rules.txt': 'dist\n' });
    symlinkSync('rules.txt', join(cwd, '.gitignore'));
    const { code, stdout } = await cuebook(['init'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('Let git ignore the folder .cuebook/');
    expect(readFileSync(join(cwd, 'rules.txt'), 'utf8')).toBe('dist\n');
    expect(existsSync(join(cwd, 'cuebook.yaml'))).toBe(true);
  });
});

it.each([
  {
    what: 'a folder with packages',
    files: { 'node_modules/a/index.js': '' },
    ignores: '.cuebook/\nnode_modules/\n',
  },
  { what: 'a folder without', files: {}, ignores: '.cuebook/\n' },
  {
    ...{ what: 'a folder that ignores more', files: { '.gitignore': 'dist\n.cuebook/\n' } },
    ignores: 'dist\n.cuebook/\n',
  },
])(
  'the ignore file of $what says what nobody commits, and a second time nothing changes',
  async ({ files, ignores }) => {
    const cwd = folderWith(files);
    for (const time of ['first', 'second']) {
      const { code, stdout } = await cuebook(['init'], { cwd });
      expect([time, code, readFileSync(join(cwd, '.gitignore'), 'utf8')]).toEqual([time, 0, ignores]);
      expect(stdout).not.toContain('Let git ignore');
    }
  },
);
