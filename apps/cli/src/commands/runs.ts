import { type RunView, viewRuns } from '@cuebook/journal';
import { type Call, type Handler, isOn } from '../command.js';
import { usage } from '../failure.js';
import { printJson } from '../output/json.js';
import { withProgress } from '../output/progress.js';
import { count, styleFor } from '../output/style.js';
import { timeText } from '../record/event-text.js';
import { withJournal } from '../record/journal.js';
import { noRuns } from '../record/no-runs.js';

/** `cuebook runs [ACTION]`: the runs on record, and what can be done with them. */
export const run: Handler = async (call) => {
  const [action = 'list', ...args] = call.args;
  if (action === 'list') return list(call);
  const load = ACTIONS.get(action);
  if (load === undefined) {
    const { nearest } = await import('@cuebook/profile');
    const near = nearest(action, [...ACTIONS.keys()]);
    const hint =
      near === undefined ? `There are list, ${[...ACTIONS.keys()].join(', ')}` : `Did you mean ${near}?`;
    throw usage(`No action is called "${action}". ${hint}`);
  }
  return (await load()).run({ ...call, args });
};

const ACTIONS: ReadonlyMap<string, () => Promise<{ readonly run: Handler }>> = new Map([
  ['export', () => import('./runs/export.js')],
  ['import', () => import('./runs/import.js')],
  ['forget', () => import('./runs/forget.js')],
  ['prune', () => import('./runs/prune.js')],
  ['backup', () => import('./runs/backup.js')],
  ['restore', () => import('./runs/restore.js')],
  ['workspaces', () => import('./runs/workspaces.js')],
  ['apply', () => import('./runs/apply.js')],
  ['clean', () => import('./runs/clean.js')],
]);

async function list(call: Call): Promise<number> {
  const { flags, io } = call;
  return withJournal(flags, io, async (journal) => {
    const views = journal === undefined ? [] : await withProgress(io, 'Reading', viewRuns(journal.store));
    if (views.length === 0) return noRuns(call);
    const newestFirst = [...views].sort((a, b) => b.lastAt - a.lastAt);
    if (isOn(flags, 'json')) await printJson(io, { runs: newestFirst.map(toJson) });
    else for (const view of newestFirst) await io.out(line(view, call));
    return 0;
  });
}

const toJson = ({ seq, startedAt, lastAt, ...view }: RunView) => ({
  ...view,
  events: seq,
  startedAt: timeText(startedAt),
  lastAt: timeText(lastAt),
});

function line({ run: id, status, turns, openTurns, lastAt }: RunView, { io }: Call): string {
  const style = styleFor(io, 'out');
  const shown = status === 'open' ? style.yellow('open ') : style.dim('ended');
  const waiting = openTurns.length === 0 ? '' : `, ${openTurns.length} without an end`;
  return `${id}  ${shown}  ${count(turns, 'turn')}${waiting}  ${style.dim(`last event ${timeText(lastAt)}`)}\n`;
}
