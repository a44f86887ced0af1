import { guard } from '@cuebook/guard';
import { startProgram } from '../program/program.js';
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
  /** After so many files that hang or end the process the rest is not tried. */
  readonly hangs: number;
  readonly heapMb: number;
}

export const DEFAULT_LIMITS: LoadLimits = { fileMs: 20_000, hangs: 3, heapMb: 256 };

/**
 * Runs definition files in a process of their own and tells what each of them exports. Never rejects: a file
 * that hangs, ends the process or fills its memory is an outcome, and the files behind it get a new process.
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
    const stopped = await runProcess({ ...input, files: rest, batch: hangs === 0 ? 50 : 1 }, (outcome) =>
      outcomes.set(outcome.file, outcome),
    );
    if (stopped !== undefined) outcomes.set(stopped.file, stopped);
  }
  return input.files.map((file) => outcomes.get(file) as FileOutcome);
}

/** One process over the files, until it is done or one of them stops it: then that file's outcome. */
function runProcess(
  input: HostInput & { readonly batch: number },
  take: (outcome: FileOutcome) => void,
): Promise<FileOutcome | undefined> {
  const { files, folder, limits, texts, batch } = input;
  const wanted = new Set(files);
  let at = 0;
  return new Promise((resolve) => {
    let isDone = false;
    const finish = (outcome: FileOutcome | undefined): void => {
      if (isDone) return;
      isDone = true;
      clearInterval(clock);
      resolve(program.end().then(() => outcome));
    };
    const stop = (told: Pick<Stop, 'reason' | 'message'>): void => {
      const file = files[at - 1] ?? (files[0] as string);
      // Before the first file it is our own process that fails: no file of the project is to blame.
      const failure = at > 0 ? told : ({ ...told, message: NOT_STARTED } as const);
      finish({ file, failure: { ...failure, file, line: 1, column: 1 } });
    };
    const clock = watchProgress(
      () => at,
      limits.fileMs,
      () => stop({ reason: 'timeout', message: `Loading it takes longer than ${limits.fileMs} ms` }),
    );
    const given: WorkerInput = { texts: [...texts], files, folder, batch };
    const program = startProgram('entry', {
      input: given,
      heapMb: limits.heapMb,
      onOutput: () => undefined,
      onMessage(message) {
        if (!isMessage(message)) return;
        if ('at' in message) at = message.at;
        else if ('failed' in message) stop({ reason: 'throw', message: failedLater(message.failed) });
        else if ('want' in message) {
          const path = message.want;
          void input.read(path).then((text) => program.tell({ path, text }));
        } else {
          for (const outcome of message.outcomes) if (wanted.has(outcome.file)) take(outcome);
          if (message.done) finish(undefined);
        }
      },
      onExit: ({ outOfMemory }) =>
        stop({
          reason: 'exit',
          message: outOfMemory
            ? 'It takes too much memory'
            : 'It ends the process, or waits for what never comes',
        }),
    });
    program.hold(true);
  });
}

/** The code of a project can post to this process too: whatever is not one of our messages is passed over. */
function isMessage(message: unknown): message is WorkerMessage {
  if (typeof message !== 'object' || message === null) return false;
  if ('at' in message) return typeof message.at === 'number';
  if ('failed' in message) return typeof message.failed === 'string';
  if ('want' in message) return typeof message.want === 'string';
  return 'outcomes' in message && Array.isArray(message.outcomes) && message.outcomes.every(isOutcome);
}

const isOutcome = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'file' in value && typeof value.file === 'string';

const NOT_STARTED = 'The process that loads definitions could not start: install @cuebook/define again';

type Stop = NonNullable<FileOutcome['failure']>;

const failedLater = (text: string): string =>
  `Code that it started fails later: ${text.replaceAll(/\s+/g, ' ').slice(0, 300)}`;

/** Calls back when the file at work has been the same for too long. */
function watchProgress(at: () => number, limitMs: number, onHang: () => void): NodeJS.Timeout {
  const ticks = 8;
  let last = -1;
  let same = 0;
  return setInterval(() => {
    const now = at();
    same = now === last ? same + 1 : 0;
    last = now;
    // Before the first file the process itself starts, which has no limit but is ours.
    if (guard('load.hang', same >= ticks && now > 0)) onHang();
  }, limitMs / ticks);
}

const notTried = (file: string): Stop => ({
  reason: 'exit',
  message: 'It was not tried, because too many other files hang',
  file,
});
