import type { FileKind } from '../error.js';
import type { FileResult } from '../result.js';

/**
 * Anything texts can be read from: a folder, a set of mounts, memory, a revision, an archive. All of them
 * obey the same lexical rules and answer the same errors; `test/source-conformance.ts` says which.
 */
export interface TextSource {
  /** The one spelling of a path. Compare paths by this: `a/../b`, `./b` and `b/` are all `b`. */
  clean(path: string): FileResult<string>;
  /** Strict UTF-8, without a leading byte order mark. */
  readText(path: string): Promise<FileResult<string>>;
  /** The bytes of a file as they are, text or not. */
  readBytes(path: string): Promise<FileResult<Uint8Array>>;
  /** The same for many, in the order given, where a source can do it for less than one after the other. */
  readTexts?(paths: readonly string[]): Promise<readonly FileResult<string>[]>;
  /** What stands in a directory, sorted by code unit. */
  list(path?: string, options?: ListOptions): Promise<FileResult<Listing>>;
  /**
   * The paths of all files below a directory, sorted. Symbolic links are skipped. A directory that cannot be
   * read is an error among the values; the walk goes on behind it.
   */
  walk(path?: string, options?: WalkOptions): AsyncIterable<FileResult<string>>;
}

export interface ListOptions {
  /** The most entries to answer, 10,000 by default. */
  readonly limit?: number;
}

export interface Listing {
  readonly path: string;
  readonly entries: readonly SourceEntry[];
  /** Whether there are more entries than the limit. */
  readonly truncated: boolean;
  /** How many names no path can spell: not Unicode, with a line break, with a backslash. */
  readonly unaddressable: number;
}

export interface SourceEntry {
  readonly name: string;
  readonly kind: FileKind;
}

export interface WalkOptions {
  /** Names that are skipped with all below them: `.git` and `node_modules` by default. */
  readonly ignore?: readonly string[];
  /** The most files to answer, 100,000 by default; then an error ends the walk. */
  readonly limit?: number;
  /** Is told what the walk leaves out besides: symbolic links, pipes and devices, and names that no path can spell. */
  readonly onSkipped?: (skipped: SkippedEntry) => void;
}

/** What a walk leaves out. `path` is the folder where it is about names. */
export type SkippedEntry =
  | { readonly path: string; readonly kind: Exclude<FileKind, 'file' | 'directory'> }
  | { readonly path: string; readonly unaddressable: number };

export const DEFAULT_IGNORE: readonly string[] = ['.git', 'node_modules'];
export const DEFAULT_LIST_LIMIT = 10_000;
export const DEFAULT_WALK_LIMIT = 100_000;
