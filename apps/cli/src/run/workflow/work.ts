import type { RunId, Store } from '@cuebook/journal';
import type { WorkflowRun, WorkflowStatus } from '@cuebook/workflow';
import { type Call, isOn } from '../../command.js';
import { Failure } from '../../failure.js';
import { isAtTerminal } from '../../io.js';
import { askPermission, askPerson, askWord } from './ask.js';
import { allow, answerQuestion, give, PERSON } from './resume.js';

/** A run that this process works on, and where its log is. */
export interface Worked {
  readonly run: RunId;
  readonly opened: WorkflowRun;
  readonly store: Pick<Store, 'subscribe'>;
}

/** Waits until the run stands still; at a terminal the person goes on with it. */
export async function work(worked: Worked, call: Call): Promise<void> {
  const { opened } = worked;
  const { stop } = call.io;
  // From here on an interrupt ends the run between two turns, and the process by itself.
  call.io.wait?.();
  const end = () => void opened.submit('stop by a signal', { type: 'agent.stop', by: PERSON });
  if (stop.aborted) end();
  stop.addEventListener('abort', end, { once: true });
  try {
    await opened.drain();
    while (!stop.aborted && isAsked(call) && (await askOnce(worked, stop))) await opened.drain();
  } finally {
    stop.removeEventListener('abort', end);
  }
}

const isAsked = ({ io, flags }: Call): boolean => isAtTerminal(io) && !isOn(flags, 'json');

/** Asks for what the run waits for, until it is said here or from elsewhere. False when nothing was said. */
async function askOnce({ run, opened, store }: Worked, stop: AbortSignal): Promise<boolean> {
  const { seq } = await opened.read();
  const status = await opened.status();
  const moved = new AbortController();
  const done = new AbortController();
  const watching = watchFor({ store, run, after: seq, signal: AbortSignal.any([stop, done.signal]) }, () =>
    moved.abort(),
  );
  try {
    const said = await askNext(opened, status, AbortSignal.any([stop, moved.signal]));
    return said || moved.signal.aborted;
  } catch (error) {
    // Somebody else was faster: their answer counts.
    if (error instanceof Failure && error.code === 'E_APPROVAL_RESOLVED') return true;
    throw error;
  } finally {
    done.abort();
    await watching;
  }
}

/** Waits for the next event of a run. */
export async function watchFor(
  { store, ...options }: { readonly store: Pick<Store, 'subscribe'> } & Parameters<Store['subscribe']>[0],
  heard: () => void,
): Promise<void> {
  for await (const _ of store.subscribe(options)) return heard();
}

/** False when nothing was said, or there is nothing to say. */
async function askNext(opened: WorkflowRun, status: WorkflowStatus, signal: AbortSignal): Promise<boolean> {
  if (status.kind !== 'waiting') return false;
  const terminal = { signal };
  switch (status.for) {
    case 'question': {
      const [open] = status.questions;
      const answer = open && (await askPerson(open.question, terminal));
      if (open === undefined || answer === undefined) return false;
      await answerQuestion(opened, open.approval, open.question, answer);
      return true;
    }
    case 'approval': {
      const [approval] = status.approvals;
      if (approval === undefined) return false;
      const what = `${approval.reason ?? 'Allow this?'}\n${approval.tool} ${JSON.stringify(approval.input)}`;
      const yes = await askPermission(what, terminal);
      if (yes !== undefined) await allow(opened, approval.id, yes);
      return yes !== undefined;
    }
    case 'input':
    case 'loop': {
      const said = await askWord('Your answer', terminal);
      if (said !== undefined) await give(opened, { type: 'agent.say', text: said, by: PERSON });
      return said !== undefined;
    }
    default:
      return false;
  }
}
