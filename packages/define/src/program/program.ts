import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface ProgramOptions {
  /** What the program is given when it starts. */
  readonly input: unknown;
  /** Memory of the program's own objects, buffers aside. */
  readonly heapMb: number;
  readonly onMessage: (message: unknown) => void;
  readonly onOutput: (text: string, from: 'stdout' | 'stderr') => void;
  /** Once, when it is over and everything that it told was heard. */
  readonly onExit: (how: { readonly outOfMemory: boolean }) => void;
}

/** A program of ours that runs code of a project, in a process of its own. */
export interface Program {
  readonly tell: (message: unknown) => void;
  /** Whether it keeps this process alive. It does not by default. */
  readonly hold: (isHeld: boolean) => void;
  /** Ends it, whatever it does. */
  readonly end: () => Promise<void>;
}

/**
 * Starts a program of `bin/`. It is a process, not a thread: V8 may compile a loop in a way in which a thread that
 * runs it cannot be ended, nor is when it has used up its memory. A process can be killed, and ends by itself at its
 * limit of memory. It also ends when this process does.
 */
export function startProgram(name: 'entry' | 'live', options: ProgramOptions): Program {
  const child = fork(fileURLToPath(new URL(`../../bin/${name}.js`, import.meta.url)), [], {
    execArgv: [
      '--experimental-vm-modules',
      '--experimental-import-meta-resolve',
      '--no-warnings',
      `--max-old-space-size=${options.heapMb}`,
      '--max-semi-space-size=16',
    ],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
  });
  let isDump = false;
  child.stdout?.setEncoding('utf8').on('data', (text: string) => options.onOutput(text, 'stdout'));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    const own = isDump ? '' : text.split(DUMP, 1).join('');
    isDump ||= text.includes(DUMP);
    if (own !== '') options.onOutput(own, 'stderr');
  });
  child.on('message', options.onMessage);
  // Code of the project may cut its own connection: then there is nobody to speak with.
  child.on('disconnect', () => child.kill('SIGKILL'));
  let isOver = false;
  const over = new Promise<void>((resolve) => {
    const finish = (outOfMemory: boolean): void => {
      if (isOver) return;
      isOver = true;
      options.onExit({ outOfMemory });
      resolve();
    };
    child.on('error', () => finish(false));
    // `close` comes after `exit`, when both streams have been read to their ends.
    child.on('close', (code, signal) => finish(signal === 'SIGABRT' || code === 134));
  });
  const tell = (message: unknown): void => {
    // Nobody hears what is told to a program that is ending.
    if (child.connected) child.send(message as object, () => undefined);
  };
  tell(options.input);
  hold(child, false);
  return {
    tell,
    hold: (isHeld) => hold(child, isHeld),
    end: () => {
      hold(child, true);
      child.kill('SIGKILL');
      return over;
    },
  };
}

/** What V8 writes when memory runs out is about itself and this machine. */
const DUMP = '<--- Last few GCs --->';

type Holdable = { ref(): void; unref(): void } | null | undefined;

function hold(child: ChildProcess, isHeld: boolean): void {
  const all = [child, child.channel, child.stdout, child.stderr] as readonly Holdable[];
  for (const each of all) {
    if (isHeld) each?.ref();
    else each?.unref();
  }
}
