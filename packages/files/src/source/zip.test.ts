import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { makeZip, type ZipEntry } from '../../test/make-zip.js';
import { must, outcome } from '../../test/scratch.js';
import { describeTextSource } from '../../test/source-conformance.js';
import type { FileResult } from '../result.js';
import type { TextSource } from './source.js';
import { describeArchiveError, type ZipLimits, zipSource } from './zip.js';

describeTextSource('zip', '', async (texts) => {
  const opened = await zipSource(makeZip(Object.entries(texts).map(([name, data]) => ({ name, data }))));
  return opened as FileResult<TextSource>;
});

const reasonOf = async (bytes: Uint8Array, limits?: ZipLimits): Promise<string> => {
  const opened = await zipSource(bytes, limits);
  return opened.ok ? 'ok' : opened.error.reason;
};

const file = (name: string, more: Partial<ZipEntry> = {}): ZipEntry => ({ name, data: 'x', ...more });

describe('an archive with', () => {
  it.each<readonly [string, readonly ZipEntry[], string]>([
    ['plain files', [file('a'), file('b/c', { stored: true })], 'ok'],
    ['directories', [{ name: 'b/', mode: 0o040755 }, file('b/c')], 'ok'],
    ['a name that climbs', [file('../a')], 'malformed'],
    ['a name that climbs inside', [file('a/../../b')], 'malformed'],
    ['an absolute name', [file('/etc/passwd')], 'malformed'],
    ['a drive', [file('C:/x')], 'malformed'],
    ['backslashes', [file('..\\..\\a')], 'malformed'],
    ['a NUL in a name', [file('a\0b')], 'name'],
    ['a line break in a name', [file('a\nb')], 'name'],
    ['a device name', [file('aux')], 'name'],
    ['a symbolic link', [file('a', { mode: 0o120777, data: '/etc/passwd' })], 'link'],
    ['a device', [file('a', { mode: 0o020666 })], 'link'],
    ['one name twice', [file('a'), file('a')], 'duplicate'],
    ['one name in two cases', [file('a/B.md'), file('A/b.MD')], 'duplicate'],
    ['a file that is also a directory', [file('a'), file('a/b')], 'name'],
    ['a wrong checksum', [file('a', { crc: 1 })], 'checksum'],
    ['an encrypted entry', [file('a', { flags: 0x801 })], 'encrypted'],
    ['an unknown method', [file('a', { method: 12 })], 'method'],
    ['a size that is a lie', [file('a', { data: 'x'.repeat(5000), claims: 10 })], 'malformed'],
    ['a size that promises more', [file('a', { claims: 4_000_000_000 })], 'malformed'],
  ])('%s', async (_name, entries, expected) => expect(await reasonOf(makeZip(entries))).toBe(expected));

  const zeros = (length: number): Uint8Array => new Uint8Array(length);
  it('far more inside than outside', async () => {
    expect(await reasonOf(makeZip([file('a', { data: zeros(8 << 20) })]))).toBe('ratio');
  });
  it('more than may be unpacked in all', async () => {
    const entries = Array.from({ length: 5 }, (_, at) => file(`f${at}`, { data: zeros(400), stored: true }));
    expect(await reasonOf(makeZip(entries), { bytes: 1999 })).toBe('large');
    expect(await reasonOf(makeZip(entries), { bytes: 2000 })).toBe('ok');
  });
  it('too many entries', async () => {
    const entries = Array.from({ length: 11 }, (_, at) => file(`f${at}`));
    expect([await reasonOf(makeZip(entries), { entries: 10 }), await reasonOf(makeZip(entries))]).toEqual([
      'many',
      'ok',
    ]);
  });
});

it('has the bytes of every file, text or not', async () => {
  const files = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,6}$/), fc.uint8Array()), {
    selector: ([name]) => name,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(files, async (entries) => {
      const opened = await zipSource(makeZip(entries.map(([name, data]) => file(name, { data }))));
      if (!opened.ok) throw new Error(opened.error.reason);
      for (const [name, data] of entries)
        expect(Buffer.from(must(await opened.value.readBytes(name)))).toEqual(Buffer.from(data));
    }),
    runs(100, 2000),
  );
});

it('an archive in an archive stays closed', async () => {
  const inner = makeZip([file('a', { data: 'inner' })]);
  const opened = await zipSource(makeZip([{ name: 'inner.zip', data: inner, stored: true }]));
  if (!opened.ok) throw new Error(opened.error.reason);
  expect(must(await opened.value.list('.')).entries).toEqual([{ name: 'inner.zip', kind: 'file' }]);
  expect(outcome(await opened.value.readText('inner.zip'))).toBe('E_NOT_UTF8');
  expect(outcome(await opened.value.readText('inner.zip/a'))).toBe('E_NOT_A_DIRECTORY');
});

it('the error says why, and no name of the archive', async () => {
  const opened = await zipSource(makeZip([file('secret-name'), file('secret-name')]));
  expect(opened.ok ? '' : describeArchiveError(opened.error)).toBe(
    'The archive is refused: two entries have one name.',
  );
});

it('any bytes are refused or read, never thrown at', async () => {
  const honest = makeZip([file('a', { data: 'some text' }), file('b/c', { data: 'more' })]);
  const change = fc.array(fc.tuple(fc.nat(honest.length - 1), fc.nat(255)), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(change, fc.nat(honest.length), async (changes, length) => {
      const bytes = Uint8Array.from(honest);
      for (const [at, value] of changes) bytes[at] = value;
      expect(typeof (await zipSource(bytes)).ok).toBe('boolean');
      expect(typeof (await zipSource(bytes.subarray(0, length))).ok).toBe('boolean');
    }),
    runs(200, 5000),
  );
});
