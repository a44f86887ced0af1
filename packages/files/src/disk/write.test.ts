import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeScratch, must, outcome, photograph, plant, WAYS } from '../../test/scratch.js';
import type { FaultPoint } from '../fault.js';
import { openFolder } from '../files.js';
import { temporaryName } from '../temporary.js';

const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

describe.each(WAYS)('%s: writing', (_way, options) => {
  it('creates the file and its directories, and answers the hash', async () => {
    const { root, files } = await makeScratch(options);
    expect(must(await files.writeText('@project/artifacts/deep/new/a.md', 'grüße'))).toEqual({
      path: '@project/artifacts/deep/new/a.md',
      sha256: sha('grüße'),
      size: 7,
    });
    expect(photograph(join(root, 'artifacts', 'deep'))).toEqual({
      new: '(no file)',
      'new/a.md': 'gr\u00c3\u00bc\u00c3\u009fe',
    });
  });

  it('replaces the content, keeps the permissions, and leaves other names of the old file alone', async () => {
    const { root, outside, files } = await makeScratch(options);
    plant(root, { 'a.sh': 'old' });
    chmodSync(join(root, 'a.sh'), 0o750);
    linkSync(join(root, 'a.sh'), join(outside, 'hard'));
    must(await files.writeText('@project/a.sh', 'new'));
    expect(readFileSync(join(root, 'a.sh'), 'utf8')).toBe('new');
    expect(statSync(join(root, 'a.sh')).mode & 0o777).toBe(0o750);
    expect(readFileSync(join(outside, 'hard'), 'utf8')).toBe('old');
    must(await files.writeText('@project/a.sh', 'x', { mode: 0o600 }));
    expect(must(await files.stat('@project/a.sh')).mode).toBe(0o600);
    must(await files.writeText('@project/b', 'x'));
    expect(must(await files.stat('@project/b')).mode).toBe(0o666 & ~process.umask());
  });

  it('keeps the owner where it may', async (context) => {
    if (process.geteuid?.() !== 0) return context.skip('only the superuser can give a file to somebody else');
    const { root, files } = await makeScratch(options);
    plant(root, { a: 'old' });
    chownSync(join(root, 'a'), 65534, 65534);
    must(await files.writeText('@project/a', 'new'));
    expect(statSync(join(root, 'a'))).toMatchObject({ uid: 65534, gid: 65534 });
  });

  it('changes nothing where that is not allowed', async () => {
    const { root, files } = await makeScratch(options);
    plant(root, { 'a.md': 'x', 'logs/a.jsonl': 'x', 'audit/log.jsonl': 'x', 'd/b.md': 'x' });
    symlinkSync('../logs', join(root, 'd', 'l'));
    const before = photograph(root);
    for (const path of [
      '@pkg/a.md',
      '@pkg/new/b.md',
      '@project/logs/a.jsonl',
      '@project/LOGS/new.jsonl',
      '@project/audit/./log.jsonl',
      '@project/d/l/a.jsonl',
      '@project/d/l/new/b.jsonl',
    ]) {
      expect([path, outcome(await files.writeText(path, 'y'))]).toEqual([path, 'E_READ_ONLY']);
      const removed = path.includes('new/') && !path.startsWith('@pkg') ? 'E_FILE_NOT_FOUND' : 'E_READ_ONLY';
      expect([path, outcome(await files.remove(path))]).toEqual([path, removed]);
    }
    expect(outcome(await files.makeDirectory('@pkg/new'))).toBe('E_READ_ONLY');
    expect(outcome(await files.makeDirectory('@project/d/l/new'))).toBe('E_READ_ONLY');
    expect(outcome(await files.sweep('@pkg'))).toBe('E_READ_ONLY');
    expect(photograph(root)).toEqual(before);
  });

  it('replaces regular files only', async () => {
    const { root, files } = await makeScratch(options);
    mkdirSync(join(root, 'd'));
    plant(root, { a: 'x' });
    expect(outcome(await files.writeText('@project/d', 'x'))).toBe('E_NOT_A_FILE');
    expect(outcome(await files.writeText('@project', 'x'))).toBe('E_NOT_A_FILE');
    expect(outcome(await files.writeText('@project/a/b', 'x'))).toBe('E_NOT_A_DIRECTORY');
    expect(outcome(await files.makeDirectory('@project/a'))).toBe('E_NOT_A_DIRECTORY');
    expect(outcome(await files.remove('@project/d'))).toBe('E_NOT_A_FILE');
    expect(outcome(await files.remove('@project/no'))).toBe('E_FILE_NOT_FOUND');
    must(await files.remove('@project/a'));
    must(await files.makeDirectory('@project/a/b/c'));
    must(await files.makeDirectory('@project/a/b/c'));
    expect(photograph(root)).toEqual({
      d: '(no file)',
      a: '(no file)',
      'a/b': '(no file)',
      'a/b/c': '(no file)',
    });
  });

  it('refuses half of a surrogate pair and names its place', async () => {
    const { root, files } = await makeScratch(options);
    expect(await files.writeText('@project/a', 'ab\ud83d')).toEqual({
      ok: false,
      error: { code: 'E_NOT_UTF8', path: '@project/a', offset: 2 },
    });
    expect(photograph(root)).toEqual({});
  });
});

