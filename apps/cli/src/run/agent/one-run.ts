import type { LiveProject } from '@cuebook/define';
import type { RunVoices } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import {
  ROOT_THREAD,
  subpromptText,
  type ThreadRunState,
  threadRecord,
  threadRunsOf,
  threadStatus,
} from '@cuebook/thread';
import type { Journal } from '../../record/journal.js';
import { newCommandId } from '../door.js';
import { type OwnDoor, openOwnDoor } from '../own-door.js';
import { readRun } from '../read-run.js';
import { reportOf, type ThreadReport } from './report.js';

/** A thread that is begun, run until it rests, and left. */
export interface OneRun extends Pick<OwnDoor, 'call' | 'bench' | 'script'> {
  readonly journal: Journal;
  /** The project, which the caller closes. */
  readonly live: LiveProject;
  /** Who speaks in several of them; left out: as the call says. */
  readonly voices?: RunVoices;
  /** An agent, or a prompt that runs by itself for one step. */
  readonly of: { readonly kind: 'agent' | 'prompt'; readonly name: string };
  readonly text: string;
  readonly env: Readonly<Record<'env' | 'accountEnv' | 'instanceEnv', Readonly<Record<string, string>>>>;
  readonly signal: AbortSignal;
}

/** How it ended, and what a caller of it reads. */
export interface RunAnswer {
  readonly report: ThreadReport;
  readonly text: string;
  readonly isError: boolean;
}

export async function runOnce({ live, voices, of, text, env, signal, ...parts }: OneRun): Promise<RunAnswer> {
  const door = await openOwnDoor({ ...parts, kinds: [threadRunsOf({ live, voices })] });
  const stop = (run: RunId): Promise<void> => door.submit(run, { type: 'stop' });
  let stopping = (): void => undefined;
  try {
    const target = `${of.kind}:${of.name}`;
    const run = await door.start({ id: newCommandId(), target, input: text, options: { ...env } });
    // Whoever calls waits for how it ends.
    stopping = (): void => void stop(run).catch(() => undefined);
    if (signal.aborted) stopping();
    signal.addEventListener('abort', stopping, { once: true });
    await door.follow(run, { after: 0 });
    const { waits } = await door.report(run);
    // Nobody can go on with a prompt that ran by itself: what it wants to do is taken back.
    if (of.kind === 'prompt' && waits.some((wait) => wait.for === 'approval')) {
      await stop(run);
      await door.follow(run, { after: 0 });
    }
    const { state, ...report } = await readRun(threadRecord, parts.journal, run);
    return answerOf(reportOf(report), state, of.kind);
  } finally {
    signal.removeEventListener('abort', stopping);
    await door.close();
  }
}

function answerOf(report: ThreadReport, state: ThreadRunState, kind: OneRun['of']['kind']): RunAnswer {
  const { status, text, error, next } = report;
  const frame = state.frames[ROOT_THREAD];
  const stands = threadStatus(state);
  if (kind === 'prompt' && frame !== undefined && 'outcome' in stands) {
    return { report, ...subpromptText(frame, stands.outcome) };
  }
  if (status === 'done') return { report, text, isError: false };
  const why = [error?.code, text, next === undefined ? undefined : `Go on with: ${next}`]
    .filter(Boolean)
    .join(' ');
  return { report, text: why === '' ? `It ended: ${status}` : why, isError: true };
}
