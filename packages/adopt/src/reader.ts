import type { ImportDraft } from './draft.js';

/** A file that is imported: `path` is how the caller names it in messages and in `meta.source`. */
export interface ForeignFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** How a source is read. */
export interface ReadHow {
  /** The name of the sheet, or of the folder of several. */
  readonly name?: string;
  /** Which version: by label, by number, or every one. */
  readonly label?: string;
  readonly version?: string;
  readonly all?: boolean;
  /** References become text in the place of includes. */
  readonly inline?: boolean;
  /** From which number `$1` counts in a command; none where the caller has not said. */
  readonly firstArgument?: 0 | 1;
  /** Another file of the same repository, by path from its top; undefined when there is none. */
  readonly file?: (path: string) => Uint8Array | undefined;
}

/** The reader of one format. */
export interface FormatReader {
  readonly id: string;
  /** What it reads, for help: `Langfuse export file or API answer`. */
  readonly title: string;
  /** Whether a file looks like one of its own. `head` is the beginning of its text. */
  readonly detect: (path: string, head: string) => boolean;
  readonly read: (file: ForeignFile, how: ReadHow) => ImportDraft;
}
