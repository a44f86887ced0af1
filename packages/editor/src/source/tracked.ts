import { type TextSource, walkSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';

/** What an answer was made from: files that were read, there or not, and folders that were listed. */
export interface Reads {
  readonly files: Set<string>;
  readonly folders: Set<string>;
}

/** A source that notes what is read from it. One look at a time is noted. */
export interface TrackedSource {
  readonly source: TextSource;
  /** The same source for who remembers by the source what was loaded: nothing is remembered of it. */
  readonly anew: () => TextSource;
  /** Notes what is read until `look` is done. */
  readonly noting: <Value>(reads: Reads, look: () => Promise<Value>) => Promise<Value>;
}

/** A file that was written, or that appeared or went. */
export interface FileEvent {
  readonly path: string;
  /** Whether the file may not have been there before, or is not there any more. */
  readonly isMove: boolean;
}

export const noReads = (): Reads => ({ files: new Set(), folders: new Set() });

/** Whether an answer may be another one after the event. */
export function isConcerned({ files, folders }: Reads, { path, isMove }: FileEvent): boolean {
  if (guard('editor.concerned', files.has(path))) return true;
  if (!isMove) return false;
  if (folders.has('.')) return true;
  for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1)) {
    if (folders.has(path.slice(0, cut))) return true;
  }
  return false;
}

export function trackReads(source: TextSource): TrackedSource {
  let open: Reads | undefined;
  const clean = (path: string): string => {
    const known = source.clean(path);
    return known.ok ? known.value : path;
  };
  const note = (path: string): void => void open?.files.add(clean(path));
  const { readTexts } = source;
  const list: TextSource['list'] = (path = '.', options) => {
    open?.folders.add(clean(path));
    return source.list(path, options);
  };
  const tracked: TextSource = {
    clean: (path) => source.clean(path),
    readText: (path) => {
      note(path);
      return source.readText(path);
    },
    readBytes: (path) => {
      note(path);
      return source.readBytes(path);
    },
    ...(readTexts === undefined
      ? {}
      : {
          readTexts: (paths: readonly string[]) => {
            for (const path of paths) note(path);
            return readTexts.call(source, paths);
          },
        }),
    list,
    walk: (path = '.', options) => walkSource(list, path, options),
  };
  return {
    source: tracked,
    anew: () => ({ ...tracked }),
    async noting(reads, look) {
      open = reads;
      try {
        return await look();
      } finally {
        open = undefined;
      }
    },
  };
}
