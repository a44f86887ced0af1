import type { RunId } from '@cuebook/journal';
import type { TurnEvent } from '@cuebook/provider';
import { createWorkflowProfile, type RunFacts, type RunStatus, type WorkflowRun } from '@cuebook/workflow';
import { type Call, flagValue, flagValues, type Handler, isOn } from '../../command.js';
import { Failure, usage } from '../../failure.js';
import { readInput } from '../../input/flags.js';
import { printJson } from '../../output/json.js';
import { styleFor } from '../../output/style.js';
import { withOpened } from '../../record/journal.js';
import { requireNewFile, writeNamedFile } from '../../record/named-output.js';
import { requireRun, unknownRun } from '../../record/run-name.js';
import { newRunId } from '../one-turn.js';
import { createTrace } from '../trace.js';
import { openVoice } from '../voice.js';
import { askPermission, askPerson, askWord } from './ask.js';
import { factsOf, openRun, placeOf, takeRun } from './open.js';
import { documentOf, endText, reportOf } from './report.js';
import { allow, answerQuestion, budgetOf, give, goOn, PERSON } from './resume.js';
import { createScreen } from './screen.js';
import { openRunTarget, type RunTarget } from './target.js';

/**
 * `cuebook run workflow:DIR`: carries a workflow out, or goes on with `--run`. It ends when the workflow is complete
 * (exit code 0), has failed, or waits for a person (1); at a terminal the person is asked at once.
 */
export const run: Handler = async (call) => {
  const { flags, io } = call;
  const target = await openRunTarget(call);
  const given = await readGiven(call, target);
  const file = flagValue(flags, 'trace');
  if (file !== undefined) await requireNewFile(io, file);
  const voice = await openVoice(target.bench, { params: {} }, call);
  await voice.session.close();
  const trace = createTrace();
  const place = placeOf(target.bench.folder, io);
  return withOpened(place, async (journal) => {
    const named = flagValue(flags, 'run');
    const earlier = named === undefined ? undefined : await requireRun(journal.store, named);
    if (named !== undefined && earlier === undefined) throw unknownRun(named);
    const id: RunId = earlier?.run ?? newRunId();
    const facts = earlier === undefined ? given.facts : await factsOf(journal.store, id, target);
    const screen = createScreen(call);
    const publish = (event: TurnEvent): void => {
      trace.heard(event);
      screen(event);
    };
    const opened = await openRun(
      { run: id, journal, home: place.home, target, voice, trace, facts, publish },
      call,
    );
    try {
      await takeRun(opened, id);
      if (earlier === undefined) await begin(opened, id, given.input, call);
      else await goOn(opened, flags, given.input);
      await work(opened, call);
      const report = reportOf(id, await opened.read(), await opened.status(), voice);
      if (file !== undefined) await writeNamedFile(io, file, new TextEncoder().encode(trace.text()));
      if (isOn(flags, 'json')) await printJson(io, documentOf(report, call));
      else io.err(endText(report, call, styleFor(io, 'err')));
      return report.status.kind === 'done' ? 0 : 1;
    } finally {
      await opened.close();
    }
  });
};

interface Given {
  readonly facts: Pick<RunFacts, 'mode' | 'activeAgentId' | 'autopilot'>;
  readonly input: string | undefined;
}

async function readGiven({ flags, io }: Call, target: RunTarget): Promise<Given> {
  const raw = await readInput(createWorkflowProfile(), flags, io);
  for (const name of ['state', 'intent']) {
    if (raw?.[name] !== undefined)
      throw usage(`--${name} is for render: a run keeps its own. Go on with --run ID`);
  }
  const parsed = createWorkflowProfile().input.safeParse(raw ?? {});
  if (!parsed.success)
    throw new Failure('E_INPUT', parsed.error.issues[0]?.message ?? 'The input does not fit');
  const { mode, activeAgent, autopilot, input } = parsed.data;
  const isGoingOn = flagValue(flags, 'run') !== undefined;
  if (isGoingOn && ['mode', 'activeAgent', 'autopilot'].some((name) => raw?.[name] !== undefined)) {
    throw usage('A run keeps its mode, its agent and its autopilot: leave them out with --run');
  }
  if (!isGoingOn && (flagValues(flags, 'answer').length > 0 || flags.settle !== undefined)) {
    throw usage('--answer and --settle are for a run that waits: name it with --run ID');
  }
  if (!isGoingOn && mode !== 'run' && (input ?? '').trim() === '') {
    throw usage(`A conversation begins with a word: --mode ${mode} --input TEXT`);
  }
  const { agents } = target.package;
  const activeAgentId = activeAgent ?? [...agents.keys()][0] ?? '';
  if (!agents.has(activeAgentId)) {
    throw usage(
      `No agent of the package has the id "${activeAgentId}". There are ${[...agents.keys()].join(', ')}`,
    );
  }
  return { facts: { mode, activeAgentId, autopilot }, input };
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

/** Waits until the run stands still; at a terminal the person goes on with it. */
async function work(opened: WorkflowRun, call: Call): Promise<void> {
  const { stop } = call.io;
  // From here on an interrupt ends the run between two turns, and the process by itself.
  call.io.wait?.();
  const end = () => void opened.submit('stop by a signal', { type: 'agent.stop', by: PERSON });
  if (stop.aborted) end();
  stop.addEventListener('abort', end, { once: true });
  try {
    await opened.drain();
    while (!stop.aborted && isAtTerminal(call) && (await askNext(opened, await opened.status(), stop))) {
      await opened.drain();
    }
  } finally {
    stop.removeEventListener('abort', end);
  }
}

const isAtTerminal = ({ io, flags }: Call): boolean =>
  io.terminal.out && !isOn(flags, 'json') && (io.stdin as { readonly isTTY?: boolean }).isTTY === true;

/** False when nothing was said, or there is nothing to say. */
async function askNext(opened: WorkflowRun, status: RunStatus, signal: AbortSignal): Promise<boolean> {
  if (status.kind !== 'waiting') return false;
  const terminal = { signal };
  switch (status.for) {
    case 'question': {
      const [open] = status.questions;
      const answer = open && (await askPerson(open.question, terminal));
      if (open === undefined || answer === undefined) return false;
      await answerQuestion(opened, open.approval, open.question, answer);
      return true;
    }
    case 'approval': {
      const [approval] = status.approvals;
      if (approval === undefined) return false;
      const what = `${approval.reason ?? 'Allow this?'}\n${approval.tool} ${JSON.stringify(approval.input)}`;
      const yes = await askPermission(what, terminal);
      if (yes !== undefined) await allow(opened, approval.id, yes);
      return yes !== undefined;
    }
    case 'input':
    case 'loop': {
      const said = await askWord('Your answer', terminal);
      if (said !== undefined) await give(opened, { type: 'agent.say', text: said, by: PERSON });
      return said !== undefined;
    }
    default:
      return false;
  }
}
