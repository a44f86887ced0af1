import type { FileResult, TextSource } from '@cuebook/files';
import type { Diagnostic } from '@cuebook/prompt';
import { guard } from './guard.js';
import { hiddenText } from './hidden-text.js';

/** A source of which it is known what is hidden in the texts that were read. */
export interface WatchedSource {
  readonly source: TextSource;
  /** What is hidden in the texts that are read from now on. */
  watch(): { stop(): ReadonlyMap<string, readonly Diagnostic[]> };
}

/** The same watched source for the same source: profiles keep what they have loaded by it. */
export function watchedSource(source: TextSource): WatchedSource {
  const known = WATCHED.get(source) ?? watching(source);
  WATCHED.set(source, known);
  return known;
}

const WATCHED = new WeakMap<TextSource, WatchedSource>();

function watching(source: TextSource): WatchedSource {
  const open = new Set<Map<string, readonly Diagnostic[]>>();
  // Every target of a project may read the same file: a text that is as it was is not looked through again.
  const known = new Map<string, { readonly text: string; readonly found: readonly Diagnostic[] }>();
  const look = (path: string, read: FileResult<string>): FileResult<string> => {
    const clean = source.clean(path);
    if (!read.ok || !clean.ok || open.size === 0 || !guard('check.hidden', true)) return read;
    const before = known.get(clean.value);
    const found = before?.text === read.value ? before.found : hiddenText(clean.value, read.value);
    known.set(clean.value, { text: read.value, found });
    for (const each of open) each.set(clean.value, found);
    return read;
  };
  const { readTexts } = source;
  return {
    source: {
      clean: (path) => source.clean(path),
      readText: async (path) => look(path, await source.readText(path)),
      ...(readTexts === undefined
        ? {}
        : {
            readTexts: async (paths: readonly string[]) => {
              const read = await readTexts.call(source, paths);
              return read.map((each, at) => look(paths[at] as string, each));
            },
          }),
      list: (path, options) => source.list(path, options),
      walk: (path, options) => source.walk(path, options),
    },
    watch() {
      const found = new Map<string, readonly Diagnostic[]>();
      open.add(found);
      return {
        stop() {
          open.delete(found);
          return found;
        },
      };
    },
  };
}
