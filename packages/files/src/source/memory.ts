import { decodeText } from '../disk/read.js';
import { type CleanPath, type PathRules, parsePath } from '../path.js';
import { type FileResult, fail, ok } from '../result.js';
import { DEFAULT_LIST_LIMIT, type Listing, type SourceEntry, type TextSource } from './source.js';
import { walkSource } from './walk.js';

/**
 * A source of the given texts, or bytes, by path, with the rules and errors of a disk: for tests, previews and
 * generated projects. With `aliases` the paths are mount paths, without they are relative to one root.
 */
export function memorySource(
  texts: Readonly<Record<string, string | Uint8Array>>,
  options: { readonly aliases?: readonly string[] } = {},
): FileResult<TextSource> {
  const aliases = options.aliases === undefined ? null : new Set(options.aliases);
  const rules: PathRules = { aliases, windows: false, hidden: [] };
  const files = new Map<string, string | Uint8Array>();
  const directories = new Map<string, Map<string, SourceEntry>>();
  for (const root of options.aliases ?? ['.']) directories.set(root, new Map());
  for (const [given, text] of Object.entries(texts)) {
    const path = parsePath(given, rules, 'write');
    if (!path.ok) return path;
    const refused = addFile(path.value, files, directories);
    if (refused !== undefined) return refused;
    files.set(path.value.text, text);
  }

  const find = <Value>(path: string, use: (path: string) => FileResult<Value>): FileResult<Value> => {
    const parsed = parsePath(path, rules, 'read');
    return parsed.ok ? use(parsed.value.text) : parsed;
  };
  const list: TextSource['list'] = async (path = '.', { limit = DEFAULT_LIST_LIMIT } = {}) =>
    find<Listing>(path, (clean) => {
      const entries = [...(directories.get(clean)?.values() ?? [])].sort((a, b) =>
        a.name < b.name ? -1 : 1,
      );
      if (!directories.has(clean)) return fail(missing(clean, files));
      const truncated = entries.length > limit;
      return ok({ path: clean, entries: entries.slice(0, limit), truncated, unaddressable: 0 });
    });
  const read = (path: string): FileResult<string | Uint8Array> =>
    find(path, (clean) => {
      const given = files.get(clean);
      if (given !== undefined) return ok(given);
      if (directories.has(clean)) return fail({ code: 'E_NOT_A_FILE', path: clean, kind: 'directory' });
      return fail(missing(clean, files, 'above'));
    });
  return ok({
    clean: (path) => find(path, ok),
    readText: async (path) => {
      const given = read(path);
      if (!given.ok || typeof given.value === 'string') return given as FileResult<string>;
      const clean = parsePath(path, rules, 'read');
      const text = clean.ok ? decodeText(clean.value, given.value) : clean;
      return text.ok ? ok(text.value.text) : text;
    },
    readBytes: async (path) => {
      const given = read(path);
      if (!given.ok) return given;
      return ok(typeof given.value === 'string' ? new TextEncoder().encode(given.value) : given.value);
    },
    list,
    walk: (path = '.', walkOptions) => walkSource(list, path, walkOptions),
  });
}

function addFile(
  path: CleanPath,
  files: ReadonlyMap<string, unknown>,
  directories: Map<string, Map<string, SourceEntry>>,
): FileResult<never> | undefined {
  if (directories.has(path.text)) return fail({ code: 'E_NOT_A_FILE', path: path.text, kind: 'directory' });
  let parent = path.alias || '.';
  for (const [index, name] of path.segments.entries()) {
    if (files.has(parent)) return fail({ code: 'E_NOT_A_DIRECTORY', path: path.text });
    const here = directories.get(parent) ?? new Map<string, SourceEntry>();
    directories.set(parent, here);
    here.set(name, { name, kind: index === path.segments.length - 1 ? 'file' : 'directory' });
    parent = parent === '.' ? name : `${parent}/${name}`;
  }
  return undefined;
}

/** As a disk answers: a file where a directory is needed is another error than nothing at all. */
function missing(path: string, files: ReadonlyMap<string, unknown>, from: 'here' | 'above' = 'here') {
  const parts = path.split('/');
  for (let length = parts.length - (from === 'above' ? 1 : 0); length > 0; length -= 1) {
    if (files.has(parts.slice(0, length).join('/'))) return { code: 'E_NOT_A_DIRECTORY', path } as const;
  }
  return { code: 'E_FILE_NOT_FOUND', path } as const;
}
