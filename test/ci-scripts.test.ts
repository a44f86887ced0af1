import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { fencesIn } from './markdown.js';
import { ROOT } from './root.js';
import { itInTurn as it } from './runs.js';

// The scripts of the page about CI, as they stand there, in a repository with a remote.

const BIN = join(ROOT, 'apps/cli/bin/cuebook.js');
const PAGE = fencesIn(readFileSync(join(ROOT, 'docs/user/ci.md'), 'utf8'));
const scriptWith = (words: string): string => {
  const found = PAGE.filter(({ language, code }) => language === 'text' && code.includes(words));
  expect(found).toHaveLength(1);
  return found[0]?.code ?? '';
};

const GOOD = `title: Answer a mail
inputs:
  mail: { trust: external, secrecy: public, volatility: turn, description: What came in, example: Hello }
blocks:
  - { name: rules, role: system, parts: [{ include: manners }] }
  - { name: mail, role: user, parts: [{ input: mail }] }
`;
const BROKEN = GOOD.replace('include: manners', 'include: maners');
const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "app", "private": true }\n',
  '.gitignore': 'node_modules\n*.md.out\n',
  'cuebook.yaml': '',
  'sheets/mail.yaml': GOOD,
  'texts/manners.md': 'You answer mails.\nName the order number.\n',
};

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'ci-'));
  folders.push(made);
  return made;
};

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

function run(cwd: string, program: string, ...args: readonly string[]): Promise<Ended> {
  const env = {
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: join(cwd, '..'),
    NO_COLOR: '1',
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((who) => [
        [`GIT_${who}_NAME`, 't'],
        [`GIT_${who}_EMAIL`, 't@t'],
      ]),
    ),
  };
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env });
    let output = '';
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const { code, output } = await run(cwd, 'git', ...args);
  expect(code, `git ${args.join(' ')}\n${output}`).toBe(0);
  return output;
}

/** A clone with `origin/main`, and a branch that is checked out. */
async function repository(): Promise<string> {
  const top = folder();
  const root = join(top, 'app');
  for (const [path, text] of Object.entries(FILES)) write(root, path, text);
  // What npx starts is what the lock file of the repository has put there.
  write(root, 'node_modules/.bin/cuebook', `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  chmodSync(join(root, 'node_modules/.bin/cuebook'), 0o755);
  await git(top, 'init', '-q', '--bare', 'origin.git');
  await git(root, 'init', '-q', '-b', 'main');
  await git(root, 'add', '-A');
  await git(root, 'commit', '-q', '-m', 'first');
  await git(root, 'remote', 'add', 'origin', join(top, 'origin.git'));
  await git(root, 'push', '-q', 'origin', 'main');
  await git(root, 'checkout', '-q', '-b', 'change');
  return root;
}

describe('the hook script of a repository', () => {
  const texts = { good: GOOD.replace('a mail', 'mails'), broken: BROKEN };
  const kinds = ['good', 'broken'] as const;
  const rows = kinds.flatMap((staged) => kinds.map((onDisk) => ({ staged, onDisk })));

  it.each(rows)(
    'lets a commit through by what is staged alone: staged $staged, on disk $onDisk',
    async ({ staged, onDisk }) => {
      const root = await repository();
      write(root, '.git/hooks/pre-commit', scriptWith('checkout-index'));
      chmodSync(join(root, '.git/hooks/pre-commit'), 0o755);
      write(root, 'sheets/mail.yaml', texts[staged]);
      await git(root, 'add', '-A');
      // Neither what is changed after it was staged, nor what git does not know, is a part of the commit.
      write(root, 'sheets/mail.yaml', texts[onDisk]);
      write(root, 'sheets/new.yaml', BROKEN);
      const before = await git(root, 'status', '--porcelain');
      const { code, output } = await run(root, 'git', 'commit', '-q', '-m', 'change');
      expect(code, output).toBe(staged === 'good' ? 0 : 1);
      if (staged === 'broken') {
        expect(output).toContain('sheets/mail.yaml:5:');
        expect(await git(root, 'status', '--porcelain')).toBe(before);
      }
      // Nobody's work was touched.
      expect(readFileSync(join(root, 'sheets/mail.yaml'), 'utf8')).toBe(texts[onDisk]);
      expect(readFileSync(join(root, 'sheets/new.yaml'), 'utf8')).toBe(BROKEN);
    },
  );

  it('sees a file that only the index has, and misses one that only the disk has', async () => {
    const root = await repository();
    write(root, '.git/hooks/pre-commit', scriptWith('checkout-index'));
    chmodSync(join(root, '.git/hooks/pre-commit'), 0o755);
    // The include is staged and gone from the disk.
    write(root, 'sheets/mail.yaml', GOOD.replace('manners', 'other'));
    write(root, 'texts/other.md', 'You answer.\n');
    await git(root, 'add', '-A');
    rmSync(join(root, 'texts/other.md'));
    expect((await run(root, 'git', 'commit', '-q', '-m', 'one')).code).toBe(0);
    // The include is on the disk and not staged.
    write(root, 'sheets/mail.yaml', GOOD.replace('manners', 'third'));
    write(root, 'texts/third.md', 'You answer.\n');
    await git(root, 'add', 'sheets');
    expect((await run(root, 'git', 'commit', '-q', '-m', 'two')).code).toBe(1);
  });
});

describe('the script for any CI', () => {
  const script = (): string =>
    scriptWith('merge-base')
      .split('\n')
      // What it does to answers is the business of compare, which has its own tests; it needs cases.
      .filter((line) => !line.includes('cuebook compare'))
      .join('\n');

  it.each([
    { what: 'nothing is changed', change: {}, code: 0, comment: undefined },
    {
      what: 'words are changed',
      change: { 'texts/manners.md': 'You answer mails.\n' },
      code: 0,
      comment: 'dropped',
    },
    { what: 'a prompt is broken', change: { 'sheets/mail.yaml': BROKEN }, code: 1, comment: undefined },
  ])('ends as it should where $what', async ({ change, code, comment }) => {
    const root = await repository();
    for (const [path, text] of Object.entries(change)) write(root, path, text);
    await git(root, 'add', '-A');
    await git(root, 'commit', '-q', '--allow-empty', '-m', 'change');
    // What others do on the base meanwhile is not this change.
    await git(root, 'checkout', '-q', 'main');
    write(root, 'sheets/others.yaml', GOOD);
    await git(root, 'add', '-A');
    await git(root, 'commit', '-q', '-m', 'others');
    await git(root, 'push', '-q', 'origin', 'main');
    await git(root, 'checkout', '-q', 'change');
    const ended = await run(root, 'sh', '-c', script());
    expect(ended.code, ended.output).toBe(code);
    const sarif = JSON.parse(readFileSync(join(root, 'check.sarif'), 'utf8'));
    expect(sarif.runs[0].results.length > 0).toBe(code === 1);
    const said = readFileSync(join(root, 'comment.md'), 'utf8');
    expect(said).not.toContain('others');
    if (comment !== undefined) expect(said).toContain(comment);
  });
});
