import type { Client, ReportView } from '@cuebook/api';
import type { RunId } from '@cuebook/journal';
import type { TurnEvent } from '@cuebook/provider';
import { type BegunRun, readBegun, type WorkflowRun, workflowRecord } from '@cuebook/workflow';
import { type Call, type CommandHandler, flagValue, flagValues, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { isAtTerminal } from '../../io.js';
import { printJson } from '../../output/json.js';
import { styleFor } from '../../output/style.js';
import { workflowFolder } from '../../project/workflow-folder.js';
import { type Journal, type JournalPlace, withOpened } from '../../record/journal.js';
import { requireNewFile, writeNamedFile } from '../../record/named-output.js';
import { requireRun, unknownRun } from '../../record/run-name.js';
import { requireAnswer } from '../../team/require.js';
import { findHosted, followHosted, type HostedRun, readHosted, startHosted } from '../hosted.js';
import { newRunId } from '../one-turn.js';
import { createTrace } from '../trace.js';
import { openVoice, type Voice } from '../voice.js';
import { type Given, readGiven } from './given.js';
import { factsOf, openRun, placeOf, takeRun, type WhenHeld } from './open.js';
import { documentOf, endText, reportOf } from './report.js';
import { budgetOf, goOn, PERSON } from './resume.js';
import { createFailureScreen, createScreen } from './screen.js';
import { openBegunTarget, openRunTarget, type RunTarget } from './target.js';
import { work } from './work.js';

/**
 * `cuebook run workflow:DIR`: carries a workflow out, or goes on with `--run`. It ends when the workflow is complete
 * (exit code 0), has failed, or waits for a person (1); at a terminal the person is asked at once.
 */
export const run: CommandHandler = (call) => carryOut(call, 'refuse');

/** The same for a call that was made from what is on record; with `watch` another process may have the run. */
export async function carryOut(call: Call, whenHeld: WhenHeld): Promise<number> {
  const { flags, io } = call;
  const earlierName = flagValue(flags, 'run');
  const place = placeOf(await workflowFolder(flags, io), io);
  const begun = earlierName === undefined ? undefined : await requireBegun(place, earlierName);
  const named = begun === undefined ? await openRunTarget(call) : await openBegunTarget(call, begun);
  const given = await readGiven(call, named);
  const target = { ...named, workflow: given.workflow };
  const file = flagValue(flags, 'trace');
  if (file !== undefined) await requireNewFile(io, file);
  const voice = await openVoice(target.bench, { params: {} }, call);
  await voice.session.close();
  const trace = createTrace();
  return withOpened(place, async (journal) => {
    const earlier = earlierName === undefined ? undefined : await requireRun(journal.store, earlierName);
    if (earlierName !== undefined && earlier === undefined) throw unknownRun(earlierName);
    const server = mayBeHosted(call, given) ? await findHosted(place.home, journal, earlier?.run) : undefined;
    if (server !== undefined) return runHosted(server, { call, target, given, voice, journal });
    const id: RunId = earlier?.run ?? newRunId();
    const facts = earlier === undefined ? given.facts : await factsOf(journal.store, id, target);
    const screen = createScreen(call);
    const publish = (event: TurnEvent): void => {
      trace.heard(event);
      screen(event);
    };
    const onFailedCall = createFailureScreen(call);
    const opened = await openRun(
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
    try {
      const isOurs = await takeRun(opened, { id, store: journal.store, whenHeld });
      if (isOurs) {
        if (earlier === undefined) await begin(opened, id, given.input, call);
        else await goOn(opened, flags, given.input);
        await work({ run: id, opened, store: journal.store }, call);
      }
      const report = await reportOf(id, await opened.read(), { voice, journal });
      if (file !== undefined) await writeNamedFile(io, file, new TextEncoder().encode(trace.text()));
      if (isOn(flags, 'json')) await printJson(io, documentOf(report, call));
      else io.err(endText(report, call, styleFor(io, 'err')));
      const goesOn = !isOurs && report.status.kind === 'working';
      return report.status.kind === 'done' || goesOn ? 0 : 1;
    } finally {
      await opened.close();
    }
  });
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
    const { facts, kept } = begun.value;
    return kept === undefined ? undefined : { facts, kept };
  });

async function begin(opened: WorkflowRun, id: RunId, text: string | undefined, call: Call): Promise<void> {
  const budget = budgetOf(call.flags);
  if (!isOn(call.flags, 'json')) call.io.err(styleFor(call.io, 'err').dim(`${id}\n`));
  const begun = await opened.begin({
    by: PERSON,
    ...(text === undefined ? {} : { text }),
    ...(budget === undefined ? {} : { budget }),
  });
  if (!begun.ok) throw new Failure(begun.error.code, begun.error.message, { exit: 1 });
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
  const screen = createScreen(call);
  await followHosted(client, {
    ...{ run, after: before?.seq ?? 0, io },
    show: ({ event }) => screen(event as TurnEvent),
  });
  const { state, seq } = await readHosted(workflowRecord, journal, run);
  const report = await reportOf(run, { state, seq }, { voice, journal });
  if (isOn(flags, 'json')) await printJson(io, documentOf(report, call));
  else io.err(endText(report, call, styleFor(io, 'err')));
  return report.status.kind === 'done' ? 0 : 1;
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
