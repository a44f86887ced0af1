import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/**
 * A private file that only grows. What was appended is there after the process is killed, whoever else appends; after
 * a loss of power the last of it may be missing until `sync` was called.
 */
export interface LineLog {
  /** Appends one line at once, with a single call to the system. Answers the system's code when it fails. */
  append(line: string): string | undefined;
  /** Waits until all of it is on the disk. */
  sync(): void;
  close(): void;
}

/** Opens the file of a real path, or makes it, readable by its owner alone. Nothing is made before the first line. */
export function openLineLog(path: string): LineLog {
  let file: number | undefined;
  let hasBegun = false;

  const open = (): number => {
    // Somebody may have put a new file in its place: what is written to the old one is lost to everybody.
    if (file !== undefined && fstatSync(file).nlink > 0) return file;
    close();
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    file = openSync(path, FLAGS, 0o600);
    hasBegun = false;
    return file;
  };
  const close = (): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  return {
    append(line) {
      try {
        const to = open();
        // After a line that a loss of power cut, this one still stands by itself.
        const before = hasBegun || endsWithLine(to) ? '' : '\n';
        writeSync(to, `${before}${line}\n`);
        hasBegun = true;
        return undefined;
      } catch (thrown) {
        return codeOf(thrown);
      }
    },
    sync() {
      if (file !== undefined) fsyncSync(file);
    },
    close,
  };
}

const FLAGS = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

function endsWithLine(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  return readSync(file, last, 0, 1, size - 1) === 1 && last[0] === 0x0a;
}

const codeOf = (thrown: unknown): string =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : 'unknown';
