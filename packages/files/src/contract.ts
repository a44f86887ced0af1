import type { SearchFound, SearchQuery } from './disk/search.js';
import type { FileKind } from './error.js';
import type { FileResult } from './result.js';
import type { TextSource } from './source/source.js';
import type { WithholdRules } from './withhold/withhold.js';

/**
 * The files below one or more roots. No path reaches anything outside them, nothing throws or rejects, and
 * no error holds a real path. Holds no descriptor between calls; there is nothing to close.
 */
export interface Files extends TextSource {
  readText(path: string, options?: ReadOptions): Promise<FileResult<string>>;
  /** `readText` with the hash, size and byte order mark. */
  readDocument(path: string, options?: ReadOptions): Promise<FileResult<TextDocument>>;
  readBytes(path: string, options?: ReadOptions): Promise<FileResult<Uint8Array>>;
  /** What a path leads to. `identity` tells whether two spellings name one file. */
  stat(path: string): Promise<FileResult<FileStat>>;
  /**
   * The one spelling of where a path leads, all links followed. What is missing at its end is taken as it is
   * spelled, so that a file can be judged by its place before it is made.
   */
  leadsTo(path: string): Promise<FileResult<string>>;
  /** Whether anything is there; a refused path is an error, not a no. */
  exists(path: string): Promise<FileResult<boolean>>;
  /** Finds a text in all files below a directory, or in one file. In constant memory, whatever their sizes. */
  search(path: string, query: SearchQuery): Promise<FileResult<SearchFound>>;
  writeText(path: string, text: string, options?: WriteOptions): Promise<FileResult<Written>>;
  writeBytes(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<FileResult<Written>>;
  /**
   * Writes many files, each whole or not at all, all durable when it answers; cheaper than one after the other. There
   * is no order between them: after a failure any of them may be written.
   */
  writeAll(files: readonly NewFile[]): Promise<FileResult<void>>;
  makeDirectory(path: string): Promise<FileResult<void>>;
  remove(path: string, options?: Precondition): Promise<FileResult<void>>;
  /** Removes a directory with all below it; links in it are not followed. One that is not there is as good. */
  removeTree(path: string): Promise<FileResult<void>>;
  /** What a directory takes on the disk with all below it. */
  diskUse(path?: string): Promise<FileResult<DiskUse>>;
  /** Removes what killed writers left in a directory; answers how many. */
  sweep(path?: string, options?: SweepOptions): Promise<FileResult<number>>;
  watch(onChange: OnChange, options?: WatchOptions): Promise<FileResult<Watcher>>;
  /** The same files, without what is withheld from somebody: for paths that a model, an agent or a package names. */
  withhold(rules: WithholdRules): Files;
}

export interface ReadOptions {
  /** In bytes. A larger file is not read at all; one that grows past it while being read is given up. */
  readonly limit?: number;
  /** Reads as many bytes as the limit has from the beginning of a file of any size. */
  readonly beginning?: boolean;
}

/** 16 MiB. */
export const DEFAULT_READ_LIMIT = 16 * 1024 * 1024;

/** A text file with what an editor needs to write it back. */
export interface TextDocument {
  /** The one spelling of its path. */
  readonly path: string;
  /** Without a leading byte order mark. */
  readonly text: string;
  readonly hasByteOrderMark: boolean;
  /** Of all bytes, in lower-case hexadecimal: the `ifMatch` of a later write. */
  readonly sha256: string;
  /** In bytes, the byte order mark included. */
  readonly size: number;
}

export interface FileStat {
  readonly path: string;
  readonly kind: FileKind;
  /** In bytes; of no meaning for anything but a file. */
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  readonly modifiedMs: number;
  /** Equal for two paths that name one file, whatever their letter case or Unicode form. */
  readonly identity: string;
}

export interface WriteOptions extends Precondition {
  /** Permission bits. Without it an existing file keeps its own and a new one gets the user's default. */
  readonly mode?: number;
}

/** A file of `writeAll`. */
export interface NewFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export interface Precondition {
  /**
   * The sha256 (hexadecimal) the file must have now, or `absent`. Anything else is `E_FILE_CHANGED` and
   * changes nothing. Writers of one process take turns, so of two with the same `ifMatch` one wins. Between
   * processes `absent` is exact; a hash is checked right before the new content takes its place.
   */
  readonly ifMatch?: string;
}

/** What was written: the hash is the `ifMatch` of the next write. */
export interface Written {
  readonly path: string;
  readonly sha256: string;
  readonly size: number;
}

export interface DiskUse {
  readonly bytes: number;
  /** Everything that is not a directory. */
  readonly files: number;
  /** Whether everything was counted: a million entries are. */
  readonly complete: boolean;
}

export interface SweepOptions {
  /** Younger ones may belong to a living writer. One hour by default. */
  readonly olderThanMs?: number;
}

export interface WatchOptions {
  /** Names that are not watched, with all below them: `.git` and `node_modules` by default. */
  readonly ignore?: readonly string[];
  /** A batch is handed over after this long without a change, 50 ms by default, or after ten times as long. */
  readonly quietMs?: number;
}

export interface FolderChange {
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'removed';
}

/** Watches until closed. `close` waits until no callback can come any more. */
export interface Watcher {
  close(): Promise<void>;
}

/** Called with the changes of files, sorted by path, one per path and the last kind seen; or with a failure. */
export type OnChange = (batch: FileResult<readonly FolderChange[]>) => void;
