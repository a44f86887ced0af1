import { Buffer } from 'node:buffer';
import {
  DEFAULT_READ_LIMIT,
  type FileResult,
  type Files,
  kindByName,
  type TextSource,
  walkSource,
} from '@cuebook/files';
import { guard } from '@cuebook/guard';

/** Texts that are open in an editor, by their path in the project. What is typed counts before it is saved. */
export interface Buffers {
  readonly set: (path: string, text: string) => void;
  readonly remove: (path: string) => void;
  /** As a file would be read: without a byte order mark, and well-formed. */
  readonly get: (path: string) => string | undefined;
  /** As it was typed: what further edits count from. */
  readonly typed: (path: string) => string | undefined;
  readonly paths: () => readonly string[];
}

export function createBuffers(): Buffers {
  const texts = new Map<string, { readonly typed: string; readonly text: string }>();
  return {
    // A file holds UTF-8: half a character is written as U+FFFD, one unit for one.
    set: (path, typed) =>
      void texts.set(path, { typed, text: wellFormed(typed.startsWith('\uFEFF') ? typed.slice(1) : typed) }),
    remove: (path) => void texts.delete(path),
    get: (path) => texts.get(path)?.text,
    typed: (path) => texts.get(path)?.typed,
    paths: () => [...texts.keys()],
  };
}

const wellFormed = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');

/**
 * The files of a project with the buffers laid over them. What the files refuse stays refused: a buffer stands for a
 * file that could be read if it were saved, and for no other.
 */
export function bufferedFiles(files: Files, buffers: Buffers): Files {
  const bufferOf = (path: string): string | undefined => {
    const clean = files.clean(path);
    return clean.ok ? buffers.get(clean.value) : undefined;
  };
  const laidOver = (path: string, below: FileResult<string>): FileResult<string> => {
    const text = bufferOf(path);
    if (text === undefined || (!below.ok && !isReadable(path, below.error.code))) return below;
    if (Buffer.byteLength(text) <= DEFAULT_READ_LIMIT) return { ok: true, value: text };
    return { ok: false, error: { code: 'E_FILE_TOO_LARGE', path, limit: DEFAULT_READ_LIMIT, unit: 'bytes' } };
  };
  const readText: Files['readText'] = async (path, options) =>
    laidOver(path, await files.readText(path, options));
  const list: TextSource['list'] = async (path = '.', options) => {
    const below = await files.list(path, options);
    const clean = files.clean(path);
    if (!clean.ok || (!below.ok && below.error.code !== 'E_FILE_NOT_FOUND')) return below;
    const known = below.ok ? below.value.entries : [];
    const fresh = newEntries(clean.value, buffers).filter(
      ({ name }) => !known.some((each) => each.name === name),
    );
    if (fresh.length === 0) return below;
    const entries = [...known, ...fresh].sort((a, b) => (a.name < b.name ? -1 : 1));
    const listing = below.ok ? below.value : { path: clean.value, truncated: false, unaddressable: 0 };
    return { ok: true, value: { ...listing, entries } };
  };
  return {
    ...files,
    readText,
    readTexts: async (paths) => {
      const read = await (files.readTexts?.(paths) ?? Promise.all(paths.map((path) => files.readText(path))));
      return read.map((each, at) => laidOver(paths[at] as string, each));
    },
    readBytes: async (path, options) => {
      const below = await files.readBytes(path, options);
      if (bufferOf(path) === undefined) return below;
      const text = laidOver(path, below.ok ? { ok: true, value: '' } : below);
      return text.ok ? { ok: true, value: Buffer.from(text.value) } : text;
    },
    list,
    walk: (path = '.', options) => walkSource(list, path, options),
  };
}

/** Whether a path that the disk answers so could be read once the buffer is saved. */
function isReadable(path: string, code: string): boolean {
  if (code === 'E_NOT_UTF8' || code === 'E_FILE_TOO_LARGE') return true;
  if (code !== 'E_FILE_NOT_FOUND') return false;
  const names = path.split('/');
  return !guard(
    'editor.withheld',
    names.some((name, at) => kindByName(name, names[at - 1]) !== undefined),
  );
}

/** What buffers without a file put into a folder. */
function newEntries(
  folder: string,
  buffers: Buffers,
): readonly { readonly name: string; readonly kind: 'file' | 'directory' }[] {
  const prefix = folder === '.' ? '' : `${folder}/`;
  const found = new Map<string, 'file' | 'directory'>();
  for (const path of buffers.paths()) {
    if (!path.startsWith(prefix)) continue;
    const [name = '', ...below] = path.slice(prefix.length).split('/');
    found.set(name, below.length > 0 ? 'directory' : 'file');
  }
  return [...found].map(([name, kind]) => ({ name, kind }));
}
