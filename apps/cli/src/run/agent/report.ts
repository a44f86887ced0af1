import type { AgentData } from '@cuebook/define';
import type { RunReport } from '@cuebook/host';
import { commandLine } from '@cuebook/prompt/hint';
import type { Flags } from '../../command.js';
import { typed } from '../../hint/typed.js';
import type { Io } from '../../io.js';
import { screenText, styleFor } from '../../output/style.js';
import { runDocument } from '../document.js';
import { keptFlags } from '../kept-flags.js';

/** How a thread stands, for people and as JSON. */
export interface ThreadReport extends RunReport {
  /** The command that goes on, where a person is waited for. */
  readonly next?: string;
}

/** The report of a thread with the command that goes on. A thread that is left in the middle of a turn has stopped. */
export function reportOf(report: RunReport, flags: Flags = {}): ThreadReport {
  const go = `${commandLine`run ${report.target ?? ''}`}${keptFlags(flags)} --run ${report.run}`;
  switch (report.status) {
    case 'done':
    case 'stopped':
      return report;
    case 'failed':
    case 'waiting':
      return { ...report, ...(report.waits.length === 0 ? {} : { next: nextOf(report, go) }) };
    case 'running':
      return { ...report, status: 'stopped', reason: 'interrupted', text: LEFT, next: go };
    default:
      return { ...report, status: 'idle', next: `${go} --input TEXT` };
  }
}

const LEFT = 'It was left in the middle of a turn, and continues from there.';

/** The command that answers what waits first. */
function nextOf({ waits: [wait] }: RunReport, go: string): string {
  if (wait?.for === 'approval') return commandLine`approvals allow ${wait.id}`;
  if (wait?.for === 'outcome') return `${go} --settle not-done`;
  if (wait?.for !== 'budget') return `${go} --input TEXT`;
  const { unit, limit } = wait.evidence as { readonly unit: string; readonly limit: number };
  return `${go} --${unit} ${limit * 2}`;
}

/** What a definition says of an agent to people: its title, its description, its icon, and what its sides are called. */
export function aboutOf(data: AgentData | undefined): object {
  const { title, description, icon, sideA, sideB } = data ?? {};
  const labels = { a: sideA?.label, b: sideB?.label };
  const hasLabels = labels.a !== undefined || labels.b !== undefined;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(icon === undefined ? {} : { icon }),
    ...(hasLabels ? { labels } : {}),
  };
}

/** What `--json` answers. */
export function documentOf(report: ThreadReport, io: Pick<Io, 'typing'>, about: object = {}): object {
  const { run, next, detail } = report;
  return {
    ...runDocument(report, io, next),
    thread: run,
    agent: detail.agent,
    ...(Object.keys(about).length === 0 ? {} : { about }),
    messages: detail.messages,
    threads: detail.threads,
    diagnostics: detail.diagnostics,
  };
}

/** What people read at the end, beside the words that came as they were said. */
export function endText({ run, status, reason, text, error, next, detail }: ThreadReport, io: Io): string {
  const code = error?.code;
  const style = styleFor(io, 'err');
  const mark =
    status === 'done' ? style.green('✓') : status === 'waiting' ? style.yellow('…') : style.red('✗');
  const why =
    status === 'done'
      ? reason === 'answered'
        ? ''
        : ` (${reason})`
      : `: ${code === undefined ? '' : `${code} `}${screenText(text || (reason ?? ''), io.terminal.err)}`;
  const diagnostics = detail.diagnostics as readonly { readonly code: string; readonly message: string }[];
  const warnings = diagnostics.map(({ code: of, message }) => style.yellow(`  ${of} ${message}`));
  return [
    `\n${mark} ${run} ${status}${why}`,
    ...warnings,
    ...(next === undefined ? [] : [style.dim(`  go on: ${typed(io, next)}`)]),
    style.dim(`  ${typed(io, commandLine`log ${run}`)}   what happened, step by step`),
    '',
  ].join('\n');
}
