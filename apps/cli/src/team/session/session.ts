import type { ApprovalView, Client, RunView } from '@cuebook/api';
import { Failure } from '../../failure.js';
import { told } from '../../hint/typed.js';
import type { Io } from '../../io.js';
import { styleFor } from '../../output/style.js';
import { requireAnswer, requireNode } from '../require.js';
import { approvalText } from '../text/approval-text.js';
import { createEventLines } from '../text/event-lines.js';
import { endText } from '../text/report.js';
import { screenValue } from '../text/screen-value.js';
import { statusText } from '../text/status-text.js';
import { isOver, watchRun } from '../watch.js';
import { editJson } from './edit-json.js';
import { openScreen, type Screen } from './prompt-line.js';
import { readCommand, SESSION_HELP, type SessionCommand } from './session-command.js';

/** What an attached session is about. */
export interface AttachedOptions {
  readonly client: Client;
  readonly run: string;
  readonly io: Io;
  /** From which event on things are shown; left out: from now on. */
  readonly after?: number | undefined;
}

/**
 * Watches a run and does what a person at a terminal types, until the run is over or the person leaves. Answers how it
 * stands then.
 */
export async function attachTo({ client, run, io, after }: AttachedOptions): Promise<RunView> {
  const style = styleFor(io, 'out');
  const screen = openScreen(io, style.dim('› '));
  const leave = new AbortController();
  const first = requireAnswer(await client.getRun({ run }));
  const lines = createEventLines(screenValue(first, io), style);
  const session: Session = { client, run, io, screen, asked: [], view: first };
  screen.print(
    `${told(io, statusText(screenValue(first, io), style))}${style.dim('help lists what can be typed; quit leaves the run at work.')}\n`,
  );

  const typing = (async () => {
    for await (const line of screen.lines) {
      const command = readCommand(line);
      if (command.kind === 'quit') break;
      const answer = await obey(session, command);
      if (answer !== '') screen.print(answer);
    }
    leave.abort();
  })();
  try {
    const signal = AbortSignal.any([io.stop, leave.signal]);
    const view = await watchRun(
      client,
      { run, after: after ?? first.seq, signal, leaveWhenQuiet: false },
      {
        heard: (followed) => {
          if (followed.type === 'lost')
            screen.print(style.dim('The server does not answer; trying again …\n'));
          else screen.print(lines.take(screenValue(followed, io)));
        },
        changed: (now) => {
          session.view = now;
          for (const approval of newApprovals(session, now)) {
            session.asked.push(approval);
            screen.print(
              `${style.bold(`#${session.asked.length}`)} ${approvalText(screenValue(approval, io), style)}`,
            );
            screen.print(style.dim('   allow, deny WORDS, change, grant; help for more\n'));
          }
        },
      },
    );
    if (isOver(view)) screen.print(told(io, endText(screenValue(view, io), style)));
    return view;
  } finally {
    screen.close();
    leave.abort();
    await Promise.race([typing, Promise.resolve()]);
  }
}

interface Session {
  readonly client: Client;
  readonly run: string;
  readonly io: Io;
  readonly screen: Screen;
  /** Everything that was asked while attached, in its order: `#1` is the first. */
  readonly asked: ApprovalView[];
  view: RunView;
}

const waitingOf = (view: RunView): readonly ApprovalView[] =>
  view.needs.flatMap((need) => (need.kind === 'approval' ? [need.approval] : []));

const newApprovals = ({ asked }: Session, view: RunView): readonly ApprovalView[] =>
  waitingOf(view).filter(({ id }) => !asked.some((each) => each.id === id));

/** Does what was typed; the answer is for the screen. A no of the server is told, and nothing else happens. */
async function obey(session: Session, command: SessionCommand): Promise<string> {
  try {
    return await carryOut(session, command);
  } catch (error) {
    if (error instanceof Failure)
      return told(session.io, screenValue(`${error.code} ${error.message}\n`, session.io));
    throw error;
  }
}

