import type { RunId } from '@cuebook/journal';
import type { TurnEvent } from '@cuebook/provider';
import type { WorkflowRun } from '@cuebook/workflow';
import { type Call, flagValue, type Handler, isOn } from '../../command.js';
import { Failure } from '../../failure.js';
import { printJson } from '../../output/json.js';
import { styleFor } from '../../output/style.js';
import { withOpened } from '../../record/journal.js';
import { requireNewFile, writeNamedFile } from '../../record/named-output.js';
import { requireRun, unknownRun } from '../../record/run-name.js';
import { newRunId } from '../one-turn.js';
import { createTrace } from '../trace.js';
import { openVoice } from '../voice.js';
import { readGiven } from './given.js';
import { factsOf, openRun, placeOf, takeRun, type WhenHeld } from './open.js';
import { documentOf, endText, reportOf } from './report.js';
import { budgetOf, goOn, PERSON } from './resume.js';
import { createFailureScreen, createScreen } from './screen.js';
import { openRunTarget } from './target.js';
import { work } from './work.js';

/**
 * `cuebook run workflow:DIR`: carries a workflow out, or goes on with `--run`. It ends when the workflow is complete
 * (exit code 0), has failed, or waits for a person (1); at a terminal the person is asked at once.
 */
export const run: Handler = (call) => carryOut(call, 'refuse');

/** The same for a call that was made from what is on record; with `watch` another process may have the run. */
export async function carryOut(call: Call, whenHeld: WhenHeld): Promise<number> {
  const { flags, io } = call;
  const named = await openRunTarget(call);
  const given = await readGiven(call, named);
  const target = { ...named, workflow: given.workflow };
  const file = flagValue(flags, 'trace');
  if (file !== undefined) await requireNewFile(io, file);
  const voice = await openVoice(target.bench, { params: {} }, call);
  await voice.session.close();
  const trace = createTrace();
  const place = placeOf(target.bench.folder, io);
  return withOpened(place, async (journal) => {
    const earlierName = flagValue(flags, 'run');
    const earlier = earlierName === undefined ? undefined : await requireRun(journal.store, earlierName);
    if (earlierName !== undefined && earlier === undefined) throw unknownRun(earlierName);
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
      const report = reportOf(id, await opened.read(), await opened.status(), voice);
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
