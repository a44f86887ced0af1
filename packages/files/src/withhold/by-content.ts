import { guard } from '@cuebook/guard';
import { HEAD_BYTES, holdsCredential, isPrivateKey } from './content.js';
import { foldName, isDataName, isMarkedName, withoutCopyMarks } from './names.js';
import { isSignIn } from './sign-ins.js';

/**
 * Why a file is withheld by what stands in its first `HEAD_BYTES`, or undefined: a private key whatever its name is, and
 * credentials where its name speaks of them too. Pure. The same for a file on a disk, at a revision and in an archive.
 */
export function kindByContent(path: string, bytes: Uint8Array): 'key' | undefined {
  const names = path
    .split('/')
    .slice(-2)
    .map((name) => withoutCopyMarks(foldName(name)));
  const name = names.at(-1) ?? '';
  const head = headOf(bytes);
  const isKnown =
    guard('withhold.content', isPrivateKey(head, bytes)) ||
    guard('withhold.kept', isMarkedName(name) && isDataName(name) && holdsCredential(head)) ||
    guard('withhold.sign-in', isSignIn(name, names.length > 1 ? names[0]! : '', head));
  return isKnown ? 'key' : undefined;
}

/** Without zero bytes, so that UTF-16 reads as well. */
export const headOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES))
    .toString('latin1')
    .replaceAll('\0', '');
