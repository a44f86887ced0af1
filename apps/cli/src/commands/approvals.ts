import type { ApprovalView, Client, JsonValue } from '@cuebook/api';
import { openFolder } from '@cuebook/files';
import type { RunId } from '@cuebook/journal';
import { nearest } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import { readYes } from '@cuebook/workflow';
import { requireWaiting } from '../approvals/find.js';
import { waitingLine, waitingText } from '../approvals/waiting-text.js';
import { type Call, type CommandHandler, flagValue, isOn } from '../command.js';
import { usage } from '../failure.js';
import { typed } from '../hint/typed.js';
import type { Io } from '../io.js';
import { printJson } from '../output/json.js';
import { styleFor } from '../output/style.js';
import { readNamedFile } from '../project/named-file.js';
import { journalPlace } from '../record/journal.js';
import { follow } from '../run/team/run.js';
import { withServer } from '../team/connect.js';
import { requireAnswer } from '../team/require.js';
import { screenValue } from '../team/text/screen-value.js';

/**
 * `cuebook approvals [list|show|allow|deny|change|answer]`: what waits for a person in all runs, and the answer. The
 * run goes on: a team at the server that is up, anything else in this process, until it waits again.
 */
export const run: CommandHandler = async (call) => {
  const [action = 'list', id, ...texts] = call.args;
  if (!ACTIONS.includes(action)) {
    const near = nearest(action, ACTIONS);
    const advice = near === undefined ? `There are ${ACTIONS.join(', ')}` : `Did you mean ${near}?`;
    throw usage(`No action is called "${action}". ${advice}`);
  }
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
  const reply = decision ?? { texts };
  if (approval.kind === 'team') return answerTeam(call, approval, reply);
  if (approval.kind === 'agent') throw usage(`${approval.id} is answered in the program that runs it`);
  if (await isHosted(call, approval)) return answerHosted(call, approval, reply);
  // A command began the run: what is asked in it is answered on record, with the flags that the command had.
  if (approval.kind === 'thread' && approval.for === 'approval') {
    const { answerThread } = await import('../run/agent/answer.js');
    return answerThread(call, approval, decision ?? permissionOf(approval, texts));
  }
  if (approval.kind === 'workflow' && isSpoken(approval, texts)) {
    if (decision?.decision === 'change')
      throw usage(`change is for teams and threads. A workflow is answered with: \`${approval.command}\``);
    if (decision?.decision === 'allow' && decision.grant === true)
      throw usage('A workflow is allowed one thing at a time: leave --grant out');
    const { answerWorkflow } = await import('../run/workflow/answer.js');
    return answerWorkflow(call, approval, saidOf(decision, texts));
  }
  if ((approval.answers ?? []).length > 0) return answerHosted(call, approval, reply);
  throw usage(`It goes on with: \`${approval.command}\``);
};

/** Whether it is answered with words or a permission, and not by going on as it is. */
const isSpoken = ({ for: why, answers = [] }: ApprovalView, texts: readonly string[]): boolean =>
  why === 'approval' ||
  why === 'question' ||
  why === 'outcome' ||
  ((why === 'input' || why === 'loop') && !(answers.includes('resume') && texts.join(' ') === 'resume'));

/** Yes or no to what wants a permission. */
function permissionOf({ id }: ApprovalView, texts: readonly string[]): Decision {
  const yes = readYes(texts.join(' '));
  if (yes === undefined)
    throw usage(`It wants your permission: ${hint`approvals allow ${id}`}, or deny, or change`);
  return { decision: yes ? 'allow' : 'deny' };
}

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

type Decision =
  | { readonly decision: 'allow'; readonly grant?: boolean }
  | { readonly decision: 'deny'; readonly message?: string }
  | { readonly decision: 'change'; readonly input: JsonValue };

async function readDecision({ flags, io }: Call, action: string): Promise<Decision> {
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

/** What a person says to a workflow. */
function saidOf(decision: Exclude<Decision, { decision: 'change' }> | undefined, texts: readonly string[]) {
  if (decision === undefined) return { kind: 'answer', texts } as const;
  if (decision.decision === 'allow') return { kind: 'allow' } as const;
  const { message } = decision;
  return { kind: 'deny', ...(message === undefined ? {} : { message }) } as const;
}

type Reply = Decision | { readonly texts: readonly string[] };

/** Gives the answer to what waits; one that does not fit is a wrong call, with a command that does. */
async function give(client: Client, { run, id, command }: ApprovalView, reply: Reply): Promise<void> {
  const given = 'texts' in reply ? { texts: reply.texts.length === 0 ? [''] : [...reply.texts] } : reply;
  const answer = await client.answerWait({ run, wait: id, reply: given });
  if (!answer.ok && answer.error.code === 'E_REPLY') throw usage(`${answer.error.message} (\`${command}\`)`);
  requireAnswer(answer);
}

function answerTeam(call: Call, row: ApprovalView, reply: Reply): Promise<number> {
  const { run: of, id } = row;
  return withServer(call, async (connected) => {
    const { client, isOwn } = connected;
    const before = requireAnswer(await client.getRun({ run: of }));
    await give(client, row, reply);
    if (isOwn) return follow(call, connected, of, { after: before.seq });
    const said = 'texts' in reply ? 'answer' : reply.decision;
    if (isOn(call.flags, 'json')) await printJson(call.io, { approval: id, run: of, decision: said });
    else call.io.err(`${DONE[said]} ${id}\n`);
    return 0;
  });
}

/** Whether a server began the run, so that a server can go on with it; a command knows its own flags alone. */
async function isHosted(call: Call, { run: of }: ApprovalView): Promise<boolean> {
  const { home } = await journalPlace(call.flags, call.io);
  const files = await openFolder(home, { access: 'ro' });
  const { readRunNote } = await import('@cuebook/host');
  return files.ok && (await readRunNote(files.value, of as RunId)).call !== undefined;
}

/** Answers a run of any kind at the server; one in this process goes on until the run stands still. */
function answerHosted(call: Call, row: ApprovalView, reply: Reply): Promise<number> {
  const { run: of, id } = row;
  return withServer(call, async ({ client, isOwn }) => {
    const { io, flags } = call;
    const before = requireAnswer(await client.getReport({ run: of }));
    await give(client, row, reply);
    const said = 'texts' in reply ? 'answer' : reply.decision;
    if (!isOn(flags, 'json')) io.err(`${DONE[said]} ${id}\n`);
    if (isOwn) {
      const { followHosted } = await import('../run/hosted.js');
      await followHosted(client, { run: of as RunId, after: before.seq, io, show: () => undefined });
    }
    const report = requireAnswer(await client.getReport({ run: of }));
    if (isOn(flags, 'json')) await printJson(io, { approval: id, decision: said, ...report });
    return isOwn && report.status !== 'done' ? 1 : 0;
  });
}

const DONE = { allow: 'Allowed', deny: 'Denied', change: 'Changed and allowed', answer: 'Answered' } as const;
