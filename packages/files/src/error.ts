/**
 * Why an operation failed, as data. `path` is the cleaned alias path (`@project/a.md`), or for a path that
 * was refused before it could be cleaned only its alias: an error never holds a real path.
 */
export type FileError =
  | { readonly code: 'E_SANDBOX_VIOLATION'; readonly path: string; readonly reason: ViolationReason }
  | { readonly code: 'E_FILE_NOT_FOUND'; readonly path: string }
  | { readonly code: 'E_NOT_A_FILE'; readonly path: string; readonly kind: FileKind }
  | { readonly code: 'E_NOT_A_DIRECTORY'; readonly path: string }
  | {
      readonly code: 'E_FILE_TOO_LARGE';
      readonly path: string;
      readonly limit: number;
      readonly unit: 'bytes' | 'entries';
    }
  /** `offset` counts bytes when reading, and UTF-16 units when the text to write has a lone surrogate. */
  | { readonly code: 'E_NOT_UTF8'; readonly path: string; readonly offset: number }
  | { readonly code: 'E_READ_ONLY'; readonly path: string }
  | { readonly code: 'E_FILE_DENIED'; readonly path: string }
  /** `found` is the sha256 of what is there, or `absent`; it is missing when a race was noticed. */
  | { readonly code: 'E_FILE_CHANGED'; readonly path: string; readonly found?: string }
  /** `why` is told where something else than a disk keeps the file. */
  | { readonly code: 'E_DISK'; readonly path: string; readonly system: string; readonly why?: string };

export type ViolationReason =
  | 'no-mount'
  | 'unknown-mount'
  | 'absolute'
  | 'drive'
  | 'control'
  | 'malformed'
  | 'too-long'
  | 'dotdot'
  | 'stream'
  | 'device'
  | 'trailing'
  | 'reserved'
  | 'symlink'
  | 'symlink-loop'
  | 'symlink-write'
  | 'withheld'
  | 'root-moved';

export type FileKind = 'file' | 'directory' | 'symlink' | 'other';

/** One sentence for people and agents. It names the alias path only. */
export function describeFileError(error: FileError): string {
  switch (error.code) {
    case 'E_SANDBOX_VIOLATION':
      return `Path refused: ${error.path}: ${REASONS[error.reason]}.`;
    case 'E_FILE_NOT_FOUND':
      return `File not found: ${error.path}`;
    case 'E_NOT_A_FILE':
      return `Not a regular file: ${error.path} is ${KINDS[error.kind]}.`;
    case 'E_NOT_A_DIRECTORY':
      return `Not a directory: ${error.path}, or a part of its path, is not a directory.`;
    case 'E_FILE_TOO_LARGE':
      return `Too large: ${error.path} has more than ${error.limit} ${error.unit}.`;
    case 'E_NOT_UTF8':
      return `Not UTF-8 text: ${error.path}, first bad position ${error.offset}.`;
    case 'E_READ_ONLY':
      return `Read only: ${error.path} cannot be changed.`;
    case 'E_FILE_DENIED':
      return `Permission denied: ${error.path}`;
    case 'E_FILE_CHANGED':
      return error.found === undefined
        ? `Changed while in use: ${error.path}`
        : `Not what was expected: ${error.path} is ${error.found === 'absent' ? 'absent' : `now sha256 ${error.found}`}.`;
    case 'E_DISK':
      return `The system could not do this: ${error.path} (${error.system}).${error.why === undefined ? '' : ` ${error.why}`}`;
  }
}

/**
 * A thrown system error as data. Only the symbolic code is kept: the message, `path` and `dest` of a Node
 * error hold real paths.
 */
export function fromSystem(path: string, thrown: unknown): FileError {
  const system = systemCode(thrown);
  switch (system) {
    case 'ENOENT':
      return { code: 'E_FILE_NOT_FOUND', path };
    case 'EACCES':
    case 'EPERM':
      return { code: 'E_FILE_DENIED', path };
    case 'EROFS':
      return { code: 'E_READ_ONLY', path };
    case 'EISDIR':
      return { code: 'E_NOT_A_FILE', path, kind: 'directory' };
    case 'ENXIO':
      return { code: 'E_NOT_A_FILE', path, kind: 'other' };
    case 'ENOTDIR':
    case 'EEXIST':
      return { code: 'E_NOT_A_DIRECTORY', path };
    case 'ELOOP':
      return { code: 'E_FILE_CHANGED', path };
    case 'ENAMETOOLONG':
      return { code: 'E_SANDBOX_VIOLATION', path, reason: 'too-long' };
    default:
      return { code: 'E_DISK', path, system };
  }
}

/** The symbolic code of a thrown system error, `UNKNOWN` for anything else. */
export function systemCode(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return 'UNKNOWN';
  const { code } = thrown;
  return typeof code === 'string' && /^E[A-Z0-9]{1,20}$/.test(code) ? code : 'UNKNOWN';
}

const REASONS: Readonly<Record<ViolationReason, string>> = {
  'no-mount': 'a path starts with a mount alias, such as @project/',
  'unknown-mount': 'there is no mount of that name',
  absolute: 'absolute paths are not allowed',
  drive: 'drive letters are not allowed',
  control: 'it contains a control character',
  malformed: 'it is not well-formed Unicode',
  'too-long': 'it is too long or too deep',
  dotdot: 'it climbs above its root',
  stream: 'a name with a colon can name an alternate stream',
  device: 'it is a reserved device name',
  trailing: 'a name may not end in a dot or a space',
  reserved: 'that name is kept for unfinished writes',
  symlink: 'a symbolic link leads out of its root',
  'symlink-loop': 'it passes too many symbolic links',
  'symlink-write': 'a symbolic link is not written through',
  withheld:
    'it is not available here: state of Cuebook, .git, keys, environment files and ignored secrets are withheld',
  'root-moved': 'its root is no longer where it was',
};

const KINDS: Readonly<Record<FileKind, string>> = {
  file: 'a file',
  directory: 'a directory',
  symlink: 'a symbolic link',
  other: 'a device, pipe or socket',
};
