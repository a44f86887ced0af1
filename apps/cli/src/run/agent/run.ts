import { resolve } from 'node:path';
import type { Client, ReportView } from '@cuebook/api';
import { removeRunNote } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import type { JsonValue } from '@cuebook/prompt';
import type { TurnEvent } from '@cuebook/provider';
import { readTrace, type ThreadCall, type Threads, threadRecord, threadStatus } from '@cuebook/thread';
import { type Call, type CommandHandler, flagValue, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { isAtTerminal } from '../../io.js';
import { printJson } from '../../output/json.js';
import { styleFor } from '../../output/style.js';
import { byWhom } from '../../platform/open.js';
import { type Journal, journalPlace, withOpened } from '../../record/journal.js';
import { requireNewFile, writeNamedFile } from '../../record/named-output.js';
import { requireRun, unknownRun } from '../../record/run-name.js';
import { requireAnswer } from '../../team/require.js';
import { limitThread } from '../limits.js';
import { namesVoice, noteCall, voiceCall } from '../note.js';
import { newRunId } from '../one-turn.js';
import { readRun } from '../read-run.js';
import { findHosted, type HostedRun, startHosted, watchHosted } from '../server-door.js';
import { insideName } from '../workflow/target.js';
import { askApprovals } from './approve.js';
import { chat } from './chat.js';
import { type OpenedThread, openThread, requireProject } from './open.js';
import { readThread } from './read-report.js';
import { aboutOf, documentOf, endText, reportOf } from './report.js';
import { createShow } from './show.js';
import { type AgentCall, readAgentCall } from './target.js';
import { type AgentVoices, openAgentVoices } from './voices.js';

/**
 * `cuebook run agent:NAME`: begins a thread, or goes on with `--thread`. It ends when the agent has answered (exit
 * code 0), has failed, or waits for a person (1); at a terminal without `--input` it is a conversation.
 */
export const run: CommandHandler = async (call) => {
  const { flags, io } = call;
  const wanted = await readAgentCall(call);
  const named = flagValue(flags, 'thread');
  const isChat = wanted.text === undefined && !isOn(flags, 'json') && isAtTerminal(io);
  if (named === undefined && wanted.text === undefined && !isChat)
    throw usage('Say something to the agent: --input TEXT, or go on with --thread ID');
  const file = flagValue(flags, 'trace');
  if (file !== undefined) await requireNewFile(io, file);
  const early = named === undefined ? await openAgentVoices(wanted.bench, call) : undefined;
  const place = await journalPlace(flags, io);
  return withOpened(place, async (journal) => {
    const earlier = named === undefined ? undefined : await requireThread(journal, named, wanted.agent);
    const mayBeHosted = !isChat && file === undefined && (earlier === undefined || !setsVariables(wanted));
    const id = earlier ?? newRunId();
    const voices = early ?? (await openAgentVoices(wanted.bench, await voiceCall(journal, id, call)));
    const where = { home: place.home, journal, run: earlier };
    const server = mayBeHosted ? await findHosted(where, call) : undefined;
    if (server !== undefined) return runHosted(server, { call, wanted, journal });
    const thread = await openThread({
      run: id,
      bench: wanted.bench,
      journal,
      voices,
      io,
      publish: createShow(call),
      now: wanted.project,
      handed: [wanted.env, wanted.accountEnv, wanted.instanceEnv].flatMap((layer) => Object.keys(layer)),
    });
    const opened = {
      ...thread,
      threads: limitThread(thread.threads, { run: id, journal, by: byWhom(flags, io) }),
    };
    const leave = (): void => void opened.close('abort');
    // Ctrl-C leaves the turn where it is, and what is in flight has a moment to end.
    io.wait?.();
    if (io.stop.aborted) leave();
    io.stop.addEventListener('abort', leave, { once: true });
    try {
      if (!isOn(flags, 'json') && !isChat) io.err(styleFor(io, 'err').dim(`${id}\n`));
      await work(opened, { call, wanted, id, journal, isNew: named === undefined, isChat });
      return await report(opened, { call, wanted, id, journal, voices, file });
    } finally {
      io.stop.removeEventListener('abort', leave);
      await opened.close('abort');
    }
  });
};

const setsVariables = ({ env, accountEnv, instanceEnv }: AgentCall): boolean =>
  [env, accountEnv, instanceEnv].some((layer) => Object.keys(layer).length > 0);

/** The same at the server of the project. */
async function runHosted(
  server: HostedRun,
  { call, wanted, journal }: Pick<Ending, 'call' | 'wanted' | 'journal'>,
): Promise<number> {
  const { flags, io } = call;
  const { client } = server;
  const { agent, text, attachments, env, accountEnv, instanceEnv, budget } = wanted;
  const started = server.run === undefined;
  const run =
    server.run ??
    (await startHosted(server, call, {
      target: `agent:${agent}`,
      ...(text === undefined ? {} : { input: text }),
      ...(Object.keys(budget).length === 0 ? {} : { budget }),
      options: { env, accountEnv, instanceEnv, attachments: [...attachments] },
    }));
  if (!isOn(flags, 'json')) io.err(styleFor(io, 'err').dim(`${run}\n`));
  const before = started ? undefined : requireAnswer(await client.getReport({ run }));
  if (before !== undefined) await goOnHosted(client, before, { call, wanted });
  return showThread(client, { call, wanted, journal, run, after: before?.seq ?? 0 });
}

/** Shows a thread of the server until it stands still, and how it stands then. */
export async function showThread(
  client: Client,
  {
    call,
    wanted,
    journal,
    run,
    after,
  }: Pick<Ending, 'call' | 'journal'> & {
    readonly wanted: Pick<AgentCall, 'agent' | 'bench' | 'definition'>;
    readonly run: RunId;
    readonly after: number;
  },
): Promise<number> {
  const { flags, io } = call;
  const show = createShow(call);
  await watchHosted(client, {
    ...{ run, after, io },
    show: ({ node, turn, event }) =>
      show({ run, frame: node, effect: turn, agent: null, prompt: node, event: event as TurnEvent }),
  });
  const { state, ...whole } = await readRun(threadRecord, journal, run);
  const report = reportOf(wanted.agent, whole, flags);
  if (isOn(flags, 'json'))
    await printJson(io, documentOf(report, io, aboutOf(await definitionOf(run, wanted, journal))));
  else io.err(endText(report, io));
  return report.status === 'done' || (report.status === 'idle' && state.mode === 'new') ? 0 : 1;
}

/** What the flags say to a thread that was there before. */
async function goOnHosted(
  client: Client,
  { run, waits }: ReportView,
  { call, wanted }: Pick<Work, 'call' | 'wanted'>,
): Promise<void> {
  const settle = flagValue(call.flags, 'settle');
  if (settle !== undefined && settle !== 'not-done' && settle !== 'unknown')
    throw usage('--settle wants not-done or unknown');
  const doubts = waits.filter((each) => each.for === 'outcome');
  if (settle !== undefined && doubts.length === 0)
    throw usage('There is no call of unknown outcome: leave --settle out');
  if (Object.keys(wanted.budget).length > 0)
    requireAnswer(await client.raiseBudget({ run, ...wanted.budget }));
  for (const { id } of settle === undefined ? [] : doubts)
    requireAnswer(await client.answerWait({ run, wait: id, reply: { texts: [settle ?? ''] } }));
  if (wanted.text !== undefined)
    requireAnswer(await client.say({ run, text: wanted.text, attachments: [...wanted.attachments] }));
}

interface Work {
  readonly call: Call;
  readonly wanted: AgentCall;
  readonly id: RunId;
  readonly journal: Journal;
  readonly isNew: boolean;
  readonly isChat: boolean;
}

async function work(
  { threads }: OpenedThread,
  { call, wanted, id, journal, isNew, isChat }: Work,
): Promise<void> {
  const { agent, env, accountEnv, instanceEnv, budget, attachments } = wanted;
  const noted = { run: id, target: `agent:${agent}`, folder: wanted.bench.folder };
  let isBegun = !isNew;
  const begin = async (text: string): Promise<void> => {
    const said = { text, attachments };
    if (!isBegun) await noteCall(journal, noted, call);
    const done = isBegun
      ? await threads.say(id, said)
      : await threads.start({
          ...{ run: id, agent, ...said, env, accountEnv, instanceEnv, budget },
          ...callOf(call, wanted),
        });
    if (!done.ok && !isBegun) await removeRunNote(journal.home, id);
    accept(done);
    isBegun = true;
  };
  if (!isNew && namesVoice(call.flags)) await noteCall(journal, noted, call);
  if (!isNew) await goOn(threads, id, { call, wanted });
  if (wanted.text !== undefined) await begin(wanted.text);
  await threads.drain();
  if (isChat) return chat({ run: id, agent, threads, journal, io: call.io, flags: call.flags, begin });
  if (isAtTerminal(call.io) && !isOn(call.flags, 'json'))
    await askApprovals({ run: id, threads, store: journal.store, stop: call.io.stop });
}

/** The call as a later process can make it. A script from outside the project is in the note of the run alone. */
function callOf({ flags, io }: Call, { bench }: AgentCall): { readonly call: ThreadCall } {
  const named = flagValue(flags, 'script');
  const script = named === undefined ? undefined : insideName(bench.folder, resolve(io.cwd, named));
  const isElsewhere = named !== undefined && script === undefined;
  const provider = flagValue(flags, 'provider') ?? (isElsewhere ? 'rehearsal' : undefined);
  const model = flagValue(flags, 'model');
  return {
    call: {
      ...(provider === undefined ? {} : { provider }),
      ...(model === undefined ? {} : { model }),
      ...(script === undefined ? {} : { script }),
    },
  };
}

/** What the flags say to a thread that was there before. */
async function goOn(
  threads: Threads,
  id: RunId,
  { call, wanted }: Pick<Work, 'call' | 'wanted'>,
): Promise<void> {
  const { env, accountEnv, instanceEnv, budget } = wanted;
  const layers = { thread: env, account: accountEnv, instance: instanceEnv } as const;
  for (const [layer, values] of Object.entries(layers)) {
    if (Object.keys(values).length > 0)
      accept(await threads.setEnv(id, layer as keyof typeof layers, values));
  }
  if (Object.keys(budget).length > 0) accept(await threads.raise(id, budget));
  // What a process left is taken up first: only then it is known what nobody knows.
  await threads.drain();
  const settle = flagValue(call.flags, 'settle');
  const status = threadStatus(await threads.read(id));
  if (settle === undefined) return;
  if (settle !== 'not-done' && settle !== 'unknown') throw usage('--settle wants not-done or unknown');
  if (status.kind !== 'waiting' || status.for !== 'outcome')
    throw usage('There is no call of unknown outcome: leave --settle out');
  for (const { effect } of status.calls) accept(await threads.resolve(id, effect, settle));
}

function accept(
  done:
    | { readonly ok: true }
    | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } },
): void {
  if (!done.ok) throw new Failure(done.error.code, done.error.message, { exit: 1 });
}

