import type { Client, ReportView } from '@cuebook/api';
import { removeRunNote } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import type { TurnEvent } from '@cuebook/provider';
import {
  type BegunRun,
  readBegun,
  type WorkflowRun,
  type WorkflowRunState,
  workflowRecord,
} from '@cuebook/workflow';
import { type Call, type CommandHandler, type Flags, flagValue, flagValues, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { isAtTerminal } from '../../io.js';
import { printJson } from '../../output/json.js';
import { styleFor } from '../../output/style.js';
import { byWhom } from '../../platform/open.js';
import { workflowFolder } from '../../project/workflow-folder.js';
import { type Journal, type JournalPlace, withOpened } from '../../record/journal.js';
import { requireNewFile, writeNamedFile } from '../../record/named-output.js';
import { requireRun, unknownRun } from '../../record/run-name.js';
import { requireAnswer } from '../../team/require.js';
import { findHosted, followHosted, type HostedRun, readHosted, startHosted } from '../hosted.js';
import { limitWorkflow } from '../limits.js';
import { namesVoice, noteCall, voiceCall } from '../note.js';
import { newRunId } from '../one-turn.js';
import { createTrace } from '../trace.js';
import { openVoice, type Voice, type VoiceCall } from '../voice.js';
import { type Given, readGiven } from './given.js';
import { factsOf, openRun, placeOf, takeRun } from './open.js';
import { documentOf, endText, reportOf, type WorkflowReport } from './report.js';
import { budgetOf, goOn, PERSON } from './resume.js';
import { createFailureScreen, createScreen } from './screen.js';
import { openBegunTarget, openRunTarget, type RunTarget } from './target.js';
import { work } from './work.js';

/**
 * `cuebook run workflow:DIR`: carries a workflow out, or goes on with `--run`. It ends when the workflow is complete
 * (exit code 0), has failed, or waits for a person (1); at a terminal the person is asked at once.
 */
export const run: CommandHandler = async (call) => {
  const { flags, io } = call;
  const earlierName = flagValue(flags, 'run');
  const place = placeOf(await workflowFolder(flags, io), io);
  const begun = earlierName === undefined ? undefined : await requireBegun(place, earlierName);
  const named = begun === undefined ? await openRunTarget(call) : await openBegunTarget(call, begun);
  const given = await readGiven(call, named);
  const target = { ...named, workflow: given.workflow };
  const file = flagValue(flags, 'trace');
  if (file !== undefined) await requireNewFile(io, file);
  const early = earlierName === undefined ? await voiceOf(target, call) : undefined;
  const trace = createTrace();
  return withOpened(place, async (journal) => {
    const earlier = earlierName === undefined ? undefined : await requireRun(journal.store, earlierName);
    if (earlierName !== undefined && earlier === undefined) throw unknownRun(earlierName);
    const id: RunId = earlier?.run ?? newRunId();
    const voice = early ?? (await voiceOf(target, await voiceCall(journal, id, call)));
    const where = { home: place.home, journal, run: earlier?.run };
    const server = mayBeHosted(call, given) ? await findHosted(where, call) : undefined;
    if (server !== undefined) return runHosted(server, { call, target, given, voice, journal });
    const facts = earlier === undefined ? given.facts : await factsOf(journal.store, id, target);
    const screen = createScreen(call);
    const publish = (event: TurnEvent): void => {
      trace.heard(event);
      screen(event);
    };
    const onFailedCall = createFailureScreen(call);
    const carried = await openRun(
      {
        run: id,
        journal,
        home: place.home,
        target,
        voice,
        trace,
        facts,
        data: given.data,
        publish,
        onFailedCall,
      },
      call,
    );
    const opened = limitWorkflow(carried, { run: id, journal, by: byWhom(flags, io) });
    try {
      await takeRun(opened, { id, store: journal.store });
      if (facts.call !== undefined && (earlier === undefined || namesVoice(flags)))
        await noteCall(journal, { run: id, target: facts.call.target, folder: target.bench.folder }, call);
      if (earlier === undefined) await begin(opened, { id, text: given.input, journal }, call);
      else await goOn(opened, flags, given.input);
      await work({ run: id, opened, store: journal.store }, call);
      const report = await reportOf(id, await opened.read(), { voice, journal });
      if (file !== undefined) await writeNamedFile(io, file, new TextEncoder().encode(trace.text()));
      if (isOn(flags, 'json')) await printJson(io, documentOf(report, call));
      else io.err(endText(report, call, styleFor(io, 'err')));
      return report.status.kind === 'done' ? 0 : 1;
    } finally {
      await opened.close();
    }
  });
};

async function voiceOf({ bench }: Pick<RunTarget, 'bench'>, call: VoiceCall): Promise<Voice> {
  const voice = await openVoice(bench, { params: {} }, call);
  await voice.session.close();
  return voice;
}

/** What a run on record was begun with; undefined where its package was not kept. */
const requireBegun = (place: JournalPlace, name: string): Promise<Required<BegunRun> | undefined> =>
  withOpened(place, async ({ store }) => {
    const earlier = await requireRun(store, name);
    if (earlier === undefined) throw unknownRun(name);
    const begun = await readBegun(store, earlier.run);
    if (!begun.ok && begun.error.kind === 'notFound')
      throw usage(`${earlier.run} is not a run of a workflow`);
    if (!begun.ok) throw new Failure(begun.error.code, begun.error.message, { exit: 3 });
    const { facts, kept, entry } = begun.value;
    return kept === undefined || entry === undefined ? undefined : { facts, kept, entry };
  });

async function begin(
  opened: WorkflowRun,
  { id, text, journal }: { readonly id: RunId; readonly text: string | undefined; readonly journal: Journal },
  call: Call,
): Promise<void> {
  const budget = budgetOf(call.flags);
  if (!isOn(call.flags, 'json')) call.io.err(styleFor(call.io, 'err').dim(`${id}\n`));
  const begun = await opened.begin({
    by: PERSON,
    ...(text === undefined ? {} : { text }),
    ...(budget === undefined ? {} : { budget }),
  });
  if (begun.ok) return;
  await removeRunNote(journal.home, id);
  throw new Failure(begun.error.code, begun.error.message, { exit: 1 });
}

/** What a server takes of a call: a package of the project, and nobody at a terminal who is asked at once. */
const mayBeHosted = ({ flags, io }: Call, { facts, data }: Given): boolean =>
  facts.call !== undefined &&
  data === undefined &&
  flagValue(flags, 'trace') === undefined &&
  flagValue(flags, 'menu') === undefined &&
  (!isAtTerminal(io) || isOn(flags, 'json'));

interface Hosting {
  readonly call: Call;
  readonly target: RunTarget;
  readonly given: Given;
  readonly voice: Voice;
  readonly journal: Journal;
}

/** The same at the server of the project. */
async function runHosted(
  server: HostedRun,
  { call, target, given, voice, journal }: Hosting,
): Promise<number> {
  const { flags, io } = call;
  const { client } = server;
  const { facts, input } = given;
  const budget = budgetOf(flags);
  const run =
    server.run ??
    (await startHosted(server, call, {
      target: facts.call?.target ?? '',
      ...(input === undefined ? {} : { input }),
      ...(budget === undefined ? {} : { budget }),
      options: { mode: facts.mode, activeAgent: facts.activeAgentId, autopilot: facts.autopilot },
    }));
  if (server.run !== undefined) await factsOf(journal.store, run, target);
  else if (!isOn(flags, 'json')) io.err(styleFor(io, 'err').dim(`${run}\n`));
  const before = server.run === undefined ? undefined : requireAnswer(await client.getReport({ run }));
  if (before !== undefined) await goOnHosted(client, before, { call, input });
  return showRun(client, { call, run, after: before?.seq ?? 0, voice, journal });
}

/** Shows a run of the server until it stands still, and how it stands then. */
export async function showRun(
  client: Client,
  {
    call,
    run,
    after,
    voice,
    journal,
  }: Pick<Hosting, 'call' | 'journal'> &
    Pick<WorkflowReport, 'run'> &
    Partial<Pick<WorkflowReport, 'voice'>> & { readonly after: number },
): Promise<number> {
  const { flags, io } = call;
  const screen = createScreen(call);
  await followHosted(client, { run, after, io, show: ({ event }) => screen(event as TurnEvent) });
  const { state, seq } = await readHosted(workflowRecord, journal, run);
  const report = await reportOf(run, { state, seq }, { voice: voice ?? spokenIn(state, flags), journal });
  if (isOn(flags, 'json')) await printJson(io, documentOf(report, call));
  else io.err(endText(report, call, styleFor(io, 'err')));
  return report.status.kind === 'done' ? 0 : 1;
}

/** Who spoke last, by the record. */
function spokenIn({ composed }: WorkflowRunState, flags: Flags): WorkflowReport['voice'] {
  const name = composed?.voice ?? '';
  const model = flagValue(flags, 'model');
  return {
    ...(model === undefined ? {} : { model }),
    provider: { name, kind: name === 'rehearsal' ? 'rehearsal' : 'api' },
  };
}

/** What the flags say to a run that was there before. */
async function goOnHosted(
  client: Client,
  { run, status, waits }: ReportView,
  { call: { flags }, input }: Pick<Hosting, 'call'> & { readonly input: string | undefined },
): Promise<void> {
  const budget = budgetOf(flags);
  const answers = flagValues(flags, 'answer');
  const settle = flagValue(flags, 'settle');
  if (budget !== undefined) requireAnswer(await client.raiseBudget({ run, ...budget }));
  const [asked] = waits.filter((each) => each.for === 'approval' || each.for === 'question');
  if (answers.length > 0) {
    if (asked === undefined)
      throw new Failure('E_NOTHING_ASKED', 'The run asks nothing, so there is nothing to answer.', {
        exit: 1,
      });
    requireAnswer(await client.answerWait({ run, wait: asked.id, reply: { texts: [...answers] } }));
  }
  const doubts = waits.filter((each) => each.for === 'outcome');
  if (settle !== undefined && doubts.length === 0)
    throw new Failure('E_NOTHING_ASKED', 'No call of the run was cut off, so there is nothing to settle.', {
      exit: 1,
    });
  for (const { id } of settle === undefined ? [] : doubts)
    requireAnswer(await client.answerWait({ run, wait: id, reply: { texts: [settle ?? ''] } }));
  if (input !== undefined) requireAnswer(await client.say({ run, text: input }));
  const isIdle = answers.length === 0 && settle === undefined && input === undefined && budget === undefined;
  const isStill = status === 'stopped' || status === 'failed' || waits.some((each) => each.for === 'loop');
  if (isIdle && isStill) requireAnswer(await client.resumeRun({ run }));
}
