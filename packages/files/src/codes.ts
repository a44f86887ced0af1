import type { FileError } from './error.js';
import type { ArchiveError } from './source/zip.js';

interface CodeEntry {
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
}

/** What each error code of this package means and how to fix it. */
export const FILES_CODES = {
  E_SANDBOX_VIOLATION: {
    title: 'The path leaves its root, or is withheld',
    cause:
      'The path is absolute, climbs above its root, names no known mount, has characters that mean something else to a file system, or passes a symbolic link that leads out. Or it leads to a file that agents and packages do not get: state of Cuebook, `.git`, keys, environment files, secrets that git ignores.',
    fix: 'Use a path inside the root, such as @project/docs/a.md. Replace a symbolic link that leads out by the file itself, or open its target as a mount of its own. What is withheld has no other way: put what an agent may read into another file.',
  },
  E_FILE_NOT_FOUND: {
    title: 'There is no such file',
    cause: 'Nothing has that name, or a directory on the way to it is missing.',
    fix: 'Check the spelling and the letter case, or list the directory.',
  },
  E_NOT_A_FILE: {
    title: 'Not a regular file',
    cause: 'A file was expected, and a directory, device, pipe or socket was found.',
    fix: 'Name a regular file, or list the directory instead.',
  },
  E_NOT_A_DIRECTORY: {
    title: 'Not a directory',
    cause: 'A part of the path that must be a directory is something else.',
    fix: 'Check the path. If a file stands where a directory is wanted, choose another name.',
  },
  E_FILE_TOO_LARGE: {
    title: 'Too large',
    cause: 'The file has more bytes, or the directory more entries, than the limit of this operation.',
    fix: 'Split it, name a smaller part, or raise the limit of the operation.',
  },
  E_NOT_UTF8: {
    title: 'Not UTF-8 text',
    cause: 'The bytes are not valid UTF-8, or the text to write has half of a surrogate pair.',
    fix: 'Save the file as UTF-8. A binary file cannot be used as text.',
  },
  E_READ_ONLY: {
    title: 'Read only',
    cause: 'The mount, a protected part of it, or the file system does not allow changes.',
    fix: 'Write under a mount with read and write access.',
  },
  E_FILE_DENIED: {
    title: 'Permission denied',
    cause: 'The operating system does not let this user read or change the file.',
    fix: 'Give this user the right to the file, or run as the user that owns it.',
  },
  E_FILE_CHANGED: {
    title: 'The file changed meanwhile',
    cause:
      'The file is not the version the change was made for, or its directory was replaced during the operation.',
    fix: 'Read the file again and repeat the change on what is there now.',
  },
  E_DISK: {
    title: 'The system could not do this',
    cause:
      'The disk is full, fails, or a limit of the operating system was reached; the system code says which.',
    fix: 'Free space, check the disk, or raise the limit named by the system code, then try again.',
  },
} as const satisfies Record<FileError['code'], CodeEntry>;

/** The code of archives. */
export const ARCHIVE_CODES = {
  E_ARCHIVE: {
    title: 'An archive that is not opened',
    cause:
      'The zip archive is broken, encrypted, unpacks to more than it may, or has names or links that could lead out of it.',
    fix: 'Make it again with an ordinary zip program from a plain folder, or use the folder itself.',
  },
} as const satisfies Record<ArchiveError['code'], CodeEntry>;