interface Ending {
  readonly call: Call;
  readonly wanted: AgentCall;
  readonly id: RunId;
  readonly journal: Journal;
  readonly voices: AgentVoices;
  readonly file: string | undefined;
}

/** What the agent of a thread is: as it is now, or as it was when the thread began. */
async function definitionOf(
  run: RunId,
  { bench, agent, definition }: Pick<AgentCall, 'agent' | 'bench' | 'definition'>,
  journal: Journal,
): Promise<AgentCall['definition']> {
  if (definition !== undefined) return definition;
  const { live } = await requireProject(run, bench, journal);
  await live.close();
  return live.catalog.agents.get(agent)?.data;
}

async function report(
  { threads, live }: OpenedThread,
  { call, wanted, id, journal, voices, file }: Ending,
): Promise<number> {
  const { flags, io } = call;
  const state = await threads.read(id);
  const report = reportOf(wanted.agent, await readThread(threads, journal, id), flags);
  if (file !== undefined) await writeNamedFile(io, file, await traceBytes(journal, id, voices));
  const definition = live.catalog.agents.get(wanted.agent)?.data;
  if (isOn(flags, 'json')) await printJson(io, documentOf(report, io, aboutOf(definition)));
  else io.err(endText(report, io));
  return report.status === 'done' || (report.status === 'idle' && state.mode === 'new') ? 0 : 1;
}

