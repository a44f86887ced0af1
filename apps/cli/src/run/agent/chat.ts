import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Reply } from '@cuebook/host';
import { threadRecord } from '@cuebook/thread';
import { Failure, usage } from '../../failure.js';
import { styleFor } from '../../output/style.js';
import type { Door } from '../door.js';
import { readRun } from '../read-run.js';
import { endText, reportOf } from './report.js';
import { createShow } from './show.js';
import type { ShownThread } from './shown-thread.js';

export interface Chat extends ShownThread {
  readonly door: Door;
  /** Begins the thread with what is said first. */
  readonly begin: (text: string) => Promise<void>;
  readonly isBegun: boolean;
}

/**
 * A conversation at a terminal. The first Ctrl-C ends the turn under way, one at the prompt leaves; `/exit` and the
 * end of input leave too. `/allow`, `/grant`, `/deny WORDS` and `/change JSON` answer what waits for approval. The thread stays: `--run` goes on with it.
 */
export async function chat(talk: Chat): Promise<void> {
  const { door, run, journal, cursor, call, begin } = talk;
  const { io, flags } = call;
  const show = createShow(call);
  const style = styleFor(io, 'err');
  const output = new Writable({
    write: (chunk, _encoding, done) => void io.out(String(chunk)).then(() => done(), done),
  });
  const lines = createInterface({
    input: io.stdin as unknown as NodeJS.ReadableStream,
    output,
    terminal: true,
    prompt: '> ',
  });
  let isBusy = false;
  let isLeaving = false;
  const leave = (): void => {
    isLeaving = true;
    lines.close();
  };
  lines.on('SIGINT', () => {
    if (!isBusy || isLeaving) return leave();
    isLeaving = true;
    io.err(style.dim('\nThe turn ends. Once more leaves.\n'));
    void door
      .submit(run, { type: 'interrupt' })
      .catch(() => undefined)
      .finally(() => {
        isLeaving = false;
      });
  });
  // A turn under way is let go of before the process ends.
  io.wait?.();
  io.stop.addEventListener('abort', leave, { once: true });
  io.err(style.dim(`${run}: /exit leaves, Ctrl-C ends a turn, /help lists what else can be typed\n`));
  let warned = 0;
  const tell = async (): Promise<void> => {
    const report = reportOf(await readRun(threadRecord, journal, run), flags);
    const warnings = (report.detail.diagnostics as readonly unknown[]).length;
    // An answer that came as it was said needs no more words: how the run stands is told when it ends.
    if (report.status === 'done' && warnings === warned) return io.err('\n');
    warned = warnings;
    io.err(endText(report, io));
    if (report.waits.some((wait) => wait.for === 'approval')) io.err(style.dim(`  here: ${ANSWERS}\n`));
  };
  let { isBegun } = talk;
  const say = async (text: string): Promise<void> => {
    await (isBegun ? door.submit(run, { type: 'say', text }) : begin(text));
    isBegun = true;
  };
  if (isBegun && (await door.report(run)).status === 'waiting') await tell();
  lines.prompt();
  for await (const line of lines) {
    const text = line.trim();
    if (text === '/exit' || text === '/quit') break;
    if (text === '/help') io.err(style.dim(HELP));
    else if (text !== '') {
      isBusy = true;
      if (!(await answered(talk, text, isBegun))) await say(text);
      if (isBegun)
        await door.follow(run, {
          ...{ after: cursor.seq, show, signal: io.stop },
          event: ({ seq }) => {
            cursor.seq = Math.max(cursor.seq, seq);
          },
        });
      isBusy = false;
      await tell();
    }
    lines.prompt();
  }
  lines.close();
  // What was typed last is echoed before anything is told behind it.
  await new Promise<void>((resolve) => output.end(resolve));
}

/** What a conversation takes beside words for the agent. */
const HELP = `  /allow          the agent may do what it waits for, once
  /grant          the same, for the rest of the run
  /deny WORDS     it may not, and is told the words
  /change JSON    it may, with these arguments in place of its own
  /exit           leave; the thread stays, and --run continues it
  Ctrl-C          end the turn under way; at the prompt: leave
`;

/** How what waits for approval is answered in a conversation. */
const ANSWERS = '/allow, /grant (for the rest of the run), /deny WORDS or /change JSON';

/** Whether a line was for something that waits for approval, and not for the agent. */
async function answered({ run, door, call: { io } }: Chat, line: string, isBegun: boolean): Promise<boolean> {
  const [, verb, rest = ''] = /^\/(allow|grant|deny|change)(?:\s+(.*))?$/s.exec(line) ?? [];
  if (verb === undefined) return false;
  const waits = isBegun ? (await door.report(run)).waits : [];
  const asked = waits.find((wait) => wait.for === 'approval');
  try {
    if (asked === undefined) throw usage('Nothing waits for your approval');
    await door.submit(run, { type: 'answer', wait: asked.id, reply: replyOf(verb, rest) });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // Where somebody else was faster, their answer counts.
    if (error.code !== 'E_APPROVAL_RESOLVED') io.err(`${error.message}\n`);
  }
  return true;
}

function replyOf(verb: string, rest: string): Reply {
  if (verb === 'deny') return { decision: 'deny', ...(rest === '' ? {} : { message: rest }) };
  if (verb !== 'change') return { decision: 'allow', ...(verb === 'grant' ? { grant: true } : {}) };
  try {
    return { decision: 'change', input: JSON.parse(rest) };
  } catch {
    throw usage('/change takes the arguments as JSON');
  }
}
