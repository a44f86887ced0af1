import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

const SHEET = `inputs:
  x: { trust: user, secrecy: public, volatility: turn }
blocks:
  - { name: a, role: user, parts: [{ include: t }, { input: x }] }
`;

/** What may stand where text is expected, and the code that names it. */
const BAD = [
  { what: 'binary bytes', bytes: Uint8Array.from({ length: 256 }, (_, i) => i), code: 'E_NOT_UTF8' },
  { what: 'a 50 MB file', bytes: new Uint8Array(50_000_000).fill(97), code: 'E_FILE_TOO_LARGE' },
  { what: 'invalid UTF-8', bytes: Uint8Array.of(104, 105, 0xc3, 0x28), code: 'E_NOT_UTF8' },
  { what: 'an encoded lone surrogate', bytes: Uint8Array.of(0xed, 0xa0, 0x80), code: 'E_NOT_UTF8' },
] as const;

describe.each(BAD)('$what', ({ bytes, code }) => {
  it('as an included text is a diagnostic of the sheet', async () => {
    const cwd = folderWith({ 'sheets/s.yaml': SHEET, 'texts/t.md': bytes });
    await refused(cwd, ['check'], { code, exit: 1 });
    await refused(cwd, ['render', 'sheet:s'], { code, exit: 1 });
  });

  it('as a sheet is a diagnostic of it', async () => {
    const cwd = folderWith({ 'sheets/s.yaml': bytes });
    await refused(cwd, ['check', '--json'], { code, exit: 1 });
    await refused(cwd, ['explain', 'sheet:s', '--at', '0'], { code, exit: 1 });
  });

  it('as a file handed in is a wrong call', async () => {
    const cwd = folderWith({ 'sheets/s.yaml': SHEET, 'texts/t.md': 'x', 'in.txt': bytes });
    await refused(cwd, ['render', 'sheet:s', '--set', 'x=@in.txt'], { code, exit: 2 });
    await refused(cwd, ['redact', '--context', 'in.txt'], { code, exit: 2 });
  });

  it('on standard input is a wrong call', async () => {
    const cwd = folderWith({ 'sheets/s.yaml': SHEET, 'texts/t.md': 'x' });
    await refused(cwd, ['render', 'sheet:s', '--set', 'x=@-'], { code, exit: 2, input: bytes });
  });

  it('as the configuration is a diagnostic', async () => {
    const cwd = folderWith({ 'sheets/s.yaml': SHEET, 'texts/t.md': 'x', 'cuebook.yaml': bytes });
    await refused(cwd, ['check'], { code, exit: 1 });
  });
});

it.each([
  { what: 'a missing text', files: { 'sheets/s.yaml': SHEET }, code: 'E_INCLUDE_UNKNOWN' },
  { what: 'a directory', files: { 'sheets/s.yaml': SHEET, 'texts/t.md/x': '' }, code: 'E_NOT_A_FILE' },
  {
    what: 'a lone surrogate in an escape',
    files: { 'sheets/s.yaml': SHEET.replace('{ include: t }', '{ text: "\\ud800" }') },
    code: 'E_NOT_UNICODE',
  },
])('$what is told by a code', async ({ files, code }) => {
  const cwd = folderWith(files);
  await refused(cwd, ['check'], { code, exit: 1 });
  await refused(cwd, ['render', 'sheet:s', '--set', 'x=1', '--json'], { code, exit: 1 });
});

it('redact refuses standard input that is not text, and too much of it', async () => {
  const cwd = folderWith();
  await refused(cwd, ['redact'], { code: 'E_NOT_UTF8', exit: 2, input: Uint8Array.of(0xff, 0xfe) });
  const input = new Uint8Array(64 * 1024 * 1024 + 1).fill(97);
  await refused(cwd, ['redact'], { code: 'E_FILE_TOO_LARGE', exit: 2, input });
});

interface Expected {
  readonly code: string;
  readonly exit: number;
  readonly input?: Uint8Array;
}

/** A code, an exit status, no stack, nothing of this machine, and nothing written. */
async function refused(cwd: string, args: readonly string[], { code, exit, input }: Expected): Promise<void> {
  const before = snapshot(cwd);
  const outcome = await cuebook(args, { cwd, ...(input === undefined ? {} : { input }) });
  const printed = outcome.stdout + outcome.stderr;
  expect(printed).toContain(code);
  expect(outcome.code).toBe(exit);
  expect(printed).not.toMatch(/\n\s+at |E_INTERNAL/);
  expect(printed).not.toContain(cwd);
  expect(snapshot(cwd)).toEqual(before);
}

const snapshot = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map(
      (entry) =>
        `${join(entry.parentPath, entry.name)} ${entry.isFile() ? readFileSync(join(entry.parentPath, entry.name)).length : ''}`,
    )
    .sort();
