import { type ApiAnswer, type Client, createClient } from '@cuebook/api';
import { guard } from '@cuebook/guard';
import { type Reply, type RunReport, readRunNote } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { hint } from '@cuebook/prompt/hint';
import type { Call } from '../command.js';
import { Failure } from '../failure.js';
import type { Journal } from '../record/journal.js';
import { requireAnswer } from '../team/require.js';
import { VERSION } from '../version.js';
import { type Door, type DoorStart, type Following, isStill } from './door.js';
import { createMissed } from './missed.js';
import { isSameVoice, spokenOf } from './note.js';

/** A run that the server of the project works on, as a command of this process sees it. */
export interface HostedRun {
  readonly client: Client;
  /** Undefined: it is started. */
  readonly run: RunId | undefined;
}

/**
 * The server that is up for the project, to start a run at or to go on with one. Undefined: there is none, or nothing
 * says how the run was called, the call names another voice, or it is a server of another version.
 */
export async function findHosted(
  {
    home,
    journal,
    run,
  }: { readonly home: string; readonly journal: Journal; readonly run?: RunId | undefined },
  call: Call,
): Promise<HostedRun | undefined> {
  const { findServer } = await import('@cuebook/server/find');
  const found = await findServer(home);
  if (found === undefined) return undefined;
  if (guard('run.version', found.version !== VERSION)) {
    call.io.err(`warning: ${otherVersion(found.version)}\n`);
    return undefined;
  }
  const { call: noted } = run === undefined ? {} : await readRunNote(journal.home, run);
  if (run !== undefined && (noted === undefined || !(await isSameVoice(noted, call)))) return undefined;
  return { client: createClient({ url: found.url, token: found.token }), run };
}

const otherVersion = (version: string): string =>
  `The server that is up for this project is of ${version === '' ? 'an older version' : `version ${version}`}, and this command of ${VERSION}: the run is done in this process. Start the server again.`;

/** Starts a run at the server as the flags of the call say. */
export async function startHosted({ client }: HostedRun, call: Call, start: DoorStart): Promise<RunId> {
  const started = await client.startRun({ ...start, ...(await spokenOf(call)) });
  if (started.ok) return started.value.run as RunId;
  // Which field of the request it is about says nothing of the call.
  const { field: _, ...error } = started.error;
  return requireAnswer<RunId>({ ok: false, error });
}

/** The server of the project as the door of a run. */
export const serverDoor = (client: Client, call: Call): Door => ({
  start: (start) => startHosted({ client, run: undefined }, call, start),
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
  { after, signal: given, show, event }: Following,
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
  { run, io, ...following }: Omit<Following, 'signal'> & { readonly run: RunId; readonly io: Call['io'] },
): Promise<void> {
  await followHosted(client, run, { ...following, signal: io.stop });
  if (io.stop.aborted)
    throw new Failure('E_STOPPED', `You left. The run continues: ${hint`log ${run}`}`, { exit: 1 });
}

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
