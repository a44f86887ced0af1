import { runOf } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { readTrace, type ThreadCall, threadRecord } from '@cuebook/thread';
import { type Call, type CommandHandler, flagValue, isOn } from '../../command.js';
import { usage } from '../../failure.js';
import { isAtTerminal } from '../../io.js';
import { printJson } from '../../output/json.js';
import { styleFor } from '../../output/style.js';
import { type Journal, journalPlace, withOpened } from '../../record/journal.js';
import { requireNewFile, writeNamedFile } from '../../record/named-output.js';
import { requireRun } from '../../record/run-name.js';
import { carry } from '../carry.js';
import { exitCodeOf } from '../document.js';
import { type Door, newCommandId } from '../door.js';
import { budgetOf, goOn, requireNoAnswer } from '../go-on.js';
import { openDoor } from '../open-door.js';
import { readRun } from '../read-run.js';
import { createBodies } from '../trace.js';
import { chat } from './chat.js';
import { requireProject } from './open.js';
import { aboutOf, documentOf, endText, reportOf } from './report.js';
import { createShow } from './show.js';
import type { ShownThread } from './shown-thread.js';
import { type AgentCall, readAgentCall } from './target.js';
import { openAgentVoices } from './voices.js';

/**
 * `cuebook run agent:NAME` or `prompt:NAME`: begins a thread, or goes on with `--run`. It ends when the agent has answered
 * (exit code 0), has failed, or waits for a person (1); at a terminal without `--input` it is a conversation.
 */
export const run: CommandHandler = async (call) => {
  const { flags, io } = call;
  const wanted = await readAgentCall(call);
  const named = flagValue(flags, 'run');
  const isChat = wanted.input === undefined && !isOn(flags, 'json') && isAtTerminal(io);
  if (named === undefined && wanted.input === undefined && !isChat)
    throw usage(`Say something to ${wanted.target}: --input TEXT, or go on with --run RUN`);
  if (named === undefined) requireNoAnswer(flags);
  const file = flagValue(flags, 'trace');
  if (file !== undefined) await requireNewFile(io, file);
  // What is wrong with the call is told before anything is written.
  if (named === undefined) await openAgentVoices(wanted.bench, call);
  const place = await journalPlace(flags, io);
  return withOpened(place, async (journal) => {
    const earlier = named === undefined ? undefined : await requireThread(journal, named, wanted.target);
    const env = { thread: wanted.env, account: wanted.accountEnv, instance: wanted.instanceEnv };
    const setsEnv = Object.values(env).some((layer) => Object.keys(layer).length > 0);
    const bodies = createBodies();
    const door = await openDoor(call, {
      ...{ home: place.home, journal, bench: wanted.bench },
      begun: earlier && { ...earlier, target: wanted.target },
      kinds: async () => {
        const { threadRunsOf } = await import('@cuebook/thread');
        return [threadRunsOf({ now: wanted.project, ...(earlier && setsEnv && { env }) })];
      },
      isOwn: file !== undefined || (earlier !== undefined && setsEnv),
      ...(file !== undefined && { overhear: bodies.overhear }),
    });
    const id = newCommandId();
    const run = earlier?.run ?? runOf(id);
    const cursor = { seq: (await journal.store.head(run))?.seq ?? 0 };
    const shown: ShownThread = { call, wanted, journal, run, cursor };
    const show = shower(door, shown);
    const begin = (text: string): Promise<void> => start(door, { id, wanted, text, call });
    try {
      if (earlier !== undefined) {
        tellRun(call, run, isChat);
        // Variables are set when the thread is opened.
        if (setsEnv) await door.submit(run, { type: 'go-on' });
        const { input, attachments } = wanted;
        await goOn(door, run, { flags, input, attachments, rest: show });
      } else if (wanted.input !== undefined) {
        await begin(wanted.input);
        tellRun(call, run, isChat);
      }
      if (earlier !== undefined || wanted.input !== undefined) await show();
      if (isChat) await chat({ ...shown, door, begin, isBegun: earlier !== undefined });
      // What is left in the middle of a turn is let go of before it is told how it stands.
      if (io.stop.aborted) await leave(door, shown);
      if (file !== undefined) await writeNamedFile(io, file, await traceBytes(journal, run, bodies.bodyOf));
      return await tellEnd(shown);
    } finally {
      await door.close();
    }
  });
};

