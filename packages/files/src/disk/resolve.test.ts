import { mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  makeScratch,
  must,
  outcome,
  photograph,
  plant,
  type Scratch,
  SECRET,
  WAYS,
} from '../../test/scratch.js';
import { openFolder, openMounts } from '../files.js';

interface LinkCase {
  readonly what: string;
  readonly link: string;
  readonly target: (scratch: Scratch) => string;
  readonly path: string;
  readonly read: string;
  readonly write: string;
}

const OUT = 'E_SANDBOX_VIOLATION symlink';
const NO_WRITE = 'E_SANDBOX_VIOLATION symlink-write';

const CASES: readonly LinkCase[] = [
  {
    what: 'a file outside, absolute',
    link: 'l',
    target: (s) => `${s.outside}/a.md`,
    path: 'l',
    read: OUT,
    write: NO_WRITE,
  },
  {
    what: 'a file outside, relative',
    link: 'l',
    target: () => '../outside/a.md',
    path: 'l',
    read: OUT,
    write: NO_WRITE,
  },
  {
    what: 'a parent outside, absolute',
    link: 'd',
    target: (s) => s.outside,
    path: 'd/a.md',
    read: OUT,
    write: OUT,
  },
  {
    what: 'a parent outside, relative',
    link: 'd',
    target: () => '../outside',
    path: 'd/a.md',
    read: OUT,
    write: OUT,
  },
  {
    what: 'a parent outside, new file',
    link: 'd',
    target: () => '../outside',
    path: 'd/n/b.md',
    read: OUT,
    write: OUT,
  },
  {
    what: 'nothing outside',
    link: 'l',
    target: (s) => `${s.outside}/new.md`,
    path: 'l',
    read: OUT,
    write: NO_WRITE,
  },
  {
    what: 'a missing parent outside',
    link: 'd',
    target: (s) => `${s.outside}/no`,
    path: 'd/a.md',
    read: OUT,
    write: OUT,
  },
  {
    what: 'out and back in',
    link: 'l',
    target: () => '../root/in/a.md',
    path: 'l',
    read: OUT,
    write: NO_WRITE,
  },
  {
    what: 'a name that begins like the root',
    link: 'd',
    target: (s) => `${s.root}-else`,
    path: 'd/a',
    read: OUT,
    write: OUT,
  },
  {
    what: 'the root, then out',
    link: 'd',
    target: (s) => `${s.root}/../outside`,
    path: 'd/a.md',
    read: OUT,
    write: OUT,
  },
  {
    what: 'a process file',
    link: 'l',
    target: () => '/proc/self/environ',
    path: 'l',
    read: OUT,
    write: NO_WRITE,
  },
  {
    what: 'the root of a process',
    link: 'd',
    target: () => '/proc/self/root/etc',
    path: 'd/passwd',
    read: OUT,
    write: OUT,
  },
  { what: 'a file inside', link: 'l', target: () => 'in/a.md', path: 'l', read: 'ok', write: NO_WRITE },
  {
    what: 'a file inside, absolute',
    link: 'l',
    target: (s) => `${s.root}/in/a.md`,
    path: 'l',
    read: 'ok',
    write: NO_WRITE,
  },
  {
    what: 'a parent inside',
    link: 'in/d',
    target: () => '../in/./deep/..',
    path: 'in/d/a.md',
    read: 'ok',
    write: 'ok',
  },
  { what: 'its own directory', link: 'in/d', target: () => '.', path: 'in/d/a.md', read: 'ok', write: 'ok' },
  {
    what: 'the root itself',
    link: 'in/d',
    target: (s) => s.root,
    path: 'in/d/in/a.md',
    read: 'ok',
    write: 'ok',
  },
  {
    what: 'nothing inside',
    link: 'l',
    target: () => 'none.md',
    path: 'l',
    read: 'E_FILE_NOT_FOUND',
    write: NO_WRITE,
  },
  {
    what: 'a missing parent inside',
    link: 'd',
    target: () => 'none',
    path: 'd/x/a',
    read: 'E_FILE_NOT_FOUND',
    write: 'E_FILE_NOT_FOUND',
  },
  {
    what: 'itself',
    link: 'l',
    target: () => 'l',
    path: 'l',
    read: 'E_SANDBOX_VIOLATION symlink-loop',
    write: NO_WRITE,
  },
];