describe.each(WAYS)('%s: a precondition', (_way, options) => {
  it('must hold, or nothing changes', async () => {
    const { root, files } = await makeScratch(options);
    const write = (text: string, ifMatch: string) => files.writeText('@project/a', text, { ifMatch });
    expect(outcome(await write('1', sha('0')))).toBe('E_FILE_CHANGED');
    expect(photograph(root)).toEqual({});
    must(await write('1', 'absent'));
    expect(await write('2', 'absent')).toMatchObject({ error: { code: 'E_FILE_CHANGED', found: sha('1') } });
    must(await write('2', sha('1').toUpperCase()));
    expect(await write('3', sha('1'))).toMatchObject({ error: { found: sha('2') } });
    expect(outcome(await files.remove('@project/a', { ifMatch: sha('1') }))).toBe('E_FILE_CHANGED');
    expect(photograph(root)).toEqual({ a: '2' });
    must(await files.remove('@project/a', { ifMatch: sha('2') }));
    expect(await write('3', sha('2'))).toMatchObject({ error: { found: 'absent' } });
  });

  it('lets exactly one of many writers win', async () => {
    const { root, files } = await makeScratch(options);
    for (const ifMatch of ['absent', 'the last']) {
      const expected = ifMatch === 'absent' ? ifMatch : sha(readFileSync(join(root, 'a'), 'utf8'));
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          files.writeText(index % 2 === 0 ? '@project/a' : '@project/./x/../a', `${ifMatch} ${index}`, {
            ifMatch: expected,
          }),
        ),
      );
      expect(results.filter((result) => result.ok)).toHaveLength(1);
    }
  });

  it('is checked again right before the new content takes its place', async () => {
    const { root } = await makeScratch(options);
    const interfere = (point: FaultPoint): void => {
      if (point === 'synced') writeFileSync(join(root, 'a'), 'theirs');
    };
    const files = must(await openFolder(root, { ...options, fault: interfere }));
    expect(outcome(await files.writeText('a', 'ours', { ifMatch: 'absent' }))).toBe('E_FILE_CHANGED');
    writeFileSync(join(root, 'a'), 'old');
    expect(outcome(await files.writeText('a', 'ours', { ifMatch: sha('old') }))).toBe('E_FILE_CHANGED');
    expect(photograph(root)).toEqual({ a: 'theirs' });
  });
});

it.each(WAYS)('%s: a name taken at the last moment is not replaced', async (_way, options) => {
  const { root } = await makeScratch();
  const interfere = (point: FaultPoint): void => {
    if (point === 'checked') writeFileSync(join(root, 'a'), 'theirs');
  };
  const files = must(await openFolder(root, { ...options, fault: interfere }));
  expect(outcome(await files.writeText('a', 'ours', { ifMatch: 'absent' }))).toBe('E_FILE_CHANGED');
  expect(photograph(root)).toEqual({ a: 'theirs' });
});

describe('unfinished writes', () => {
  it('are no data: not listed, not walked, not readable, not writable', async () => {
    const { root, files } = await makeScratch();
    const left = temporaryName();
    plant(root, { [left]: 'half', 'a.md': 'x' });
    expect(must(await files.list('@project')).entries).toEqual([{ name: 'a.md', kind: 'file' }]);
    expect(outcome(await files.readText(`@project/${left}`))).toBe('E_SANDBOX_VIOLATION reserved');
    expect(outcome(await files.writeText(`@project/${left}`, ''))).toBe('E_SANDBOX_VIOLATION reserved');
  });

  it('are swept once they are old', async () => {
    const { root, files } = await makeScratch();
    const [old, young] = [temporaryName(), temporaryName()];
    plant(root, { [`d/${old}`]: 'half', [`d/${young}`]: 'half', 'd/old.tmp': 'data' });
    utimesSync(join(root, 'd', old), 0, 0);
    utimesSync(join(root, 'd', 'old.tmp'), 0, 0);
    expect(must(await files.sweep('@project/d'))).toBe(1);
    expect(Object.keys(photograph(root)).sort()).toEqual(['d', `d/${young}`, 'd/old.tmp'].sort());
    expect(outcome(await files.sweep('@project/no'))).toBe('E_FILE_NOT_FOUND');
    expect(outcome(await files.sweep('@project/d/old.tmp'))).toBe('E_NOT_A_DIRECTORY');
  });
});
