import type { RunId } from '@cuebook/journal';
import type { TurnEvent } from '@cuebook/provider';
import { type BegunRun, readBegun, type WorkflowRunState, workflowRecord } from '@cuebook/workflow';
import { type Call, type CommandHandler, type Flags, flagValue, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { styleFor } from '../../output/style.js';
import { workflowFolder } from '../../project/workflow-folder.js';
import { type Journal, type JournalPlace, withOpened } from '../../record/journal.js';
import { requireNewFile, writeNamedFile } from '../../record/named-output.js';
import { requireRun } from '../../record/run-name.js';
import { carry } from '../carry.js';
import { type Door, newCommandId } from '../door.js';
import { budgetOf, goOn } from '../go-on.js';
import { voiceCall } from '../note.js';
import { openDoor } from '../open-door.js';
import { readRun } from '../read-run.js';
import { createTrace } from '../trace.js';
import { openVoice, type Voice, type VoiceCall } from '../voice.js';
import { type Given, readGiven } from './given.js';
import { factsOf, placeOf } from './place.js';
import { documentOf, endText, reportOf, type WorkflowReport } from './report.js';
import { createFailureScreen, createScreen } from './screen.js';
import { openBegunTarget, openRunTarget, type RunTarget } from './target.js';

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
  budgetOf(flags);
  const file = flagValue(flags, 'trace');
  if (file !== undefined) await requireNewFile(io, file);
  const early = earlierName === undefined ? await voiceOf(target, call) : undefined;
  const trace = createTrace();
  return withOpened(place, async (journal) => {
    const earlier = earlierName === undefined ? undefined : await requireRun(journal.store, earlierName);
    if (earlier !== undefined) await factsOf(journal.store, earlier.run, target);
    const voice = early ?? (await voiceOf(target, await voiceCall(journal, earlier?.run as RunId, call)));
    const own = given.target;
    const door = await openDoor(call, {
      ...{ home: place.home, journal, bench: target.bench },
      begun: earlier && {
        run: earlier.run,
        target: own ?? call.args[0] ?? '',
        isRecorded: begun?.facts.call !== undefined,
      },
      kinds: async () => [await handedKind(target, begun)],
      isOwn: file !== undefined || own === undefined || (given.data?.text.length ?? 0) > MAX_SENT,
      ...(file !== undefined && { overhear: trace.overhear, heard: trace.heard }),
    });
    try {
      const run = earlier?.run ?? (await begin(door, given, call));
      const shown: Shown = {
        call,
        run,
        after: earlier === undefined ? 0 : ((await journal.store.head(run))?.seq ?? 0),
        journal,
      };
      const show = await shower(door, shown);
      if (earlier !== undefined) await goOn(door, run, { flags, input: given.input, rest: show });
      await show();
      if (file !== undefined) await writeNamedFile(io, file, new TextEncoder().encode(trace.text()));
      return await tellEnd(shown, voice);
    } finally {
      await door.close();
    }
  });
};

/** What one request takes, whatever its letters are. */
const MAX_SENT = 200_000;

async function voiceOf({ bench }: Pick<RunTarget, 'bench'>, call: VoiceCall): Promise<Voice> {
  const voice = await openVoice(bench, { params: {} }, call);
  await voice.session.close();
  return voice;
}

/** What a run on record was begun with; undefined where its package was not kept. */
const requireBegun = (place: JournalPlace, name: string): Promise<Required<BegunRun> | undefined> =>
  withOpened(place, async ({ store }) => {
    const earlier = await requireRun(store, name);
    const begun = await readBegun(store, earlier.run);
    if (!begun.ok && begun.error.kind === 'notFound')
      throw usage(`${earlier.run} is not a run of a workflow`);
    if (!begun.ok) throw new Failure(begun.error.code, begun.error.message, { exit: 3 });
    const { facts, kept, entry } = begun.value;
    return kept === undefined || entry === undefined ? undefined : { facts, kept, entry };
  });

/** The kind of this one run: what the call has read of its package is not read again. */
async function handedKind({ package: own, ...target }: RunTarget, begun: BegunRun | undefined) {
  const { workflowRunsOf } = await import('@cuebook/workflow');
  const { workflow, menuData, kept, settings, pkg } = target;
  return workflowRunsOf({
    source: { package: own, workflow, menuData, serverTools: [], kept, settings, pkg },
    entry: begun?.entry,
    isForeign: target.name === undefined,
  });
}

async function begin(
  door: Door,
  { facts, target, input, data }: Given,
  { args, flags, io }: Call,
): Promise<RunId> {
  const { mode, activeAgentId: activeAgent, autopilot = false } = facts;
  const budget = budgetOf(flags);
  const run = await door.start({
    id: newCommandId(),
    target: target ?? args[0] ?? '',
    ...(input === undefined ? {} : { input }),
    ...(budget === undefined ? {} : { budget }),
    options: { mode, activeAgent, autopilot, ...(data === undefined ? {} : { data: { ...data } }) },
  });
  if (!isOn(flags, 'json')) io.err(styleFor(io, 'err').dim(`${run}\n`));
  return run;
}

interface Shown {
  readonly call: Call;
  readonly run: RunId;
  /** The last event that is known. */
  readonly after: number;
  readonly journal: Journal;
}

/** Shows a run from where it stands now until it stands still, and how it stands then. */
export async function showRun(door: Door, shown: Shown): Promise<number> {
  await (await shower(door, shown))();
  return tellEnd(shown);
}

/** Shows a run until it stands still, each time from where it was shown to. */
async function shower(door: Door, { call, run, after, journal }: Shown): Promise<() => Promise<void>> {
  const screen = createScreen(call);
  const event = await createFailureScreen(call, { store: journal.store, run, seq: after });
  const cursor = { seq: after };
  return () =>
    carry(door, run, {
      ...{ call, journal, cursor, words: true, interrupted: 'stop', event },
      show: (live) => screen(live.event as TurnEvent),
    });
}

async function tellEnd({ call, run, journal }: Shown, voice?: WorkflowReport['voice']): Promise<number> {
  const { flags, io } = call;
  const { state, seq } = await readRun(workflowRecord, journal, run);
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
