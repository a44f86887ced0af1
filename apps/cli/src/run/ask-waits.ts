import type { Reply, RunReport, Wait } from '@cuebook/host';
import type { RunId, Store } from '@cuebook/journal';
import type { QuestionAnswer } from '@cuebook/workflow';
import { Failure } from '../failure.js';
import { askOne, askPermission, askPerson, askWord, type Terminal } from './ask.js';
import type { Door, DoorWord } from './door.js';

/** What is asked of the person at the terminal. */
export interface WaitsAsked {
  readonly store: Pick<Store, 'subscribe'>;
  /** Words that a run waits for are asked too. */
  readonly words: boolean;
  /** The person leaves. */
  readonly stop: AbortSignal;
}

/** Puts what a run waits for to the person, until it is said here or from elsewhere. False when nothing was said. */
export async function askWaits(
  door: Door,
  { run: of, seq, waits }: RunReport,
  { store, words, stop }: WaitsAsked,
): Promise<boolean> {
  const run = of as RunId;
  const wait = waits.find((each) => each.answers.length > 0);
  if (wait === undefined) return false;
  const moved = new AbortController();
  const over = new AbortController();
  const watching = watchFor({ store, run, after: seq, signal: AbortSignal.any([stop, over.signal]) }, () =>
    moved.abort(),
  );
  try {
    const word = await askFor(wait, words, { signal: AbortSignal.any([stop, moved.signal]) });
    if (word === undefined || moved.signal.aborted) return moved.signal.aborted;
    await door.submit(run, word);
    return true;
  } catch (error) {
    // Somebody else was faster: their answer counts.
    if (error instanceof Failure && FASTER.has(error.code)) return true;
    throw error;
  } finally {
    over.abort();
    await watching;
  }
}

const FASTER: ReadonlySet<string> = new Set(['E_APPROVAL_RESOLVED', 'E_WAIT_UNKNOWN']);

/** Waits for the next event of a run. */
async function watchFor(
  { store, ...options }: Pick<WaitsAsked, 'store'> & Parameters<Store['subscribe']>[0],
  heard: () => void,
): Promise<void> {
  for await (const _ of store.subscribe(options)) return heard();
}

/** Undefined when nothing was said, or nothing is asked here. */
async function askFor(wait: Wait, words: boolean, terminal: Terminal): Promise<DoorWord | undefined> {
  const answered = (reply: Reply | undefined): DoorWord | undefined =>
    reply && { type: 'answer', wait: wait.id, reply };
  switch (wait.for) {
    case 'question': {
      const { questionOf } = await import('@cuebook/workflow');
      const question = questionOf({ tool: wait.tool, input: wait.input });
      const answer = question && (await askPerson(question, terminal));
      return answered(answer && replyOf(answer));
    }
    case 'approval': {
      const what = `${wait.reason ?? 'Allow this?'}\n${wait.tool} ${JSON.stringify(wait.input)}`;
      const yes = await askPermission(what, terminal);
      return yes === undefined ? undefined : answered({ decision: yes ? 'allow' : 'deny' });
    }
    case 'outcome': {
      const what = `${wait.reason ?? ''}\n${wait.tool} ${JSON.stringify(wait.input)}`.trim();
      const said = await askOne(what, SETTLEMENTS, terminal);
      return said === undefined ? undefined : answered({ texts: [said] });
    }
    case 'input':
    case 'loop': {
      const text = words ? await askWord('Your answer', terminal) : undefined;
      return text === undefined ? undefined : { type: 'say', text };
    }
    default:
      return undefined;
  }
}

const SETTLEMENTS = [
  { value: 'not-done', label: 'It was not done', description: 'it is done again' },
  { value: 'unknown', label: 'Nobody knows', description: 'the agent is told so' },
] as const;

/** The answer to a question in the form of a reply. */
function replyOf(answer: QuestionAnswer): Reply {
  if ('approved' in answer && !answer.approved) {
    const { feedback } = answer;
    return { decision: 'deny', ...(feedback === undefined ? {} : { message: feedback }) };
  }
  return { texts: textsOf(answer) };
}

function textsOf(answer: QuestionAnswer): readonly string[] {
  if ('confirmed' in answer) return [answer.confirmed ? 'yes' : 'no'];
  if ('approved' in answer) return ['approve'];
  if ('selected' in answer) return [answer.selected];
  if ('action' in answer) return [answer.action];
  if ('text' in answer) return [answer.text];
  return Object.entries(answer.values).map(([name, value]) => `${name}=${String(value)}`);
}
