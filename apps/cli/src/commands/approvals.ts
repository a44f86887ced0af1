import type { ApprovalView, Client, JsonValue } from '@cuebook/api';
import type { Reply } from '@cuebook/host';
import { hint } from '@cuebook/prompt/hint';
import { answerWaiting } from '../approvals/answer.js';
import { requireWaiting } from '../approvals/find.js';
import { waitingLine, waitingText } from '../approvals/waiting-text.js';
import { type Call, type CommandHandler, flagValue, isOn } from '../command.js';
import { usage } from '../failure.js';
import { typed } from '../hint/typed.js';
import { unknownAction } from '../input/one-of.js';
import type { Io } from '../io.js';
import { printJson } from '../output/json.js';
import { styleFor } from '../output/style.js';
import { readNamedFile } from '../project/named-file.js';
import { withServer } from '../team/connect.js';
import { requireAnswer } from '../team/require.js';
import { screenValue } from '../team/text/screen-value.js';

/**
 * `cuebook approvals [list|show|allow|deny|change|answer]`: what waits for a person in all runs, and the answer. The
 * run goes on: a team at the server that is up, anything else in this process, until it waits again.
 */
export const run: CommandHandler = async (call) => {
  const [action = 'list', id, ...texts] = call.args;
  if (!ACTIONS.includes(action)) throw unknownAction(action, ACTIONS);
  if (action !== 'list' && id === undefined)
    throw usage(`Name what to ${action}: ${hint`approvals`} lists it`);
  if (action !== 'answer' && texts.length > 0)
    throw usage(`${action} takes one id. Words are for answer: ${hint`approvals answer ${id ?? 'ID'} TEXT`}`);
  // Looking begins nothing: no run goes on because of a question.
  const look = <Answer>(work: (client: Client) => Promise<Answer>) =>
    withServer(call, ({ client }) => work(client), { idle: true });
  if (action === 'list') return look((client) => list(call, client));
  const decision = action === 'show' || action === 'answer' ? undefined : await readDecision(call, action);
  const approval = await look((client) => requireWaiting(client, id ?? ''));
  if (action === 'show') return show(call, approval);
  return answerWaiting(call, approval, decision ?? { texts });
};

const ACTIONS: readonly string[] = ['list', 'show', 'allow', 'deny', 'change', 'answer'];

async function list({ flags, io }: Call, client: Client): Promise<number> {
  const { approvals } = requireAnswer(await client.listApprovals({}));
  if (isOn(flags, 'json')) {
    await printJson(io, { approvals: approvals.map((each) => typedRow(each, io)) });
    return 0;
  }
  const style = styleFor(io, 'out');
  if (approvals.length === 0) await io.out('Nothing waits for you.\n');
  for (const each of approvals) {
    const shown = screenValue(each, io);
    // What is no approval is named by its run.
    const run = shown.id === shown.run ? '' : `  ${style.dim(shown.run)}`;
    await io.out(`${style.bold(shown.id)}${run}  ${waitingLine(shown)}\n`);
  }
  return 0;
}

/** With the command as it is typed here. */
const typedRow = (row: ApprovalView, io: Io): ApprovalView => ({ ...row, command: typed(io, row.command) });

async function show({ flags, io }: Call, approval: ApprovalView): Promise<number> {
  if (isOn(flags, 'json')) await printJson(io, typedRow(approval, io));
  else await io.out(waitingText(approval, io));
  return 0;
}

async function readDecision({ flags, io }: Call, action: string): Promise<Reply> {
  const message = flagValue(flags, 'message');
  const input = flagValue(flags, 'with');
  if (isOn(flags, 'grant') && action !== 'allow') throw usage('--grant goes with allow');
  if (message !== undefined && action !== 'deny') throw usage('--message goes with deny');
  if (input !== undefined && action !== 'change') throw usage('--with goes with change');
  if (action === 'allow') return { decision: 'allow', ...(isOn(flags, 'grant') ? { grant: true } : {}) };
  if (action === 'deny') return { decision: 'deny', ...(message === undefined ? {} : { message }) };
  if (input === undefined) throw usage('change needs --with JSON, or --with @FILE');
  const text = input.startsWith('@') ? await readNamedFile(io.cwd, input.slice(1)) : input;
  try {
    return { decision: 'change', input: JSON.parse(text) as JsonValue };
  } catch {
    throw usage('What --with holds is not JSON');
  }
}
