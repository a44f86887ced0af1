/** What a command may touch of the process: handed in, so that tests run commands without a process. */
export interface Io {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Resolves when more may be written, so that large output does not pile up in memory. */
  readonly out: (text: string) => Promise<void>;
  readonly err: (text: string) => void;
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Whether each stream is a terminal: only then there is colour or progress. */
  readonly terminal: { readonly out: boolean; readonly err: boolean };
  /** Aborted when the user asks a watching command to stop. */
  readonly stop: AbortSignal;
  /** Called while `stop` is heard: the process then waits for the command to end by itself. */
  readonly wait?: () => void;
}

/** The streams of this process. A reader of ours that went away (`| head`) ends us quietly. */
export function processIo(stop: AbortSignal, wait: () => void): Io {
  const { stdout, stderr } = process;
  stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') stderr.write(`error E_DISK Standard output could not be written (${code}).\n`);
    process.exit(code === 'EPIPE' ? (process.exitCode ?? 0) : 1);
  });
  // Nobody is left to tell.
  stderr.on('error', () => process.exit(process.exitCode ?? 1));
  return {
    cwd: process.cwd(),
    env: process.env,
    out: (text) => new Promise((resolve) => stdout.write(text, () => resolve())),
    err: (text) => {
      stderr.write(text);
    },
    // Looked up when read: merely touching it opens it.
    get stdin() {
      return process.stdin;
    },
    terminal: { out: stdout.isTTY === true, err: stderr.isTTY === true },
    stop,
    wait,
  };
}
