import type { RunSummaryView } from '@cuebook/api';
import { counted } from '../ui/numbers.js';

/** What a run is about, in the words that its starter used. */
export const runTitle = ({ goal, target, run }: Pick<RunSummaryView, 'goal' | 'target' | 'run'>): string =>
  goal ?? target ?? run;

/** Which kind of run it is, and how many turns it took: a prompt that is told once is one of one turn. */
export const kindWords = (kind: string, turns: number, agents = 1): string =>
  kind === 'turn' && turns <= 1
    ? 'one turn'
    : [kind, ...(agents > 1 ? [counted(agents, 'agent')] : []), counted(turns, 'turn')].join(' · ');

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

/** The word for it: a run that is over and well is done, whichever list names it. */
export const statusWord = (status: string): string => (status === 'completed' ? 'done' : status);
