import type { ApprovalView } from '@cuebook/api';
import { commandLine } from '@cuebook/prompt/hint';
import { answerAdvice, questionOf } from '@cuebook/workflow';
import { typed } from '../hint/typed.js';
import type { Io } from '../io.js';
import { styleFor } from '../output/style.js';
import { questionLines } from '../run/workflow/report.js';
import { approvalLine, approvalText } from '../team/text/approval-text.js';
import { screenValue } from '../team/text/screen-value.js';

/** What waits, in one line of a list: who asks, and for what, in its own words. */
export function waitingLine(row: ApprovalView): string {
  if (row.kind === 'team' && row.for === 'approval') return `team  ${approvalLine(row)}`;
  const who = `${row.kind}  ${whoOf(row)}`;
  const question = questionOf(row);
  const what =
    question !== undefined
      ? `asks: ${question.message}`
      : row.for === 'approval'
        ? `wants to: ${row.tool} ${JSON.stringify(row.input)}`
        : `${WAITS[row.for]}${row.tool === '' ? '' : `: ${row.tool} ${JSON.stringify(row.input)}`}${row.reason && row.tool === '' ? `: ${row.reason}` : ''}`;
  return `${who}  ${oneLine(what)}`;
}

const WAITS = {
  question: 'asks',
  approval: 'wants to',
  outcome: 'was cut off',
  input: 'waits for a word',
  loop: 'repeats itself',
  budget: 'has spent its budget',
  failed: 'has failed',
  left: 'is left',
  folder: 'waits for its folder',
} as const satisfies Record<ApprovalView['for'], string>;

/** All of it, and the commands that answer it. */
export function waitingText(asked: ApprovalView, io: Io): string {
  const row = screenValue(asked, io);
  const style = styleFor(io, 'out');
  const { kind, run, reason } = row;
  if (kind === 'team' && row.for === 'approval') return approvalText(row, style, Number.POSITIVE_INFINITY);
  const question = questionOf(row);
  const lines = [
    `${style.yellow('?')} ${style.bold(`${kind} ${whoOf(row)}`)} ${question === undefined ? WAITS[row.for] : 'asks'}  ${style.dim(run)}`,
    ...(question === undefined
      ? [
          ...(row.tool === '' ? [] : `${row.tool} ${JSON.stringify(row.input, null, 2)}`.split('\n')),
          ...(reason === null ? [] : reason.split('\n')),
        ].map((line) => `  ${line}`)
      : questionLines(question)),
    ...(question === undefined ? [] : [style.dim(`  Answer with ${oneLine(answerAdvice(question))}`)]),
    ...(row.for === 'outcome' ? [style.dim('  Answer with not-done, which does it again, or unknown')] : []),
    ...(question === undefined && row.for !== 'outcome' && (row.answers ?? []).length > 0
      ? [style.dim(`  Answer with ${(row.answers ?? []).join(' or ')}`)]
      : []),
    ...(question === undefined && row.for === 'approval'
      ? [row.command, commandLine`approvals deny ${row.id}`]
      : [row.command]
    ).map((line) => `  ${typed(io, line)}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The node of a team that waits, or what is run. */
const whoOf = (row: ApprovalView): string =>
  row.kind === 'team' ? (row.alias ?? row.node ?? row.run) : bareTarget(row);

/** `workflows/request` of a workflow: its prefix is the kind. */
const bareTarget = ({ kind, target, run }: ApprovalView): string =>
  target === null ? run : target.startsWith(`${kind}:`) ? target.slice(kind.length + 1) : target;

const MAX_LINE = 160;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE).toWellFormed()}…` : line;
}