async function traceBytes({ store }: Journal, id: RunId, voices: AgentVoices): Promise<Uint8Array> {
  const lines: string[] = [];
  const bodyOf = (hash: string): JsonValue | undefined => {
    const body = voices.bodyOf(hash);
    return body === undefined ? undefined : asJson(body);
  };
  for await (const line of readTrace(store, id, { bodyOf }))
    lines.push(`${JSON.stringify({ seq: lines.length + 1, ...line })}\n`);
  return new TextEncoder().encode(lines.join(''));
}

/** JSON as JSON, everything else as text. */
function asJson(body: string): JsonValue {
  try {
    return JSON.parse(body) as JsonValue;
  } catch {
    return body;
  }
}

/** A thread on record that is of this agent. */
async function requireThread({ store }: Journal, named: string, agent: string): Promise<RunId> {
  const found = await requireRun(store, named);
  if (found === undefined) throw unknownRun(named);
  const [first] = await store.read(found.run, { limit: 1 });
  const started =
    first?.type === 'thread.started' ? (first.data as { readonly agent?: string }).agent : undefined;
  if (started === undefined) throw usage(`${found.run} is not a thread: it cannot go on as one`);
  if (started !== agent) throw usage(`${found.run} is a thread of agent:${started}, not of agent:${agent}`);
  return found.run;
}
