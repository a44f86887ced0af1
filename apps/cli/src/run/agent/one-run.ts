import type { LiveProject } from '@cuebook/define';
import type { RunId } from '@cuebook/journal';
import {
  ROOT_THREAD,
  soloName,
  subpromptText,
  type ThreadRunState,
  threadStatus,
  withSolo,
} from '@cuebook/thread';
import type { Io } from '../../io.js';
import type { Bench } from '../../project/bench.js';
import type { Journal } from '../../record/journal.js';
import { limitThread } from '../limits.js';
import { openThread } from './open.js';
import { readThread } from './read-report.js';
import { reportOf, type ThreadReport } from './report.js';
import type { AgentVoices } from './voices.js';

/** A thread that is begun, run until it rests, and left. */
export interface OneRun {
  readonly run: RunId;
  readonly bench: Bench;
  readonly journal: Journal;
  readonly voices: AgentVoices;
  readonly live: LiveProject;
  readonly io: Io;
  /** Whose limits it counts for. */
  readonly by: string;
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

export async function runOnce(one: OneRun): Promise<RunAnswer> {
  const { run, live, of, signal, journal } = one;
  const agent = of.kind === 'agent' ? of.name : soloName(of.name);
  const prompt = of.kind === 'prompt' ? live.catalog.prompts.get(of.name) : undefined;
  const project = prompt === undefined ? live : { ...live, catalog: withSolo(live.catalog, prompt) };
  const { threads: own, close } = await openThread({ ...one, live: project, publish: () => undefined });
  const threads = limitThread(own, one);
  const stop = (): void => void threads.stop(run);
  try {
    const begun = await threads.start({ run, agent, text: one.text, ...one.env });
    if (!begun.ok) return failed(begun.error, reportOf(agent, await readThread(threads, journal, run)));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    await threads.drain();
    // Nobody can go on with a prompt that ran by itself: what it wants to do is taken back.
    const status = threadStatus(await threads.read(run));
    if (of.kind === 'prompt' && status.kind === 'waiting' && status.for === 'approval') {
      await threads.stop(run);
      await threads.drain();
    }
    const state = await threads.read(run);
    return answerOf(reportOf(agent, await readThread(threads, journal, run)), state, of.kind);
  } finally {
    signal.removeEventListener('abort', stop);
    await close('abort');
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

const failed = (
  error: { readonly code: string; readonly message: string },
  report: ThreadReport,
): RunAnswer => ({
  report: { ...report, status: 'failed', reason: 'failed', text: error.message, error },
  text: `${error.code} ${error.message}`,
  isError: true,
});