function tellRun({ flags, io }: Call, run: RunId, isChat: boolean): void {
  if (!isOn(flags, 'json') && !isChat) io.err(styleFor(io, 'err').dim(`${run}\n`));
}

interface Starting extends Pick<ShownThread, 'call' | 'wanted'> {
  readonly id: string;
  readonly wanted: AgentCall;
  readonly text: string;
}

async function start(door: Door, { id, wanted, text, call }: Starting): Promise<void> {
  const { target, attachments, env, accountEnv, instanceEnv } = wanted;
  const budget = budgetOf(call.flags);
  await door.start({
    ...{ id, target, input: text },
    ...(budget === undefined ? {} : { budget }),
    options: { env, accountEnv, instanceEnv, attachments: [...attachments] },
  });
}

/** Shows a thread until it stands still, and how it stands then. */
export async function showThread(door: Door, shown: ShownThread): Promise<number> {
  await shower(door, shown)();
  return tellEnd(shown);
}

/** Shows a thread until it stands still, each time from where it was shown to. Ctrl-C leaves it in its turn. */
function shower(door: Door, { call, run, journal, cursor }: ShownThread): () => Promise<void> {
  const show = createShow(call);
  return () => carry(door, run, { call, journal, cursor, words: false, interrupted: 'leave', show });
}

/** A turn that is under way ends with a host in this process; a server goes on with it, which is said. */
async function leave(door: Door, { journal, run }: ShownThread): Promise<void> {
  await door.close();
  if (!door.goesOn || (await readRun(threadRecord, journal, run)).status !== 'running') return;
  const { youLeft } = await import('../server-door.js');
  throw youLeft(run, { isOwn: false });
}

async function tellEnd({ call, wanted, journal, run }: ShownThread): Promise<number> {
  const { flags, io } = call;
  const report = reportOf(await readRun(threadRecord, journal, run), flags);
  if (isOn(flags, 'json'))
    await printJson(io, documentOf(report, io, aboutOf(await definitionOf(run, wanted, journal))));
  else io.err(endText(report, io));
  return exitCodeOf(report);
}

/** What the agent of a thread is: as it is now, or as it was when the thread began. */
async function definitionOf(
  run: RunId,
  { bench, target, definition }: ShownThread['wanted'],
  journal: Journal,
): Promise<AgentCall['definition']> {
  const [kind, name = ''] = target.split(/:(.*)/s);
  if (definition !== undefined || kind !== 'agent') return definition;
  const { live } = await requireProject(run, bench, journal);
  await live.close();
  return live.catalog.agents.get(name)?.data;
}

async function traceBytes(
  { store }: Journal,
  run: RunId,
  bodyOf: ReturnType<typeof createBodies>['bodyOf'],
): Promise<Uint8Array> {
  const lines: string[] = [];
  for await (const line of readTrace(store, run, { bodyOf }))
    lines.push(`${JSON.stringify({ seq: lines.length + 1, ...line })}\n`);
  return new TextEncoder().encode(lines.join(''));
}

/** A thread on record that is of this target. */
async function requireThread(
  { store }: Journal,
  named: string,
  target: string,
): Promise<{ readonly run: RunId; readonly isRecorded: boolean }> {
  const found = await requireRun(store, named);
  const [first] = await store.read(found.run, { limit: 1 });
  const begun = first?.type === threadRecord.begins ? (first.data as Partial<Begun>) : {};
  if (begun.agent === undefined) throw usage(`${found.run} is not a thread: it cannot go on as one`);
  // A prompt that runs by itself has its own prefix in the name.
  const own = begun.agent.includes(':') ? begun.agent : `agent:${begun.agent}`;
  if (own !== target) throw usage(`${found.run} is a thread of ${own}, not of ${target}`);
  return { run: found.run, isRecorded: begun.call !== undefined };
}

interface Begun {
  readonly agent: string;
  readonly call: ThreadCall;
}
