import type { FileResult, TextSource } from '@cuebook/files';
import { guarded } from '@cuebook/guard';
import type { Diagnostic } from '@cuebook/prompt';
import { hiddenText } from './hidden-text.js';

/** A source of which it is known what is hidden in the texts that were read. */
export interface WatchedSource {
  readonly source: TextSource;
  /** Which files are read from now on. */
  watch(): { stop(): ReadonlySet<string> };
  /** What is hidden in a file, as it was last read; nothing in one that was not. */
  readonly hiddenIn: (file: string) => readonly Diagnostic[];
  /** Every file that was read. */
  readonly files: () => Iterable<string>;
}

/** The same watched source for the same source: profiles keep what they have loaded by it. */
export function watchedSource(source: TextSource): WatchedSource {
  const known = WATCHED.get(source) ?? watching(source);
  WATCHED.set(source, known);
  return known;
}

const WATCHED = new WeakMap<TextSource, WatchedSource>();

function watching(source: TextSource): WatchedSource {
  const open = new Set<Set<string>>();
  const texts = new Map<string, string>();
  // Every target of a project may read the same file: a text that is as it was is not looked through again.
  const looked = new Map<string, { readonly text: string; readonly found: readonly Diagnostic[] }>();
  const note = (path: string, read: FileResult<string>): FileResult<string> => {
    const clean = source.clean(path);
    if (!read.ok || !clean.ok) return read;
    texts.set(clean.value, read.value);
    for (const each of open) each.add(clean.value);
    return read;
  };
  const { readTexts } = source;
  return {
    source: {
      clean: (path) => source.clean(path),
      readText: async (path) => note(path, await source.readText(path)),
      ...(readTexts === undefined
        ? {}
        : {
            readTexts: async (paths: readonly string[]) => {
              const read = await readTexts.call(source, paths);
              return read.map((each, at) => note(paths[at] as string, each));
            },
          }),
      readBytes: (path) => source.readBytes(path),
      list: (path, options) => source.list(path, options),
      walk: (path, options) => source.walk(path, options),
    },
    files: () => texts.keys(),
    hiddenIn: (file) => {
      const text = texts.get(file);
      if (text === undefined) return [];
      const before = looked.get(file);
      const found =
        before?.text === text ? before.found : guarded('check.hidden', () => hiddenText(file, text), []);
      looked.set(file, { text, found });
      return found;
    },
    watch() {
      const files = new Set<string>();
      open.add(files);
      return {
        stop() {
          open.delete(files);
          return files;
        },
      };
    },
  };
}
