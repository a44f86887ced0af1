import type { TextSource } from '@cuebook/files';

/**
 * The same source, with other texts in the place of some files: how a project would be once they are saved. A new one for
 * each question: profiles keep what they have loaded by their source, and files change.
 */
export function editedSource(source: TextSource, edits: ReadonlyMap<string, string> = new Map()): TextSource {
  const edited = (path: string): string | undefined => {
    const clean = source.clean(path);
    return clean.ok ? edits.get(clean.value) : undefined;
  };
  return {
    clean: (path) => source.clean(path),
    readText: async (path) => {
      const text = edited(path);
      return text === undefined ? source.readText(path) : { ok: true, value: text };
    },
    readBytes: async (path) => {
      const text = edited(path);
      return text === undefined ? source.readBytes(path) : { ok: true, value: Buffer.from(text) };
    },
    list: (path, options) => source.list(path, options),
    walk: (path, options) => source.walk(path, options),
  };
}
