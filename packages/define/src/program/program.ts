import { fileURLToPath } from 'node:url';
import { type Fork, startFork } from '@cuebook/process';

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
export type ProjectProgram = Fork;

/**
 * Starts a program of `bin/`. It is a process, not a thread: V8 may compile a loop in a way in which a thread that
 * runs it cannot be ended, nor is when it has used up its memory. A process can be killed, and ends by itself at its
 * limit of memory. It also ends when this process does.
 */
export function startProgram(name: 'entry' | 'live', options: ProgramOptions): ProjectProgram {
  let isDump = false;
  const program = startFork({
    file: fileURLToPath(new URL(`../../bin/${name}.js`, import.meta.url)),
    execArgv: [
      '--experimental-vm-modules',
      '--experimental-import-meta-resolve',
      '--no-warnings',
      `--max-old-space-size=${options.heapMb}`,
      '--max-semi-space-size=16',
    ],
    onMessage: options.onMessage,
    onOutput: (text, from) => {
      if (from === 'stdout') return options.onOutput(text, from);
      const own = isDump ? '' : text.split(DUMP, 1).join('');
      isDump ||= text.includes(DUMP);
      if (own !== '') options.onOutput(own, from);
    },
    onExit: ({ code, signal }) => options.onExit({ outOfMemory: signal === 'SIGABRT' || code === 134 }),
  });
  program.tell(options.input);
  return program;
}

/** What V8 writes when memory runs out is about itself and this machine. */
const DUMP = '<--- Last few GCs --->';
