import type { Client, Followed, RunView } from '@cuebook/api';
import { Failure } from '../failure.js';
import { requireAnswer } from './require.js';

/** What somebody who watches a run is told. */
export interface Watching {
  /** Everything that is heard, in order. */
  heard(followed: Followed): void | Promise<void>;
  /** The run as it stands, whenever something has changed that a person may have to answer. */
  changed(view: RunView): void | Promise<void>;
}

export interface TeamWatchOptions {
  readonly run: string;
  /** The last event that was shown; 0: everything from the beginning. */
  readonly after: number;
  readonly signal: AbortSignal;
  /** Whether to leave when nothing goes on without a person. A run that is over always ends it. */
  readonly leaveWhenQuiet: boolean;
}

/** Follows a run until it is over, until it waits for a person where that is asked for, or until the signal. */
export async function watchRun(
  client: Client,
  { run, after, signal, leaveWhenQuiet }: TeamWatchOptions,
  watching: Watching,
): Promise<RunView> {
  const stop = new AbortController();
  const following = AbortSignal.any([signal, stop.signal]);
  const look = async (): Promise<RunView> => {
    const view = requireAnswer(await client.getRun({ run }));
    await watching.changed(view);
    if (isDone(view) || (leaveWhenQuiet && isWaiting(view))) stop.abort();
    return view;
  };
  for await (const followed of client.follow({ run, after, signal: following })) {
    if (followed.type === 'failed') {
      throw new Failure(followed.error.code, followed.error.message, { exit: 1 });
    }
    await watching.heard(followed);
    if (followed.type === 'ready' || (followed.type === 'event' && TURNING.has(followed.event.type)))
      await look();
    if (following.aborted) break;
  }
  return look();
}

/** Whether the run is over, and so is the work that was in flight: the last diffs are taken after the end. */
const isDone = (view: RunView): boolean => isOver(view) && view.nodes.every(({ work }) => work === null);

/** Whether nothing more can begin in a run. */
export const isOver = ({ status }: Pick<RunView, 'status'>): boolean =>
  status === 'completed' || status === 'failed' || status === 'stopped';

/**
 * Whether nothing goes on without a person: nobody is at work but who waits for an answer in mid-turn, and nobody has
 * something to begin with.
 */
export function isWaiting(view: RunView): boolean {
  if (isOver(view)) return false;
  if (view.quiet) return true;
  if (view.needs.length === 0) return false;
  const asking = new Set(view.needs.map((need) => (need.kind === 'approval' ? need.approval.node : null)));
  return view.nodes.every(({ id, work, hold, inbox, messages }) =>
    work === null
      ? hold !== null || inbox.length + messages.length === 0 || view.status === 'paused'
      : work.phase === 'waiting' || asking.has(id),
  );
}

/** After these a person may be needed, or the run may be over. */
const TURNING: ReadonlySet<string> = new Set([
  ...[
    'turn.closed',
    'run.finished',
    'run.unfinished',
    'run.stopped',
    'run.paused',
    'run.resumed',
    'approval.requested',
  ],
  ...['approval.resolved', 'node.held', 'node.resumed', 'effect.asked', 'role.proposed'],
]);
