import type { Origin, Span } from '@cuebook/prompt';
import { longHash, shortHash } from '../digest.js';
import type { FileList } from '../receipt.js';
import type { SourceRow } from '../shape.js';

/** A file as it was when words were taken from it. */
export interface FileStamp {
  /** `sha256:` and the hex digest of its content. */
  readonly hash: string;
  /** The commit that was checked out then, in a repository. The file may have been changed since. */
  readonly commit?: string | undefined;
}

/** Files by the path that origins name them by. */
export type FileStamps = Readonly<Record<string, FileStamp>>;

/** What a chain knows that has no receipt. */
export const NO_FILES: FileStamps = {};

/** The files that words and values come from, or that led to them. */
export function filesOf(
  blocks: readonly { readonly spans: readonly Span[] }[],
  sources: Readonly<Record<string, SourceRow>>,
): ReadonlySet<string> {
  const files = new Set<string>();
  let last: Origin | undefined;
  const add = (origin: Origin): void => {
    if (origin === last) return;
    last = origin;
    for (const { ref, line } of [origin, ...(origin.via ?? [])]) if (line !== undefined) files.add(ref);
  };
  for (const { spans } of blocks) for (const { origin } of spans) add(origin);
  for (const [origin] of Object.values(sources)) add(origin);
  return files;
}

/** The files of these that the chain has not told so, as a receipt keeps them; undefined where there are none. */
export function encodeFiles(
  files: Iterable<string>,
  stampOf: (file: string) => FileStamp | undefined,
  told: FileStamps,
): { readonly list: FileList; readonly known: FileStamps } | undefined {
  const byCommit = new Map<string, Record<string, string>>();
  const known: Record<string, FileStamp> = { ...told };
  for (const file of files) {
    const stamp = stampOf(file);
    const before = Object.hasOwn(told, file) ? told[file] : undefined;
    if (stamp === undefined || (before?.hash === stamp.hash && before.commit === stamp.commit)) continue;
    const group = byCommit.get(stamp.commit ?? '') ?? {};
    define(group, file, shortHash(stamp.hash));
    byCommit.set(stamp.commit ?? '', group);
    define(known, file, stamp);
  }
  return byCommit.size === 0 ? undefined : { list: [...byCommit], known };
}

/** What the chain knows behind a receipt. */
export function decodeFiles(list: FileList, told: FileStamps): FileStamps {
  const known: Record<string, FileStamp> = { ...told };
  for (const [commit, files] of list)
    for (const [file, hash] of Object.entries(files))
      define(known, file, { hash: longHash(hash), ...(commit === '' ? {} : { commit }) });
  return known;
}

/** A path may have any name, `__proto__` too. */
function define<Value>(record: Record<string, Value>, key: string, value: Value): void {
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
}
