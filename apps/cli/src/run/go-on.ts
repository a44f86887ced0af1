import type { RunId } from '@cuebook/journal';
import { type Flags, flagValue, flagValues } from '../command.js';
import { Failure, usage } from '../failure.js';
import type { Door } from './door.js';

/** What is said to a run that was begun before, beside what flags answer, settle and raise. */
export interface GoingOn {
  readonly flags: Flags;
  readonly input: string | undefined;
  readonly attachments?: readonly string[];
  /** Lets the run come to rest: what a process left is taken up first, and only then it is known what waits. */
  readonly rest: () => Promise<void>;
}

/** Does what the flags say to a run that was begun before: answers, says, raises, settles, or simply goes on. */
export async function goOn(door: Door, run: RunId, going: GoingOn): Promise<void> {
  const { flags, input, attachments = [], rest } = going;
  const to = budgetOf(flags);
  const answers = flagValues(flags, 'answer');
  const settle = settlementOf(flags);
  if (to !== undefined) await door.submit(run, { type: 'raise', to });
  let report = await door.report(run);
  const isAsked = answers.length > 0 || settle !== undefined;
  if (isAsked && report.status === 'running') {
    await rest();
    report = await door.report(run);
  }
  const { status, waits } = report;
  if (answers.length > 0) {
    const asked = waits.find((each) => each.for === 'approval' || each.for === 'question');
    if (asked === undefined) throw nothing('The run asks nothing, so there is nothing to answer.');
    await answer(door, run, { wait: asked.id, texts: answers });
  }
  if (settle !== undefined) {
    const doubts = waits.filter((each) => each.for === 'outcome');
    if (doubts.length === 0) throw nothing('No call of the run was cut off, so there is nothing to settle.');
    for (const { id } of doubts)
      await door.submit(run, { type: 'answer', wait: id, reply: { texts: [settle] } });
  }
  if (input !== undefined) await door.submit(run, { type: 'say', text: input, attachments });
  const isIdle = !isAsked && input === undefined && to === undefined;
  if (!isIdle || status === 'running') return;
  const held = waits.filter((each) => each.answers.includes('resume'));
  // A thread that was stopped goes on with a word alone.
  if (report.kind !== 'team' && (held.length > 0 || (status === 'stopped' && report.kind === 'workflow')))
    return door.submit(run, { type: 'resume' });
  // In a team each node that holds is let go on.
  for (const { id } of held)
    await door.submit(run, { type: 'answer', wait: id, reply: { texts: ['resume'] } });
}

async function answer(
  door: Door,
  run: RunId,
  { wait, texts }: { readonly wait: string; readonly texts: readonly string[] },
): Promise<void> {
  try {
    await door.submit(run, { type: 'answer', wait, reply: { texts } });
  } catch (error) {
    if (error instanceof Failure && error.code === 'E_REPLY') throw usage(`--answer: ${error.message}`);
    throw error;
  }
}

const nothing = (message: string): Failure => new Failure('E_NOTHING_ASKED', message, { exit: 1 });

function settlementOf(flags: Flags): 'not-done' | 'unknown' | undefined {
  const settle = flagValue(flags, 'settle');
  if (settle === undefined || settle === 'not-done' || settle === 'unknown') return settle;
  throw usage('--settle takes not-done or unknown');
}

/** What answers a run is for one that was begun before. */
export function requireNoAnswer(flags: Flags): void {
  if (flagValues(flags, 'answer').length > 0 || flags.settle !== undefined)
    throw usage('--answer and --settle are for a run that waits: name it with --run RUN');
}

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
    throw usage(`--${name} takes a number above 0`);
  return number;
}
