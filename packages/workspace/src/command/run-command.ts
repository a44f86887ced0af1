import { guard } from '@cuebook/guard';
import { describeFailure, startChild } from '@cuebook/process';
import type { WorkspaceGround } from '../place/place.js';

export interface CommandCall {
  /** The workspace, whose real path is taken out of what is printed. */
  readonly folder: string;
  /** Where it runs; the workspace when left out. */
  readonly cwd?: string;
  readonly command: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** How a command ended. `text` is all that anybody is told: bounded, and without secrets and real paths. */
export interface CommandEnd {
  readonly ok: boolean;
  readonly text: string;
  readonly aborted: boolean;
}

/** Runs a command in a shell, with an end: after its time it is ended with everything that it started. */
export async function runCommand(
  ground: Pick<WorkspaceGround, 'env' | 'limits' | 'redact'>,
  { folder, cwd = folder, command, timeoutMs, signal }: CommandCall,
): Promise<CommandEnd> {
  const time = AbortSignal.timeout(timeoutMs);
  const child = startChild({
    command: SHELL,
    args: ['-c', BOTH_STREAMS, SHELL, command],
    cwd,
    env: { ...ground.env, PWD: cwd },
    signal: signal ? AbortSignal.any([time, signal]) : time,
  });
  child.endInput();
  const printed = createOutput(ground.limits.outputBytes);
  for await (const line of child.lines) printed.add(line);
  const { code, signal: ended, failure } = await child.exited;
  // What it left in the background goes with it.
  await child.kill();
  const output = ground.redact(printed.text().replaceAll(folder, '@workspace'));
  const isAborted = signal?.aborted === true;
  const how = failure
    ? describeFailure(failure)
    : isAborted
      ? 'it was ended'
      : time.aborted
        ? `it was ended after ${Math.round(timeoutMs / 1000)} s`
        : ended === null
          ? `exit code ${code ?? 'unknown'}`
          : `ended by ${ended}`;
  const isGood = code === 0 && failure === undefined && !isAborted && !time.aborted;
  return {
    ok: isGood,
    text: output === '' ? `(${how}, no output)` : `(${how})\n${output}`,
    aborted: isAborted,
  };
}

const SHELL = 'sh';
/** What is printed on both streams, in its order. */
const BOTH_STREAMS = 'exec 2>&1; eval "$1"';

/**
 * The first and the last lines of what is printed; how much lies between is said. Lines are kept whole or not at all,
 * so that no half of a secret is left where its whole would have been found.
 */
function createOutput(maxBytes: number): { add(line: string): void; text(): string } {
  const half = Math.floor(maxBytes / 2);
  const head: string[] = [];
  const tail: string[] = [];
  let headSize = 0;
  let tailSize = 0;
  let dropped = 0;
  return {
    add(given) {
      const line = guard('command.output', given.length > half)
        ? `[a line of ${given.length} characters]`
        : given;
      if (tail.length === 0 && headSize + line.length < half) {
        head.push(line);
        headSize += line.length + 1;
        return;
      }
      tail.push(line);
      tailSize += line.length + 1;
      while (guard('command.output', tailSize > half) && tail.length > 1) {
        tailSize -= (tail.shift()?.length ?? 0) + 1;
        dropped += 1;
      }
    },
    text: () =>
      [...head, ...(dropped > 0 ? [`[... ${dropped} lines left out ...]`] : []), ...tail]
        .join('\n')
        .trimEnd(),
  };
}
