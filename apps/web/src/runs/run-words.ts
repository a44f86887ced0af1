import type { RunSummaryView } from '@cuebook/api';

/** What a run is about, in the words that its starter used. */
export const runTitle = ({ goal, target, run }: Pick<RunSummaryView, 'goal' | 'target' | 'run'>): string =>
  goal ?? target ?? run;

/** How a run stands, with a sign that is not a colour alone. */
export const STATUS_SIGNS: Readonly<Record<string, string>> = {
  new: '○',
  running: '●',
  paused: '❙❙',
  waiting: '◔',
  idle: '○',
  completed: '✓',
  done: '✓',
  failed: '✕',
  stopped: '■',
  blocked: '◔',
};
