import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { Client, ReportView, WaitView } from '@cuebook/api';
import { Failure } from '../failure.js';
import { problemOf } from '../run/door.js';
import { isQuietEvent } from '../run/server-door.js';
import { requireAnswer } from '../team/require.js';
import type { Narrator } from './narrator.js';
import { asksPermission, type PermissionReply } from './permission.js';
import { asked, type ProjectServers } from './servers.js';

/** A run of a session, and how far it was told. */
export interface ToldRun {
  readonly run: string;
  readonly narrator: Narrator;
  /** The last event that was told. */
  cursor: number;
}

export interface RunWatch {
  readonly servers: ProjectServers;
  readonly folder: string;
  readonly tell: (updates: readonly SessionUpdate[]) => Promise<void>;
  /** Puts something that waits to the person. Undefined: nobody has decided. */
  readonly ask: (wait: WaitView, signal: AbortSignal) => Promise<PermissionReply | undefined>;
  /** The id of a command of this client. */
  readonly newId: () => string;
  /** The person wants the turn to end. */
  readonly cancelled: AbortSignal;
  /** The client has gone: the run is left as it is. */
  readonly left: AbortSignal;
  readonly log: (line: string) => void;
}

/** Tells everything that is on record of a run. */
export async function replayRun(
  followed: ToldRun,
  { servers, folder, tell, left }: Pick<RunWatch, 'servers' | 'folder' | 'tell' | 'left'>,
): Promise<void> {
  const end = new AbortController();
  const signal = AbortSignal.any([end.signal, left]);
  const client = await servers.connect(folder);
  for await (const heard of client.follow({ run: followed.run, after: followed.cursor, signal })) {
    if (heard.type === 'failed') requireAnswer({ ok: false, error: heard.error });
    if (heard.type === 'event') {
      followed.cursor = heard.event.seq;
      await tell(await followed.narrator.event(heard.event));
    }
    if (heard.type === 'ready' && followed.cursor >= heard.seq) end.abort();
  }
}

/**
 * Tells what happens in a run until it stands still, and puts to the person what only a person can decide. What the person
 * leaves open stays open. Answers how the run stands.
 */
export async function followRun(followed: ToldRun, following: RunWatch): Promise<ReportView> {
  const { servers, folder, tell, cancelled, left, log } = following;
  const { run, narrator } = followed;
  const end = new AbortController();
  const signal = AbortSignal.any([end.signal, left]);
  const asking = new Map<string, AbortController>();
  const open = new Set<string>();
  let report: ReportView | undefined;
  /** The run stands still from this event on, as far as is known. */
  let still = Number.POSITIVE_INFINITY;
  /** What is known of the run is from before the interruption. */
  let isInterrupting = false;

  const settle = (): void => {
    if (followed.cursor >= still && asking.size === 0 && !isInterrupting) end.abort();
  };
  const look = async (): Promise<void> => {
    const read = requireAnswer(await asked(servers, folder, (client) => client.getReport({ run })));
    if (report !== undefined && read.seq < report.seq) return;
    report = read;
    const isStill =
      (report.status !== 'running' && report.status !== 'new') || problemOf(report.waits) !== undefined;
    still = isStill ? report.seq : Number.POSITIVE_INFINITY;
    const waits = new Map(report.waits.filter(asksPermission).map((wait) => [wait.id, wait]));
    for (const [id, giveUp] of asking) if (!waits.has(id)) giveUp.abort();
    for (const wait of waits.values())
      if (!cancelled.aborted && !asking.has(wait.id) && !open.has(wait.id)) void put(wait);
    settle();
  };
  /** Puts something that waits to the person. It is asked once: what is left open waits for the next prompt. */
  const put = async (wait: WaitView): Promise<void> => {
    const giveUp = new AbortController();
    asking.set(wait.id, giveUp);
    open.add(wait.id);
    try {
      const reply = await following.ask(wait, AbortSignal.any([giveUp.signal, cancelled, left]));
      if (reply === undefined || giveUp.signal.aborted || cancelled.aborted || left.aborted) return;
      const id = following.newId();
      const answer = await asked(servers, folder, (client) =>
        client.answerWait({ id, run, wait: wait.id, reply }),
      );
      if (!answer.ok) log(`${wait.id}: ${answer.error.code} ${answer.error.message}`);
    } finally {
      // Still counted as asked: a look from before the answer must not end the turn.
      await look().catch((error: unknown) => log(errorText(error)));
      asking.delete(wait.id);
      settle();
    }
  };
  const interrupt = async (): Promise<void> => {
    isInterrupting = true;
    try {
      const id = following.newId();
      const done = await asked(servers, folder, (client) => client.interrupt({ id, run }));
      if (!done.ok) log(`${run}: ${done.error.code} ${done.error.message}`);
      await look();
    } finally {
      isInterrupting = false;
      settle();
    }
  };
  const onCancel = (): void => void interrupt().catch((error: unknown) => log(errorText(error)));
  cancelled.addEventListener('abort', onCancel, { once: true });
  if (cancelled.aborted) onCancel();

  let isReady = false;
  const hear = async (client: Client): Promise<void> => {
    for await (const heard of client.follow({ run, after: followed.cursor, signal })) {
      if (heard.type === 'failed') requireAnswer({ ok: false, error: heard.error });
      if (heard.type === 'lost' && (await servers.isGone(folder))) return;
      if (heard.type === 'live') await tell(narrator.live(heard.live));
      if (heard.type === 'event') {
        followed.cursor = heard.event.seq;
        await tell(await narrator.event(heard.event));
      }
      isReady ||= heard.type === 'ready';
      const isNews = heard.type === 'ready' || (heard.type === 'event' && !isQuietEvent(heard.event.type));
      if (isReady && isNews) await look();
      settle();
    }
  };
  try {
    // The server of another process may end: then one in this process goes on.
    while (!signal.aborted) await hear(await servers.connect(folder));
  } finally {
    cancelled.removeEventListener('abort', onCancel);
    for (const giveUp of asking.values()) giveUp.abort();
  }
  if (report === undefined) throw new Failure('E_STOPPED', 'The client has gone.', { exit: 1 });
  return report;
}

/** What went wrong, for a log. */
export const errorText = (error: unknown): string =>
  error instanceof Failure ? `${error.code} ${error.message}` : String(error);
