import type { Files } from '@cuebook/files';
import type { Hash, LeakContext, Redactor } from '@cuebook/prompt';

/** What composing and saving prompts of a project needs. */
export interface Library {
  /** The project's folder, and its files as agents may read them. */
  readonly folder: string;
  readonly files: Files;
  /** The same files, for saving. */
  readonly writable: Files;
  /** CUEBOOK_HOME, and the same as a path. */
  readonly home: Files;
  readonly homeFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hash: Hash;
  readonly redactor: Redactor;
  /** What the redactor knows. */
  readonly context: LeakContext;
}
