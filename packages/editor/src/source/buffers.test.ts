import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_READ_LIMIT, openFolder } from '@cuebook/files';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bufferedFiles, createBuffers } from './buffers.js';

async function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'cuebook-buffers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'texts'));
  writeFileSync(join(folder, 'texts/a.md'), 'saved');
  writeFileSync(join(folder, 'texts/bad.md'), Uint8Array.of(0xff));
  symlinkSync('/etc/hostname', join(folder, 'texts/out.md'));
  const home = join(folder, '.cuebook');
  const files = await openFolder(folder, { access: 'ro', withhold: { from: 'agent', home } });
  if (!files.ok) throw new Error(files.error.code);
  const buffers = createBuffers();
  return { buffers, files: bufferedFiles(files.value, buffers) };
}

describe('a buffer', () => {
  it('stands for its file before it is saved, and not after it is closed', async () => {
    const { buffers, files } = await opened();
    buffers.set('texts/a.md', '\ufefftyped');
    expect(await files.readText('texts/../texts/a.md')).toEqual({ ok: true, value: 'typed' });
    expect(await files.readTexts?.(['texts/a.md'])).toEqual([{ ok: true, value: 'typed' }]);
    expect(await files.readBytes('texts/a.md')).toEqual({ ok: true, value: Buffer.from('typed') });
    buffers.remove('texts/a.md');
    expect(await files.readText('texts/a.md')).toEqual({ ok: true, value: 'saved' });
  });

  it('of a file that is not there yet is found in its folder, which may be new too', async () => {
    const { buffers, files } = await opened();
    buffers.set('sheets/deep/new.yaml', 'a: 1');
    const found: string[] = [];
    for await (const path of files.walk('.')) if (path.ok) found.push(path.value);
    expect(found).toContain('sheets/deep/new.yaml');
    expect(await files.readText('sheets/deep/new.yaml')).toEqual({ ok: true, value: 'a: 1' });
  });

  it('stands for bytes that are no text, and is well-formed itself', async () => {
    const { buffers, files } = await opened();
    buffers.set('texts/bad.md', 'a\ud800b😀');
    expect(await files.readText('texts/bad.md')).toEqual({ ok: true, value: 'a\ufffdb😀' });
  });

  it('gives nothing away that the files withhold, leads nowhere out, and has their limit', async () => {
    const { buffers, files } = await opened();
    buffers.set('.env', 'TOKEN=1');
    // The folder is not there, so that the disk alone cannot say what it is.
    buffers.set('lib/.git/config', 'token = 1');
    buffers.set('texts/out.md', 'typed');
    buffers.set('texts/a.md', 'x'.repeat(DEFAULT_READ_LIMIT + 1));
    const codes = [];
    for (const path of ['.env', 'lib/.git/config', 'texts/out.md', 'texts/a.md']) {
      const read = await files.readText(path);
      codes.push(read.ok ? read.value : read.error.code);
    }
    const refused = expect.stringMatching(/^E_/);
    expect(codes).toEqual([refused, refused, refused, 'E_FILE_TOO_LARGE']);
  });
});
