import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeScratch, must, outcome, plant, WAYS } from '../../test/scratch.js';
import { DEFAULT_READ_LIMIT } from '../contract.js';
import { openFolder } from '../files.js';

describe.each(WAYS)('%s: reading', (_way, options) => {
  it('gives the bytes, the text, and what an editor needs', async () => {
    const { root, files } = await makeScratch(options);
    plant(root, { 'd/a.md': '\uFEFFgrüße\r\n', 'd/b.md': '' });
    const bytes = Buffer.from('\uFEFFgrüße\r\n');
    expect(Buffer.from(must(await files.readBytes('@project/d/a.md')))).toEqual(bytes);
    expect(must(await files.readText('@pkg/d/a.md'))).toBe('grüße\r\n');
    expect(must(await files.readText('@project/d/b.md'))).toBe('');
    expect(must(await files.readDocument('@project/d/../d/a.md'))).toEqual({
      path: '@project/d/a.md',
      text: 'grüße\r\n',
      hasByteOrderMark: true,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      size: bytes.length,
    });
  });

  it('refuses what is no regular file, without waiting', async () => {
    const { root, files } = await makeScratch(options);
    mkdirSync(join(root, 'd'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, 'socket'), () => resolve()));
    onTestFinished(() => void server.close());
    for (const [name, kind] of [
      ['d', 'directory'],
      ['pipe', 'other'],
      ['socket', 'other'],
    ]) {
      expect(await files.readText(`@project/${name}`)).toEqual({
        ok: false,
        error: { code: 'E_NOT_A_FILE', path: `@project/${name}`, kind },
      });
    }
    expect(outcome(await files.readText('@project'))).toBe('E_NOT_A_FILE');
  });

  it('tells a missing file from a file in the way', async () => {
    const { root, files } = await makeScratch(options);
    plant(root, { 'a.md': 'x' });
    expect(outcome(await files.readText('@project/no/no.md'))).toBe('E_FILE_NOT_FOUND');
    expect(outcome(await files.readText('@project/a.md/b'))).toBe('E_NOT_A_DIRECTORY');
    expect(must(await files.exists('@project/a.md/b'))).toBe(false);
    expect(must(await files.exists('@project/no.md'))).toBe(false);
    expect(must(await files.exists('@project/a.md'))).toBe(true);
    expect(outcome(await files.exists('@project/../a.md'))).toBe('E_SANDBOX_VIOLATION dotdot');
  });

  it('refuses a file over the limit by its size alone', async () => {
    const { root, files } = await makeScratch(options);
    plant(root, { '10.bin': 'x'.repeat(10), '11.bin': 'x'.repeat(11) });
    expect(must(await files.readBytes('@project/10.bin', { limit: 10 }))).toHaveLength(10);
    expect(await files.readBytes('@project/11.bin', { limit: 10 })).toEqual({
      ok: false,
      error: { code: 'E_FILE_TOO_LARGE', path: '@project/11.bin', limit: 10, unit: 'bytes' },
    });

    // A sparse file of 50 MB: refused by its size, so its zeros are never read.
    writeFileSync(join(root, 'big'), '');
    truncateSync(join(root, 'big'), 50_000_000);
    expect(await files.readText('@project/big')).toEqual({
      ok: false,
      error: { code: 'E_FILE_TOO_LARGE', path: '@project/big', limit: DEFAULT_READ_LIMIT, unit: 'bytes' },
    });
  });

  it('reads on when a file is larger than its size said, up to the limit', async () => {
    const proc = must(await openFolder('/proc/self', { access: 'ro', ...options }));
    expect(must(await proc.stat('status')).size).toBe(0);
    expect(must(await proc.readText('status'))).toContain('Name:');
    expect(outcome(await proc.readText('status', { limit: 16 }))).toBe('E_FILE_TOO_LARGE');
  });

  it('refuses bytes that are not UTF-8, with the offset of the first', async () => {
    const { root, files } = await makeScratch(options);
    plant(root, { 'a.bin': Uint8Array.from([0x61, 0xc3, 0xa9, 0xff, 0x62]) });
    expect(await files.readText('@project/a.bin')).toEqual({
      ok: false,
      error: { code: 'E_NOT_UTF8', path: '@project/a.bin', offset: 3 },
    });
    expect(must(await files.readBytes('@project/a.bin'))).toHaveLength(5);
  });

  it('says when the system denies', async () => {
    const { root, files } = await makeScratch(options);
    plant(root, { 'a.md': 'x' });
    chmodSync(join(root, '..'), 0o755);
    chmodSync(join(root, 'a.md'), 0);
    const denied = await asNobody(() => files.readText('@project/a.md'));
    expect(outcome(denied)).toBe('E_FILE_DENIED');
  });
});

it('what is written is read back, for every text', async () => {
  const { files } = await makeScratch();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), async (text) => {
      must(await files.writeText('@project/t', text));
      expect(must(await files.readText('@project/t'))).toBe(text.startsWith('\uFEFF') ? text.slice(1) : text);
    }),
    { numRuns: 200 },
  );
});

it('an appended file is read whole again', async () => {
  const { root, files } = await makeScratch();
  plant(root, { a: 'one' });
  must(await files.readText('@project/a'));
  appendFileSync(join(root, 'a'), ' two');
  expect(must(await files.readText('@project/a'))).toBe('one two');
});

/** The superuser may read everything, so the check runs as somebody else. */
async function asNobody<Value>(task: () => Promise<Value>): Promise<Value> {
  if (process.geteuid?.() !== 0) return task();
  process.seteuid?.(65534);
  try {
    return await task();
  } finally {
    process.seteuid?.(0);
  }
}