describe.each(WAYS)('%s: a symbolic link', (_way, options) => {
  it.each(CASES)('to $what', async ({ link, target, path, read, write }) => {
    const scratch = await makeScratch(options);
    plant(scratch.root, { 'in/a.md': 'inside', 'in/deep/b.md': 'deep' });
    symlinkSync(target(scratch), join(scratch.root, link));
    const before = photograph(scratch.outside);
    const linked = readlinkSync(join(scratch.root, link));

    const text = await scratch.files.readText(`@project/${path}`);
    expect(outcome(text)).toBe(read);
    if (text.ok) expect(text.value).toBe('inside');
    expect(outcome(await scratch.files.stat(`@project/${path}`))).toBe(read);
    expect(outcome(await scratch.files.writeText(`@project/${path}`, 'new'))).toBe(write);
    expect(outcome(await scratch.files.remove(`@project/${path}`))).toBe(write);

    expect(photograph(scratch.outside)).toEqual(before);
    expect(readlinkSync(join(scratch.root, link))).toBe(linked);
  });

  it('to a directory outside is neither listed nor made', async () => {
    const { root, outside, files } = await makeScratch(options);
    symlinkSync(outside, join(root, 'd'));
    expect(outcome(await files.list('@project/d'))).toBe(OUT);
    expect(outcome(await files.makeDirectory('@project/d/new'))).toBe(OUT);
    expect(outcome(await files.exists('@project/d/a.md'))).toBe(OUT);
    expect(photograph(outside)).toEqual({ 'a.md': SECRET });
  });

  it('in a chain is followed forty times and no more', async () => {
    const { root, files } = await makeScratch(options);
    plant(root, { 'link-0': 'inside' });
    for (let link = 1; link <= 41; link += 1) symlinkSync(`link-${link - 1}`, join(root, `link-${link}`));
    expect(must(await files.readText('@project/link-40'))).toBe('inside');
    expect(outcome(await files.readText('@project/link-41'))).toBe('E_SANDBOX_VIOLATION symlink-loop');
  });

  it('that climbs and descends without end costs bounded work', async () => {
    const { root, files } = await makeScratch(options);
    const deep = Array.from({ length: 60 }, () => 'd').join('/');
    mkdirSync(join(root, deep), { recursive: true });
    symlinkSync('../d/'.repeat(500), join(root, deep, 'l'));
    expect(outcome(await files.readText(`@project/${deep}/l`))).toBe('E_SANDBOX_VIOLATION symlink-loop');
  });

  it('in the place of the root is noticed', async () => {
    const { root, outside, files } = await makeScratch(options);
    renameSync(root, `${root}-moved`);
    symlinkSync(outside, root);
    expect(outcome(await files.readText('@project/a.md'))).toBe('E_SANDBOX_VIOLATION root-moved');
    expect(outcome(await files.writeText('@project/b.md', 'x'))).toBe('E_SANDBOX_VIOLATION root-moved');
    expect(photograph(outside)).toEqual({ 'a.md': SECRET });
  });

  it('above the root that moves the root elsewhere is noticed', async () => {
    const { top, outside } = await makeScratch(options);
    plant(top, { 'up/root/a.md': 'inside' });
    plant(outside, { 'root/a.md': SECRET });
    const files = must(await openFolder(join(top, 'up', 'root'), options));
    renameSync(join(top, 'up'), join(top, 'gone'));
    symlinkSync(outside, join(top, 'up'));
    expect(outcome(await files.readText('a.md'))).toBe('E_SANDBOX_VIOLATION root-moved');
  });
});

describe.each(WAYS)('%s: a root', (_way, options) => {
  it('may be given through a link, and absolute links inside may use either spelling', async () => {
    const { top, root } = await makeScratch(options);
    plant(root, { 'in/a.md': 'inside' });
    symlinkSync(root, join(top, 'alias'));
    symlinkSync(join(top, 'alias', 'in'), join(root, 'given'));
    symlinkSync(join(root, 'in'), join(root, 'real'));
    const files = must(await openFolder(join(top, 'alias'), options));
    expect(must(await files.readText('given/a.md'))).toBe('inside');
    expect(must(await files.readText('real/a.md'))).toBe('inside');
  });

  it('that is missing, a file, or has a bad or repeated alias is refused by its alias', async () => {
    const { top, root } = await makeScratch(options);
    plant(root, { 'a.md': '' });
    const spec = { alias: '@a', root, access: 'rw' } as const;
    const open = async (...specs: Parameters<typeof openMounts>[0]) =>
      outcome(await openMounts(specs, options));
    expect(await open({ ...spec, root: join(top, 'no') })).toBe('E_FILE_NOT_FOUND');
    expect(await open({ ...spec, root: join(root, 'a.md') })).toBe('E_NOT_A_DIRECTORY');
    expect(await open({ ...spec, root: join(root, 'a.md'), create: true })).toBe('E_NOT_A_DIRECTORY');
    for (const alias of ['', 'a', '@', '@a/b', '@..', `@${'a'.repeat(33)}`]) {
      expect(await open({ ...spec, alias })).toBe('E_SANDBOX_VIOLATION unknown-mount');
    }
    expect(await open(spec, spec)).toBe('E_SANDBOX_VIOLATION unknown-mount');
  });

  it('can be created, for its owner alone', async () => {
    const { top } = await makeScratch(options);
    const files = must(await openFolder(join(top, 'home', 'state'), { ...options, create: true }));
    expect(must(await files.stat('.')).mode).toBe(0o700);
  });

  it('that is gone is not found', async () => {
    const { root, files } = await makeScratch(options);
    rmSync(root, { recursive: true });
    expect(outcome(await files.readText('@project/a.md'))).toBe('E_FILE_NOT_FOUND');
  });
});

it('one file under two spellings has one identity', async () => {
  const { root, files } = await makeScratch();
  plant(root, { 'a/b.md': 'x' });
  symlinkSync('a', join(root, 'l'));
  const identity = async (path: string) => must(await files.stat(path)).identity;
  expect(await identity('@project/l/b.md')).toBe(await identity('@pkg/a/./b.md'));
  expect(await identity('@project/a')).not.toBe(await identity('@project/a/b.md'));
  expect(must(files.clean('@project/a/./c/../b.md/'))).toBe('@project/a/b.md');
});
