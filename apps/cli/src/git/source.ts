import type { TextSource } from '@cuebook/files';
import type { Result } from '@cuebook/prompt';
import {
  findCommit,
  type RevisionError,
  type RevisionTexts,
  revisionSource as sourceAtRevision,
} from '@cuebook/workspace/history';
import { Failure } from '../failure.js';
import { askGit } from './git.js';

/** The project's texts as of a git revision, and its commit; one that cannot be read is a failure. */
export const revisionTexts = async (folder: string, revision: string): Promise<RevisionTexts> =>
  required(await sourceAtRevision(askGit(folder), revision));

/** The same without the commit. */
export const revisionSource = async (folder: string, revision: string): Promise<TextSource> =>
  (await revisionTexts(folder, revision)).source;

/** The full id of the commit that a revision names. */
export const requireCommit = async (folder: string, revision: string): Promise<string> =>
  required(await findCommit(askGit(folder), revision));

function required<Value>(result: Result<Value, RevisionError>): Value {
  if (result.ok) return result.value;
  const { code, message, by } = result.error;
  throw new Failure(code, message, { exit: by === 'call' ? 2 : 1 });
}
