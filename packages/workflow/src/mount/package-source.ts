import { createHash } from 'node:crypto';
import {
  type FileError,
  type FileResult,
  kindByContent,
  kindByName,
  type SearchMatch,
  type TextSource,
  walkSource,
} from '@cuebook/files';
import { guard } from '@cuebook/guard';
import type { ToolFiles } from './tool-files.js';

/**
 * The same files with `@pkg` served from a source, read only: a package that is still in its archive. What is withheld
 * by its name is withheld here as well.
 */
export function overlayPackage(files: ToolFiles, given: TextSource): ToolFiles {
  const source = withoutWithheld(given);
  const inside = (path: string): string | undefined => {
    const match = /^@pkg(?:[/\\](.*))?$/s.exec(path);
    return match === null ? undefined : (match[1] ?? '') || '.';
  };
  const route = <Value>(
    path: string,
    here: (inner: string) => Promise<FileResult<Value>>,
    other: () => Promise<FileResult<Value>>,
  ): Promise<FileResult<Value>> => {
    const inner = inside(path);
    return inner === undefined ? other() : here(inner).then(named);
  };
  const refuse = async (path: string): Promise<FileResult<never>> => {
    const clean = source.clean(path);
    return clean.ok ? { ok: false, error: { code: 'E_READ_ONLY', path: clean.value } } : clean;
  };
  return {
    clean: (path) => {
      const inner = inside(path);
      if (inner === undefined) return files.clean(path);
      const clean = named(source.clean(inner));
      return clean.ok ? { ok: true, value: alias(clean.value) } : clean;
    },
    readDocument: (path, options) =>
      route(
        path,
        async (inner) => {
          const text = await source.readText(inner);
          if (!text.ok) return text;
          const size = Buffer.byteLength(text.value);
          const clean = source.clean(inner);
          const shown = alias(clean.ok ? clean.value : '.');
          const limit = options?.limit ?? Number.POSITIVE_INFINITY;
          if (size > limit) {
            return { ok: false, error: { code: 'E_FILE_TOO_LARGE', path: inner, limit, unit: 'bytes' } };
          }
          const sha256 = createHash('sha256').update(text.value).digest('hex');
          return {
            ok: true,
            value: { path: shown, text: text.value, hasByteOrderMark: false, sha256, size },
          };
        },
        () => files.readDocument(path, options),
      ),
    list: (path = '.', options) =>
      route(
        path,
        async (inner) => {
          const listing = await source.list(inner, options);
          return listing.ok
            ? { ok: true, value: { ...listing.value, path: alias(listing.value.path) } }
            : listing;
        },
        () => files.list(path, options),
      ),
    search: (path, query) =>
      route(
        path,
        async (inner) => {
          const listed = await source.list(inner, { limit: 1 });
          if (!listed.ok && listed.error.code !== 'E_NOT_A_DIRECTORY') return listed;
          const matches: SearchMatch[] = [];
          const max = query.maxMatches ?? 50;
          let filesSearched = 0;
          for await (const file of listed.ok ? source.walk(inner) : [source.clean(inner)]) {
            if (matches.length > max) break;
            const text = file.ok ? await source.readText(file.value) : file;
            if (!text.ok || !file.ok) continue;
            filesSearched += 1;
            matches.push(...matchLines(text.value, alias(file.value), query));
          }
          const truncated = matches.length > max;
          return {
            ok: true,
            value: { matches: matches.slice(0, max), truncated, filesSearched, filesSkipped: 0 },
          };
        },
        () => files.search(path, query),
      ),
    readBytes: (path, options) => route(path, refuse, () => files.readBytes(path, options)),
    stat: (path) => route(path, refuse, () => files.stat(path)),
    writeText: (path, text, options) => route(path, refuse, () => files.writeText(path, text, options)),
    remove: (path, options) => route(path, refuse, () => files.remove(path, options)),
  };
}

/** A source without what agents do not get by its name or its words. An archive has no links, and nothing that git ignores. */
function withoutWithheld(source: TextSource): TextSource {
  const isWithheld = (path: string): boolean => {
    const names = path.split('/');
    return names.some((name, at) => kindByName(name, names[at - 1]) !== undefined);
  };
  const refused = (path: string): FileResult<never> => ({
    ok: false,
    error: { code: 'E_SANDBOX_VIOLATION', path, reason: 'withheld' },
  });
  const list: TextSource['list'] = async (path = '.', options) => {
    const clean = source.clean(path);
    if (clean.ok && isWithheld(clean.value)) return refused(clean.value);
    const listed = await source.list(path, options);
    if (!listed.ok) return listed;
    const { path: folder, entries } = listed.value;
    const at = (name: string) => (folder === '.' ? name : `${folder}/${name}`);
    return {
      ok: true,
      value: { ...listed.value, entries: entries.filter(({ name }) => !isWithheld(at(name))) },
    };
  };
  const unlessWithheld = async <Value extends string | Uint8Array>(
    path: string,
    read: (path: string) => Promise<FileResult<Value>>,
  ): Promise<FileResult<Value>> => {
    const clean = source.clean(path);
    if (!clean.ok) return read(path);
    if (isWithheld(clean.value)) return refused(clean.value);
    const found = await read(path);
    if (!found.ok) return found;
    const isSecret = kindByContent(clean.value, Buffer.from(found.value as Uint8Array)) !== undefined;
    return guard('package.withheld-content', isSecret) ? refused(clean.value) : found;
  };
  return {
    clean: (path) => source.clean(path),
    readText: (path) => unlessWithheld(path, (each) => source.readText(each)),
    readBytes: (path) => unlessWithheld(path, (each) => source.readBytes(each)),
    list,
    walk: (path = '.', options) => walkSource(list, path, options),
  };
}

const alias = (path: string): string => (path === '.' ? '@pkg' : `@pkg/${path}`);

/** An error of the source names its paths from the mount on. */
function named<Value>(result: FileResult<Value>): FileResult<Value> {
  if (result.ok || result.error.path.startsWith('@pkg')) return result;
  return { ok: false, error: { ...result.error, path: alias(result.error.path) } as FileError };
}

function matchLines(
  text: string,
  path: string,
  query: { readonly text: string; readonly before?: number; readonly after?: number },
): readonly SearchMatch[] {
  const { before = 0, after = 0 } = query;
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    const found = line.indexOf(query.text);
    if (found === -1) return [];
    return [
      {
        path,
        line: at + 1,
        column: [...line.slice(0, found)].length + 1,
        text: cut(line),
        before: lines.slice(Math.max(0, at - before), at).map(cut),
        after: lines.slice(at + 1, at + 1 + after).map(cut),
      },
    ];
  });
}

const cut = (line: string): string =>
  line.length > 400 ? `${line.slice(0, 400).replace(/\p{Surrogate}$/u, '')}…` : line;
