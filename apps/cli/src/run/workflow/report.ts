import type { Approval, RunState } from '@cuebook/engine';
import { type RunReport, readReport } from '@cuebook/host';
import type { RunId } from '@cuebook/journal';
import { commandLine } from '@cuebook/prompt/hint';
import {
  answerHint,
  runStatus,
  type Widget,
  type WorkflowRunState,
  type WorkflowStatus,
  workflowRecord,
} from '@cuebook/workflow';
import type { Call } from '../../command.js';
import { typed } from '../../hint/typed.js';
import { count, type Style, screenText } from '../../output/style.js';
import type { Journal } from '../../record/journal.js';
import { runDocument } from '../document.js';
import { keptFlags } from '../kept-flags.js';
import type { Voice } from '../voice.js';

/** How a run stands when the command ends. */
export interface WorkflowReport {
  readonly run: RunId;
  readonly status: WorkflowStatus;
  readonly state: WorkflowRunState;
  readonly voice: Pick<Voice, 'model'> & { readonly provider: Pick<Voice['provider'], 'name' | 'kind'> };
  /** The same in the one shape of all kinds. */
  readonly whole: RunReport;
}

export async function reportOf(
  run: RunId,
  { state, seq }: Pick<RunState<WorkflowRunState>, 'state' | 'seq'>,
  { voice, journal }: Pick<WorkflowReport, 'voice'> & { readonly journal: Journal },
): Promise<WorkflowReport> {
  const whole = await readReport(workflowRecord, journal, { run, state, seq });
  return { run, state, status: runStatus(state), voice, whole };
}

/** What `--json` answers. */
export function documentOf({ run, status, voice, whole }: WorkflowReport, call: Call): object {
  const { kind: _kind, ...about } = status;
  const isOpen = status.kind === 'waiting';
  // No host has the run: after a failure too, the same command goes on with it.
  const goesOn = isOpen || status.kind === 'failed';
  return {
    ...about,
    ...runDocument(whole, call.io, goesOn ? lineFor({ run, status }, call) : undefined),
    ...whole.detail,
    provider: voice.provider.name,
    ...(voice.model && { model: voice.model }),
    ...(isOpen ? { command: commandFor({ run, status }, call) } : {}),
  };
}

/** What stands on the screen at the end: how it stands, and the command that goes on. */
export function endText(report: WorkflowReport, call: Call, style: Style): string {
  const { run, status, state, voice } = report;
  const { composed, agent } = state;
  const isDone = status.kind === 'done';
  const isOpen = status.kind === 'waiting' || status.kind === 'working';
  const mark = isDone ? style.green('✓') : isOpen ? style.yellow('…') : style.red('✗');
  const { err } = call.io.terminal;
  const lines: string[] = [];
  const at = composed?.isComplete ? 'complete' : composed?.nodeId ? `at ${composed.nodeId}` : undefined;
  const facts = [
    voice.provider.name,
    ...(voice.model ? [voice.model] : []),
    ...(at ? [at] : []),
    count(agent.turns, 'turn'),
  ];
  if (status.kind === 'waiting' && status.for === 'question') {
    for (const { question } of status.questions) lines.push(...questionLines(question));
  }
  if (status.kind === 'waiting' && status.for === 'approval') {
    for (const approval of status.approvals) lines.push(...approvalLines(approval));
  }
  // Text is made harmless before it is coloured.
  const shown = [
    `${mark} ${screenText(`${run} ${status.kind}${whyText(status)}`, err)}`,
    style.dim(screenText(`  ${facts.join(' · ')}`, err)),
    ...lines.map((line) => screenText(line, err)),
  ];
  if (!isDone && status.kind !== 'working')
    shown.push('To go on:', `  ${typed(call.io, screenText(lineFor(report, call), err))}`);
  else shown.push(style.dim(`  ${typed(call.io, commandLine`log ${run}`)}   everything that happened`));
  return `\n${shown.join('\n')}\n`;
}

function whyText(status: WorkflowStatus): string {
  if (status.kind === 'failed') return `: ${status.code} ${status.message}`;
  if (status.kind === 'stopped') return `: ${status.code} The run was stopped.`;
  if (status.kind === 'working') return ': another process works on it, and goes on';
  if (status.kind !== 'waiting') return '';
  switch (status.for) {
    case 'loop':
      return `: ${status.code} ${status.message}`;
    case 'budget':
      return `: ${status.message}`;
    case 'outcome':
      return ': a call was cut off, and nobody knows whether it was done';
    case 'question':
      return ': the agent asks';
    case 'approval':
      return ': something wants your permission';
    case 'input':
      return ': the agent waits for a word';
  }
}

/** A question in its own words, whole. */
export function questionLines({ message, options, fields, plan }: Widget): readonly string[] {
  return [
    `  ${message}`,
    ...(plan === undefined ? [] : plan.split('\n').map((line) => `    ${line}`)),
    ...(options ?? []).map(
      ({ value, label, description }) =>
        `  - ${value}${label === undefined || label === value ? '' : ` (${label})`}${description === undefined ? '' : `: ${description}`}`,
    ),
    ...(fields ?? []).map(({ name, label, kind }) => `  - ${name} (${label ?? kind})`),
  ];
}

const approvalLines = ({ tool, input, reason }: Approval): readonly string[] => [
  `  ${tool} ${JSON.stringify(input)}`,
  ...(reason === undefined ? [] : [`  ${reason}`]),
];

/** The command line that goes on from here: the call's own flags, and what is wanted. */
export const commandFor = (report: Pick<WorkflowReport, 'run' | 'status'>, call: Call): string =>
  typed(call.io, lineFor(report, call));

function lineFor({ run, status }: Pick<WorkflowReport, 'run' | 'status'>, { args, flags }: Call): string {
  return [commandLine`run ${args[0] ?? ''}`, keptFlags(flags), ` --run ${run}`, ...wanted(status)].join('');
}

function wanted(status: WorkflowStatus): readonly string[] {
  if (status.kind !== 'waiting') return [];
  switch (status.for) {
    case 'question':
      return status.questions.slice(0, 1).map(({ question }) => ` ${answerHint(question)}`);
    case 'approval':
      return [' --answer yes'];
    case 'outcome':
      return [' --settle unknown'];
    case 'budget':
      return [' --turns NUMBER'];
    default:
      return [' --input TEXT'];
  }
}
