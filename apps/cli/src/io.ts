import { isatty } from 'node:tty';
import { programOf, projectIn, type Typing } from './hint/program.js';

/** What a command may touch of the process: handed in, so that tests run commands without a process. */
export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Resolves when more may be written, so that large output does not pile up in memory. */
  readonly out: (text: string) => Promise<void>;
  /** The same, byte for byte, whatever stands in it: for a key that is made for whoever asks, and for what is read back. */
  readonly exact: (text: string) => Promise<void>;
  readonly err: (text: string) => void;
  /** The same, byte for byte: for an address that is a key. */
  readonly exactErr: (text: string) => void;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Whether each stream is a terminal: only then there is colour or progress, and only a person at one is asked. */
  readonly terminal: { readonly in: boolean; readonly out: boolean; readonly err: boolean };
  /** Aborted when the user asks a watching command to stop. */
  readonly stop: AbortSignal;
  /** How command lines are told to whoever made this call. */
  readonly typing: Typing;
  /** Called while `stop` is heard: the process then waits for the command to end by itself. */
  readonly wait?: () => void;
}

/** The streams that a program hands in. Left out: what goes out exactly goes out as all else does. */
export type Streams = Omit<Io, Exact> & Partial<Pick<Io, Exact>>;
type Exact = 'exact' | 'exactErr';

/** Whether a person sits there who sees what is asked and can type an answer. */
export const isAtTerminal = ({ terminal }: Pick<Io, 'terminal'>): boolean => terminal.in && terminal.out;

/** The streams of this process. A reader of ours that went away (`| head`) ends us quietly. */
export function processIo(stop: AbortSignal, wait: () => void): Io {
  const { stdout, stderr } = process;
  stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    // A terminal that is gone hears nothing more of what ends because of that.
    if (stop.aborted && stdout.isTTY) return;
    if (code !== 'EPIPE') stderr.write(`error E_DISK Standard output could not be written (${code}).\n`);
    process.exit(code === 'EPIPE' ? (process.exitCode ?? 0) : 1);
  });
  // Nobody is left to tell.
  stderr.on('error', () => {
    if (!stop.aborted || !stderr.isTTY) process.exit(process.exitCode ?? 1);
  });
  const out = (text: string): Promise<void> => new Promise((resolve) => stdout.write(text, () => resolve()));
  const err = (text: string): void => {
    stderr.write(text);
  };
  return {
    cwd: process.cwd(),
    env: process.env,
    ...{ out, exact: out, err, exactErr: err },
    // Looked up when read: merely touching it opens it.
    get stdin() {
      return process.stdin;
    },
    // Asked of the file descriptor: looking at the stream would open it.
    terminal: { in: isatty(0), out: stdout.isTTY === true, err: stderr.isTTY === true },
    stop,
    typing: {
      program: programOf({ script: process.argv[1] ?? '', cwd: process.cwd(), env: process.env }),
      project: projectIn(process.argv.slice(2)),
    },
    wait,
  };
}
