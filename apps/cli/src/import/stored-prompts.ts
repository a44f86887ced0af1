import type { Files } from '@cuebook/files';
import { SKIPPED } from './find.js';

/** A place in a program that calls a prompt which OpenAI stores. */
export interface StoredPromptCall {
  readonly path: string;
  readonly line: number;
  readonly id: string;
}

const CODE = /\.(?:[cm]?[jt]sx?|py|ipynb|go|rb|java|kt|cs|php|rs|swift|ya?ml|json|toml)$/;
const ID = /\bpmpt_[A-Za-z0-9]{6,128}\b/g;
/** A larger file is data or was made by a program. */
const MAX_BYTES = 1024 * 1024;
/** More files, or more places, are not looked for: the list is a hint. */
const MAX_FILES = 20_000;
const MAX_CALLS = 200;

/** Where a folder names prompts that OpenAI stores. Files that hold keys are not read: `files` withholds them. */
export async function findStoredPrompts(files: Files): Promise<readonly StoredPromptCall[]> {
  const calls: StoredPromptCall[] = [];
  let count = 0;
  for await (const walked of files.walk('.', { ignore: SKIPPED })) {
    if (!walked.ok || !CODE.test(walked.value)) continue;
    count += 1;
    if (count > MAX_FILES || calls.length >= MAX_CALLS) break;
    const read = await files.readBytes(walked.value, { limit: MAX_BYTES });
    // Most files hold none: bytes are compared before anything is decoded.
    if (!read.ok || !Buffer.from(read.value).includes('pmpt_')) continue;
    const lines = Buffer.from(read.value).toString().split('\n');
    for (const [index, line] of lines.entries())
      for (const [id] of line.matchAll(ID)) calls.push({ path: walked.value, line: index + 1, id });
  }
  return calls.slice(0, MAX_CALLS);
}
