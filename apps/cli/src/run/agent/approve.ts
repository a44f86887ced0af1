import { randomUUID } from 'node:crypto';
import type { RunId, Store } from '@cuebook/journal';
import { type ApprovalWord, type Threads, threadStatus } from '@cuebook/thread';
import { Failure } from '../../failure.js';
import { askPermission } from '../ask.js';
import { watchFor } from '../ask-waits.js';

interface Asking {
  readonly run: RunId;
  readonly threads: Threads;
  readonly store: Pick<Store, 'subscribe'>;
  /** The person leaves. */
  readonly stop: AbortSignal;
}

/** Puts what a thread wants to do to the person at the terminal, one thing after another, until they leave it open. */
export async function askApprovals(asking: Asking): Promise<void> {
  while (!asking.stop.aborted && (await askOnce(asking))) await atRest(asking);
}

/** Waits until the thread stands still, also where an answer from elsewhere is still to be taken up here. */
async function atRest({ run, threads, store, stop }: Asking): Promise<void> {
  for (;;) {
    await threads.drain();
    const { state, seq } = await threads.engine.read(run);
    if (stop.aborted || threadStatus(state).kind !== 'working') return;
    await watchFor({ store, run, after: seq, signal: stop }, () => undefined);
  }
}

/** False when nothing was said here or elsewhere, or there is nothing to say. */
async function askOnce({ run, threads, store, stop }: Asking): Promise<boolean> {
  const { state, seq } = await threads.engine.read(run);
  const status = threadStatus(state);
  const [asked] = status.kind === 'waiting' && status.for === 'approval' ? status.approvals : [];
  if (asked === undefined) return false;
  const moved = new AbortController();
  const done = new AbortController();
  const watching = watchFor({ store, run, after: seq, signal: AbortSignal.any([stop, done.signal]) }, () =>
    moved.abort(),
  );
  try {
    const what = `${asked.reason ?? 'Allow this?'}\n${asked.tool} ${JSON.stringify(asked.input)}`;
    const yes = await askPermission(what, { signal: AbortSignal.any([stop, moved.signal]) });
    if (yes === undefined) return moved.signal.aborted;
    await giveAnswer(threads, run, { approval: asked.id, decision: yes ? 'allow' : 'deny' });
    return true;
  } finally {
    done.abort();
    await watching;
  }
}

/** Gives a person's word. Where somebody else was faster, their answer counts. */
export async function giveAnswer(threads: Threads, run: RunId, word: ApprovalWord): Promise<void> {
  const said = await threads.answer(run, { id: randomUUID(), ...word });
  if (!said.ok && said.error.code !== 'E_APPROVAL_RESOLVED')
    throw new Failure(said.error.code, said.error.message, { exit: 1 });
}
