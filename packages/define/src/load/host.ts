import { Worker } from 'node:worker_threads';
import { guard } from '../guard.js';
import type { FileOutcome, WorkerInput, WorkerMessage } from './protocol.js';

export interface HostInput {
  readonly texts: ReadonlyMap<string, string>;
  /** The files to load, in order. */
  readonly files: readonly string[];
  readonly folder: string | undefined;
  /** A file of the project that is not among `texts`. */
  readonly read: (path: string) => Promise<string | undefined>;
  readonly limits: LoadLimits;
}

export interface LoadLimits {
  /** How long one file may take, with all that it imports. */
  readonly fileMs: number;
  /** After so many files that hang or end the thread the rest is not tried. */
  readonly hangs: number;
  readonly heapMb: number;
}

export const DEFAULT_LIMITS: LoadLimits = { fileMs: 5_000, hangs: 3, heapMb: 256 };

/**
 * Runs definition files in a thread of their own and tells what each of them exports. Never rejects: a file
 * that hangs, ends the thread or fills its memory is an outcome, and the files behind it get a new thread.
 * What files print is dropped.
 */
export async function loadFiles(input: HostInput): Promise<readonly FileOutcome[]> {
  const outcomes = new Map<string, FileOutcome>();
  for (let hangs = 0; outcomes.size < input.files.length; hangs += 1) {
    const rest = input.files.filter((file) => !outcomes.has(file));
    if (hangs >= input.limits.hangs) {
      for (const file of rest) outcomes.set(file, { file, failure: notTried(file) });
      break;
    }
    const stopped = await runThread({ ...input, files: rest, batch: hangs === 0 ? 50 : 1 }, (outcome) =>
      outcomes.set(outcome.file, outcome),
    );
    if (stopped !== undefined) outcomes.set(stopped.file, stopped);
  }
  return input.files.map((file) => outcomes.get(file) as FileOutcome);
}

/** One thread over the files, until it is done or one of them stops it: then that file's outcome. */
function runThread(
  input: HostInput & { readonly batch: number },
  take: (outcome: FileOutcome) => void,
): Promise<FileOutcome | undefined> {
  const { files, folder, limits, texts, batch } = input;
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const workerData: WorkerInput = { texts: [...texts], files, folder, progress: progress.buffer, batch };
  const worker = new Worker(new URL('../../bin/entry.js', import.meta.url), {
    workerData,
    execArgv: ['--experimental-vm-modules', '--experimental-import-meta-resolve', '--no-warnings'],
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 48 },
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  const wanted = new Set(files);
  const fileAtWork = (): string => files[Atomics.load(progress, 0) - 1] ?? (files[0] as string);
  return new Promise((resolve) => {
    let isDone = false;
    const finish = (outcome: FileOutcome | undefined): void => {
      if (isDone) return;
      isDone = true;
      clearInterval(clock);
      resolve(worker.terminate().then(() => outcome));
    };
    const stop = (told: Pick<Stop, 'reason' | 'message'>): void => {
      const file = fileAtWork();
      // Before the first file it is our own thread that fails: no file of the project is to blame.
      const failure = Atomics.load(progress, 0) > 0 ? told : ({ ...told, message: NOT_STARTED } as const);
      finish({ file, failure: { ...failure, file, line: 1, column: 1 } });
    };
    const clock = watchProgress(progress, limits.fileMs, () =>
      stop({ reason: 'timeout', message: `Loading it takes longer than ${limits.fileMs} ms` }),
    );
    worker.on('message', (message: unknown) => {
      if (!isMessage(message)) return;
      if ('want' in message) {
        const path = message.want;
        void input.read(path).then((text) => worker.postMessage({ path, text }));
        return;
      }
      for (const outcome of message.outcomes) if (wanted.has(outcome.file)) take(outcome);
      if (message.done) finish(undefined);
    });
    worker.on('error', (error: NodeJS.ErrnoException) => stop(stopFor(error)));
    worker.on('exit', () =>
      stop({ reason: 'exit', message: 'It ends the process, or waits for what never comes' }),
    );
  });
}

/** The code of a project can post to this thread too: whatever is not one of our messages is passed over. */
function isMessage(message: unknown): message is WorkerMessage {
  if (typeof message !== 'object' || message === null) return false;
  if ('want' in message) return typeof message.want === 'string';
  return 'outcomes' in message && Array.isArray(message.outcomes) && message.outcomes.every(isOutcome);
}

const isOutcome = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'file' in value && typeof value.file === 'string';

const NOT_STARTED = 'The thread that loads definitions could not start: install @cuebook/define again';

type Stop = NonNullable<FileOutcome['failure']>;

function stopFor(error: NodeJS.ErrnoException): Pick<Stop, 'reason' | 'message'> {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return { reason: 'exit', message: 'It takes too much memory' };
  const text = String(error.message).replaceAll(/\s+/g, ' ').slice(0, 300);
  return { reason: 'throw', message: `Code that it started fails later: ${text}` };
}

/** Calls back when the file at work has been the same for too long. */
function watchProgress(progress: Int32Array, limitMs: number, onHang: () => void): NodeJS.Timeout {
  const ticks = 8;
  let last = -1;
  let same = 0;
  return setInterval(() => {
    const now = Atomics.load(progress, 0);
    same = now === last ? same + 1 : 0;
    last = now;
    // Before the first file the thread itself starts, which has no limit but is ours.
    if (guard('load.hang', same >= ticks && now > 0)) onHang();
  }, limitMs / ticks);
}

const notTried = (file: string): Stop => ({
  reason: 'exit',
  message: 'It was not tried, because too many other files hang',
  file,
});
