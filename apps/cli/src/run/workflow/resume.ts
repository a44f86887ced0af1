import { randomUUID } from 'node:crypto';
import { type Approval, UNKNOWN_OUTCOME } from '@cuebook/engine';
import {
  answered,
  type QuestionAnswer,
  readAnswer,
  readYes,
  type Widget,
  type WorkflowRun,
  type WorkflowStatus,
} from '@cuebook/workflow';
import { type Flags, flagValue, flagValues } from '../../command.js';
import { Failure, usage } from '../../failure.js';

type Command = Parameters<WorkflowRun['submit']>[1];

/** Who speaks through the command. */
export const PERSON = 'user';

/** Gives a command; a refusal is a failure of the call. */
export async function give(run: WorkflowRun, command: Command): Promise<void> {
  const done = await run.submit(randomUUID(), command);
  if (!done.ok) throw new Failure(done.error.code, done.error.message, { exit: 1 });
}

/** Does what the flags say to a run that was begun before: answers, says, raises, settles, or simply goes on. */
export async function goOn(run: WorkflowRun, flags: Flags, input: string | undefined): Promise<void> {
  const to = budgetOf(flags);
  if (to !== undefined) await give(run, { type: 'budget.raise', to, by: PERSON });
  const answers = flagValues(flags, 'answer');
  const status = await run.status();
  if (answers.length > 0) await answerWith(run, status, answers);
  const outcome = flagValue(flags, 'settle');
  if (outcome !== undefined) await settle(run, status, outcome);
  if (input !== undefined) await give(run, { type: 'agent.say', text: input, by: PERSON });
  const isIdle = answers.length === 0 && outcome === undefined && input === undefined && to === undefined;
  const isStill = status.kind === 'stopped' || status.kind === 'failed' || isLoop(status);
  if (isIdle && isStill) await give(run, { type: 'agent.resume', by: PERSON });
}

const isLoop = (status: WorkflowStatus): boolean => status.kind === 'waiting' && status.for === 'loop';

/** The budget that the flags name. */
export function budgetOf(flags: Flags): { readonly turns?: number; readonly usd?: number } | undefined {
  const turns = numberOf(flags, 'turns');
  const usd = numberOf(flags, 'usd');
  if (turns === undefined && usd === undefined) return undefined;
  return { ...(turns === undefined ? {} : { turns }), ...(usd === undefined ? {} : { usd }) };
}

function numberOf(flags: Flags, name: string): number | undefined {
  const text = flagValue(flags, name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number) || number <= 0)
    throw usage(`--${name} wants a number above 0`);
  return number;
}

/** The first thing that is asked is what is answered. */
async function answerWith(run: WorkflowRun, status: WorkflowStatus, texts: readonly string[]): Promise<void> {
  if (status.kind !== 'waiting' || (status.for !== 'question' && status.for !== 'approval')) {
    throw new Failure('E_NOTHING_ASKED', 'The run asks nothing, so there is nothing to answer.', { exit: 1 });
  }
  if (status.for === 'approval') return approve(run, status.approvals[0], texts);
  const [open] = status.questions;
  if (open === undefined) return;
  const answer = readAnswer(open.question, texts);
  if (!answer.ok) throw usage(`--answer: ${answer.error}`);
  await answerQuestion(run, open.approval, open.question, answer.value);
}

export const answerQuestion = (
  run: WorkflowRun,
  approval: string,
  question: Widget,
  answer: QuestionAnswer,
): Promise<void> =>
  give(run, {
    type: 'approval.resolve',
    approval,
    decision: 'change',
    input: answered(question, answer),
    by: PERSON,
  });

async function approve(
  run: WorkflowRun,
  approval: Approval | undefined,
  [text = '', ...more]: readonly string[],
): Promise<void> {
  const yes = more.length > 0 ? undefined : readYes(text);
  if (yes === undefined) throw usage('--answer: answer yes or no');
  if (approval !== undefined) await allow(run, approval.id, yes);
}

/** Allows or denies one call, once. */
export const allow = (run: WorkflowRun, approval: string, yes: boolean): Promise<void> =>
  give(run, { type: 'approval.resolve', approval, decision: yes ? 'allow' : 'deny', by: PERSON });

async function settle(run: WorkflowRun, status: WorkflowStatus, text: string): Promise<void> {
  if (text !== 'not-done' && text !== 'unknown') throw usage('--settle wants not-done or unknown');
  if (status.kind !== 'waiting' || status.for !== 'outcome') {
    throw new Failure('E_NOTHING_ASKED', 'No call of the run was cut off, so there is nothing to settle.', {
      exit: 1,
    });
  }
  for (const effect of status.effects) {
    const outcome = text === 'not-done' ? ('not-done' as const) : UNKNOWN_OUTCOME;
    await give(run, { type: 'effect.resolve', effect, outcome });
  }
}
