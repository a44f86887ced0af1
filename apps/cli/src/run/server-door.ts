import type { ApiAnswer, Client } from '@cuebook/api';
import type { Reply, RunReport } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { hint } from '@cuebook/prompt/hint';
import type { Call } from '../command.js';
import { Failure } from '../failure.js';
import { requireAnswer } from '../team/require.js';
import { type Door, type DoorStart, isStill, type RunFollowing } from './door.js';
import { createMissed } from './missed.js';
import { spokenOf } from './note.js';

/** Starts a run at the server as the flags of the call say. */
export async function startHosted(client: Client, call: Call, start: DoorStart) {
  const started = await client.startRun({ ...start, ...(await spokenOf(call)) });
  if (started.ok) return { ...started.value, run: started.value.run as RunId };
  // Which field of the request it is about says nothing of the call.
  const { field: _, ...error } = started.error;
  return requireAnswer<never>({ ok: false, error });
}

/** The server of the project as the door of a run. */
export const serverDoor = (client: Client, call: Call): Door => ({
  goesOn: true,
  start: async (start) => (await startHosted(client, call, start)).run,
  async submit(run, word) {
    switch (word.type) {
      case 'say':
        return done(await client.say({ run, text: word.text, attachments: [...(word.attachments ?? [])] }));
      case 'raise':
        return done(await client.raiseBudget({ run, ...word.to }));
      case 'answer':
        return done(await client.answerWait({ run, wait: word.wait, reply: replyOf(word.reply) }));
      case 'resume':
        return done(await client.resumeRun({ run }));
      case 'interrupt':
        return done(await client.interrupt({ run }));
      case 'stop':
        return done(await client.stopRun({ run }));
      case 'go-on':
        return;
    }
  },
  follow: (run, following) => followHosted(client, run, following),
  report: async (run) => requireAnswer(await client.getReport({ run })) as RunReport,
  close: async () => undefined,
});

const done = (answer: ApiAnswer<unknown>): void => void requireAnswer(answer);

const replyOf = (reply: Reply) => ('texts' in reply ? { texts: [...reply.texts] } : reply);

/** Shows what a run says until it stands still. */
export async function followHosted(
  client: Client,
  run: RunId,
  { after, signal: given, show = () => undefined, event }: RunFollowing,
): Promise<void> {
  const end = new AbortController();
  const signal = given === undefined ? end.signal : AbortSignal.any([end.signal, given]);
  const missed = createMissed(run, show);
  let last = after;
  let still = Number.POSITIVE_INFINITY;
  for await (const heard of client.follow({ run, after, signal })) {
    if (heard.type === 'live') missed.live(heard.live);
    if (heard.type === 'event') {
      missed.event(heard.event);
      event?.(heard.event);
    }
    if (heard.type === 'failed') requireAnswer({ ok: false, error: heard.error });
    if (heard.type === 'ready') last = Math.max(last, heard.seq);
    if (heard.type === 'event') last = heard.event.seq;
    const isNews = heard.type === 'ready' || (heard.type === 'event' && !isQuietEvent(heard.event.type));
    if (isNews && still === Number.POSITIVE_INFINITY) {
      const report = requireAnswer(await client.getReport({ run }));
      if (isStill(report)) still = Math.min(still, report.seq);
    }
    // A report may know more than was told: the run is shown to where it stands still.
    if (last >= still) end.abort();
  }
}

/** The same for who leaves when the call is stopped: that does not end the run. */
export async function watchHosted(
  client: Client,
  { run, io, isOwn, ...following }: HostedWatch,
): Promise<void> {
  await followHosted(client, run, { ...following, signal: io.stop });
  if (io.stop.aborted) throw youLeft(run, { isOwn });
}

export interface HostedWatch extends Omit<RunFollowing, 'signal'> {
  readonly run: RunId;
  readonly io: Call['io'];
  /** The server ends with this process. */
  readonly isOwn: boolean;
}

/** For who is told nothing more of a run that others may go on with. */
export const youLeft = (run: string, server: Pick<HostedWatch, 'isOwn'>): Failure =>
  new Failure('E_STOPPED', `You left. ${leftText(run, server)}`, { exit: 1 });

/** What becomes of a run that nobody here follows any more. */
export const leftText = (run: string, { isOwn }: Pick<HostedWatch, 'isOwn'>): string =>
  isOwn
    ? `The run is paused until a server is up again: ${hint`attach ${run}`}, or ${hint`up`}`
    : `The run continues: ${hint`attach ${run}`}`;

/** Whether no run stands still after such an event that did not before. */
export const isQuietEvent = (type: string): boolean => QUIET.has(type);

const QUIET: ReadonlySet<string> = new Set([
  'effect.intended',
  'effect.begun',
  'turn.recorded',
  'turn.ended',
  'budget.held',
  'budget.spent',
]);
