import type { FileResult, Files } from '@cuebook/files';
import { describeFileError } from '@cuebook/files';
import type { Hash } from '@cuebook/prompt';
import { Failure } from '../../failure.js';

/** The project as takes get a copy of it. What is withheld from agents is not in it. */
export interface OwnProject {
  /** Where its code finds its packages. */
  readonly packages: string;
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  /** Of all of it: other files make other takes. */
  readonly hash: string;
}

/** Files, and bytes of them all, that a copy may have: every take has one. */
const MOST = { files: 5_000, bytes: 64 * 1024 * 1024 };

/** Reads the project that agents are tried in. `ignored`: names in its folder that are no part of it, such as reports. */
export async function readOwnProject(
  { files: source, folder, hash }: { readonly files: Files; readonly folder: string; readonly hash: Hash },
  ignored: readonly string[],
): Promise<OwnProject> {
  const files: { path: string; bytes: Uint8Array }[] = [];
  let size = 0;
  for await (const found of source.walk('.', { limit: MOST.files + 1 })) {
    const path = must(found);
    if (ignored.includes(path) || path.split('/')[0] === '.cuebook') continue;
    const bytes = await source.readBytes(path);
    // What agents may not read is not theirs to be tried with.
    if (!bytes.ok && ['E_FILE_NOT_FOUND', 'E_SANDBOX_VIOLATION'].includes(bytes.error.code)) continue;
    const read = must(bytes);
    size += read.byteLength;
    if (files.length >= MOST.files || size > MOST.bytes) throw tooLarge();
    files.push({ path, bytes: read });
  }
  const decoder = new TextDecoder('latin1');
  const told = files.map(({ path, bytes }) => `${path}\n${bytes.byteLength}\n${decoder.decode(bytes)}`);
  return { packages: folder, files, hash: hash(told.join('\n')) };
}

function must<Value>(result: FileResult<Value>): Value {
  if (result.ok) return result.value;
  if (result.error.code === 'E_FILE_TOO_LARGE') throw tooLarge();
  throw new Failure(result.error.code, `The project: ${describeFileError(result.error)}`, { exit: 1 });
}

const tooLarge = (): Failure =>
  new Failure(
    'E_INJECTION_PROJECT',
    `The project has more than ${MOST.files} files or ${MOST.bytes / 1024 / 1024} MiB: each take is made in a copy of it`,
    { exit: 1 },
  );
