import { createHash } from 'node:crypto';
import type { FileResult, Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { Failure } from '../failure.js';
import { requireFile } from '../project/named-file.js';

/** What became of each file of a template, by path. */
export interface Added {
  readonly created: readonly string[];
  /** Lines were added at its end. */
  readonly extended: readonly string[];
  /** It was there with the same content. */
  readonly same: readonly string[];
  /** It was there with other content, and stays as it is. */
  readonly kept: readonly string[];
}

/** The only file that is extended: what it says already stays, line for line. */
export const IGNORE_FILE = '.gitignore';

/**
 * Adds the files of a template to a folder. What is there stays, byte for byte; an ignore file only gains the lines that
 * it lacks. Where a file stands in place of a folder, nothing is written. A second time nothing changes.
 */
export async function addFiles(files: Files, template: Readonly<Record<string, string>>): Promise<Added> {
  const plan: Planned[] = [];
  for (const [path, text] of Object.entries(template)) plan.push(await planOne(files, path, text));
  const blocked = plan.filter(({ kind }) => kind === 'blocked').map(({ path }) => path);
  if (blocked.length > 0) {
    const list = blocked.join(', ');
    throw new Failure(
      'E_WOULD_OVERWRITE',
      `Nothing was written: something stands in the way of ${list}, or a link there leads out of the folder`,
      { exit: 1 },
    );
  }
  for (const { path, kind, bytes, ifMatch } of plan) {
    if (kind === 'created' || kind === 'extended')
      requireFile(await files.writeBytes(path, bytes, { ifMatch }), path);
  }
  const of = (kind: Planned['kind']) => plan.filter((each) => each.kind === kind).map(({ path }) => path);
  return { created: of('created'), extended: of('extended'), same: of('same'), kept: of('kept') };
}

interface Planned {
  readonly path: string;
  readonly kind: keyof Added | 'blocked';
  /** What is written, and what must be there before. */
  readonly bytes: Uint8Array;
  readonly ifMatch: string;
}

async function planOne(files: Files, path: string, text: string): Promise<Planned> {
  const bytes = Buffer.from(text);
  const read = await files.readBytes(path);
  const planned = { path, bytes, ifMatch: 'absent' };
  if (!read.ok) return { ...planned, kind: kindWithout(read) };
  const found = Buffer.from(read.value);
  if (guard('init.overwrite', !found.equals(bytes))) {
    if (path !== IGNORE_FILE || (await isLink(files, path))) return { ...planned, kind: 'kept' };
    const longer = withLines(found, text);
    if (longer === found) return { ...planned, kind: 'same' };
    return {
      path,
      kind: 'extended',
      bytes: longer,
      ifMatch: createHash('sha256').update(found).digest('hex'),
    };
  }
  return { ...planned, kind: found.equals(bytes) ? 'same' : 'created' };
}

/** What cannot be read and is there is not ours to replace. */
function kindWithout(read: Extract<FileResult<Uint8Array>, { ok: false }>): Planned['kind'] {
  const { code } = read.error;
  if (code === 'E_FILE_NOT_FOUND') return 'created';
  return code === 'E_NOT_A_DIRECTORY' || code === 'E_SANDBOX_VIOLATION' ? 'blocked' : 'kept';
}

/** Git does not read an ignore file through a link. */
async function isLink(files: Files, path: string): Promise<boolean> {
  const listed = await files.list('.');
  return !listed.ok || listed.value.entries.some(({ name, kind }) => name === path && kind === 'symlink');
}

/** The file with the lines that it lacks at its end, in its own kind of line break; itself when it lacks none. */
function withLines(found: Buffer, text: string): Buffer {
  const old = found.toString('latin1');
  const has = new Set(old.split(/\r?\n/).map(plainRule));
  const missing = text.split('\n').filter((line) => line !== '' && !has.has(plainRule(line)));
  if (missing.length === 0) return found;
  const end = old.includes('\r\n') ? '\r\n' : '\n';
  const open = old === '' || old.endsWith('\n') ? '' : end;
  return Buffer.concat([found, Buffer.from(open + missing.map((line) => line + end).join(''))]);
}

/** `/.cuebook`, `.cuebook/` and `**` before it ignore the same folder at the top. */
const plainRule = (line: string): string =>
  line
    .trimEnd()
    .replace(/^(?:\*\*)?\//, '')
    .replace(/\/$/, '');
