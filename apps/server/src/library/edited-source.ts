import type { TextSource } from '@cuebook/files';

/**
 * The same source, with other texts in the place of some files: how a project would be once they are saved. A new one for
 * each question: profiles keep what they have loaded by their source, and files change.
 */
export function editedSource(source: TextSource, edits: ReadonlyMap<string, string> = new Map()): TextSource {
  return {
    clean: (path) => source.clean(path),
    readText: async (path) => {
      const clean = source.clean(path);
      const text = clean.ok ? edits.get(clean.value) : undefined;
      return text === undefined ? source.readText(path) : { ok: true, value: text };
    },
    list: (path, options) => source.list(path, options),
    walk: (path, options) => source.walk(path, options),
  };
}