async function carryOut(session: Session, command: SessionCommand): Promise<string> {
  const { client, run, io } = session;
  const style = styleFor(io, 'out');
  const node = (name: string) => requireNode(session.view, name);
  switch (command.kind) {
    case 'nothing':
      return '';
    case 'help':
      return SESSION_HELP;
    case 'wrong':
      return `${command.message}\n`;
    case 'status':
      return told(io, statusText(screenValue(requireAnswer(await client.getRun({ run })), io), style));
    case 'view':
      return approvalText(
        screenValue(requireAsked(session, command.which), io),
        style,
        Number.POSITIVE_INFINITY,
      );
    case 'allow': {
      const { id, tool } = requireAsked(session, command.which);
      const grant = command.grant ? { grant: true } : {};
      requireAnswer(await client.resolveApproval({ run, approval: id, decision: 'allow', ...grant }));
      return command.grant ? `Allowed, and ${tool} for the rest of the run.\n` : 'Allowed.\n';
    }
    case 'deny': {
      const { id } = requireAsked(session, command.which);
      const words = command.message === '' ? {} : { message: command.message };
      requireAnswer(await client.resolveApproval({ run, approval: id, decision: 'deny', ...words }));
      return 'Denied.\n';
    }
    case 'change': {
      const approval = requireAsked(session, command.which);
      const input = command.input ?? (await session.screen.suspend(() => editJson(io, approval.input)));
      requireAnswer(await client.resolveApproval({ run, approval: approval.id, decision: 'change', input }));
      return 'Changed and allowed.\n';
    }
    case 'message': {
      const { text, interrupt } = command;
      requireAnswer(await client.messageNode({ run, node: node(command.node), text, interrupt }));
      return 'Said.\n';
    }
    case 'interrupt':
      requireAnswer(await client.interruptNode({ run, node: node(command.node) }));
      return 'Interrupted; resume NODE or a message goes on.\n';
    case 'reset':
      requireAnswer(await client.resetNode({ run, node: node(command.node) }));
      return 'Reset.\n';
    case 'diff':
      return lastDiff(session, node(command.node));
    case 'resume':
      if (command.node === undefined) requireAnswer(await client.resumeRun({ run }));
      else requireAnswer(await client.resumeNode({ run, node: node(command.node) }));
      return 'It goes on.\n';
    case 'mode':
      requireAnswer(await client.setMode({ run, ...command.mode }));
      return 'Set, from the next turn of each node on.\n';
    case 'override':
      requireAnswer(await client.configureNode({ run, node: node(command.node), override: command.text }));
      return command.text === null ? 'Taken away, from its next turn on.\n' : 'Set, from its next turn on.\n';
    case 'limit': {
      const of = command.node === undefined ? {} : { node: node(command.node) };
      if (Object.keys(command.bounds).length > 0)
        requireAnswer(await client.setLimits({ run, ...command.bounds }));
      if (Object.keys(command.spent).length === 0) return 'Set, from now on.\n';
      requireAnswer(await client.raiseBudget({ run, ...of, ...command.spent }));
      return 'Raised; resume goes on where it was spent.\n';
    }
    case 'pause':
      requireAnswer(await client.pauseRun({ run }));
      return 'Paused; resume goes on.\n';
    case 'stop':
      requireAnswer(await client.stopRun({ run }));
      return 'Stopped.\n';
    case 'quit':
      return '';
  }
}

/** What is meant by a number; without one the oldest that still waits. */
function requireAsked({ asked, view }: Session, which: number | undefined): ApprovalView {
  const waiting = waitingOf(view);
  const found = which === undefined ? waiting[0] : asked[which - 1];
  if (found !== undefined) return found;
  throw new Failure(
    'E_APPROVAL_UNKNOWN',
    which === undefined ? 'Nothing waits for you.' : `There is no #${which}.`,
  );
}

async function lastDiff({ client, run, io }: Session, node: string): Promise<string> {
  const { turns } = requireAnswer(await client.listTurns({ run, node, limit: 100 }));
  const hash = turns.find(({ diff }) => diff?.artifact != null)?.diff?.artifact;
  if (hash == null) return 'It has changed nothing yet.\n';
  return screenValue(requireAnswer(await client.getArtifact({ run, hash })), io).text;
}
