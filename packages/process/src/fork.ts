import { type ChildProcess, fork } from 'node:child_process';
import { MARK_NAME, newMark } from './mark.js';
import { endTree } from './process-tree.js';

export interface ForkOptions {
  /** A program of Node, as a path. */
  readonly file: string;
  /** Arguments of Node itself. */
  readonly execArgv: readonly string[];
  readonly onMessage: (message: unknown) => void;
  readonly onOutput: (text: string, from: 'stdout' | 'stderr') => void;
  /** Once, when it is over and everything that it told was heard. */
  readonly onExit: (how: { readonly code: number | null; readonly signal: string | null }) => void;
}

/** A program of Node with which messages are exchanged. */
export interface Fork {
  readonly tell: (message: unknown) => void;
  /** Whether it keeps this process alive. It does not by default. */
  readonly hold: (isHeld: boolean) => void;
  /** Ends it with everything that it started, whatever it does. */
  readonly end: () => Promise<void>;
}

/** Starts a program of Node. It ends when this process does, and when it cuts its own connection. */
export function startFork({ file, execArgv, onMessage, onOutput, onExit }: ForkOptions): Fork {
  const mark = newMark();
  const [, value = ''] = mark.split('=');
  const child = fork(file, [], {
    execArgv: [...execArgv],
    env: { ...process.env, [MARK_NAME]: value },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => onOutput(text, 'stdout'));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => onOutput(text, 'stderr'));
  child.on('message', onMessage);
  child.on('disconnect', () => child.kill('SIGKILL'));
  let isOver = false;
  const over = new Promise<void>((resolve) => {
    const finish = (code: number | null, signal: string | null): void => {
      if (isOver) return;
      isOver = true;
      onExit({ code, signal });
      resolve();
    };
    child.on('error', () => finish(null, null));
    // `close` comes after `exit`, when both streams have been read to their ends.
    child.on('close', finish);
  });
  hold(child, false);
  return {
    tell: (message) => {
      // Nobody hears what is told to a program that is ending.
      if (child.connected) child.send(message as object, () => undefined);
    },
    hold: (isHeld) => hold(child, isHeld),
    end: async () => {
      hold(child, true);
      child.kill('SIGKILL');
      await endTree({ pid: undefined, mark, graceMs: 0 });
      await over;
    },
  };
}

type Holdable = { ref(): void; unref(): void } | null | undefined;

function hold(child: ChildProcess, isHeld: boolean): void {
  const all = [child, child.channel, child.stdout, child.stderr] as readonly Holdable[];
  for (const each of all) {
    if (isHeld) each?.ref();
    else each?.unref();
  }
}
