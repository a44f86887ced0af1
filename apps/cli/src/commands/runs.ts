import { type RetainedRun, viewRuns } from '@cuebook/journal';
import { type Call, type CommandHandler, isOn } from '../command.js';
import { printJson } from '../output/json.js';
import { withProgress } from '../output/progress.js';
import { count, screenText, styleFor } from '../output/style.js';
import { timeText } from '../record/event-text.js';
import { withJournal } from '../record/journal.js';
import { noRuns } from '../record/no-runs.js';
import { type RunStanding, runStandings } from '../record/run-standings.js';
import { type TeamStanding, teamStanding } from '../team/standing.js';

/** `cuebook runs [ACTION]`: the runs on record, and what can be done with them. */
export const run: CommandHandler = async (call) => {
  const [action = 'list', ...args] = call.args;
  if (action === 'list') return list(call);
  const load = ACTIONS.get(action);
  if (load === undefined) {
    const { unknownAction } = await import('../input/one-of.js');
    throw unknownAction(action, ['list', ...ACTIONS.keys()]);
  }
  return (await load()).run({ ...call, args });
};

const ACTIONS: ReadonlyMap<string, () => Promise<{ readonly run: CommandHandler }>> = new Map([
  ['export', () => import('./runs/export.js')],
  ['import', () => import('./runs/import.js')],
  ['forget', () => import('./runs/forget.js')],
  ['prune', () => import('./runs/prune.js')],
  ['backup', () => import('./runs/backup.js')],
  ['restore', () => import('./runs/restore.js')],
  ['workspaces', () => import('./runs/workspaces.js')],
  ['apply', () => import('./runs/apply.js')],
  ['clean', () => import('./runs/clean.js')],
  ['update', () => import('./runs/update.js')],
  ['stop', () => import('./runs/stop.js')],
]);

async function list(call: Call): Promise<number> {
  const { flags, io } = call;
  return withJournal(flags, io, async (journal) => {
    const views = journal === undefined ? [] : await withProgress(io, 'Reading', viewRuns(journal.store));
    if (views.length === 0) return noRuns(call);
    const newestFirst = [...views].sort((a, b) => b.lastAt - a.lastAt);
    const standings = await runStandings(journal?.store);
    const rows: Row[] = [];
    for (const view of newestFirst) {
      const stands = standings.get(view.run);
      const isTeam = journal !== undefined && stands === undefined;
      const team = isTeam ? await teamStanding(journal.store, view.run) : undefined;
      rows.push({ view, team, stands });
    }
    if (isOn(flags, 'json')) await printJson(io, { runs: rows.map(toJson) });
    else for (const row of rows) await io.out(line(row, call));
    return 0;
  });
}

interface Row {
  readonly view: RetainedRun;
  /** How it stands, when it is the run of a team. */
  readonly team: TeamStanding | undefined;
  /** How it stands, when it is the run of a workflow or a thread. */
  readonly stands: RunStanding | undefined;
}

const toJson = ({ view: { seq, startedAt, lastAt, ...view }, team, stands }: Row) => ({
  ...view,
  ...(team && { kind: 'team', status: team.status, waiting: team.waiting, goal: team.goal }),
  ...(team?.worker === undefined ? {} : { worker: team.worker }),
  ...stands,
  events: seq,
  startedAt: timeText(startedAt),
  lastAt: timeText(lastAt),
});

/** Where something is left to do. */
const OPEN: ReadonlySet<string> = new Set(['waiting', 'running', 'interrupted']);

/** The kind and what is run, the kind once. */
const targetText = ({ kind, target }: RunStanding): string =>
  target.startsWith(`${kind}:`) ? target : `${kind} ${target}`;

function line({ view, team, stands }: Row, { io }: Call): string {
  const { run: id, status, turns, openTurns, lastAt } = view;
  const style = styleFor(io, 'out');
  const isOpen = status === 'open' || OPEN.has(stands?.status ?? '');
  const word = team?.status ?? stands?.status ?? (isOpen ? 'open ' : 'ended');
  const shown = isOpen ? style.yellow(word) : style.dim(word);
  const asked = team?.waiting ?? stands?.waiting ?? 0;
  const asks = asked > 0 ? `, ${asked} waiting for you` : '';
  const waiting = openTurns.length === 0 ? '' : `, ${openTurns.length} without an end`;
  const worker = team?.worker ?? stands?.worker;
  const by = worker === undefined ? '' : `, worked on by ${worker}`;
  const what = team?.goal ?? (stands && targetText(stands));
  const goal = what ? `  ${screenText(what, io.terminal.out)}` : '';
  return `${id}  ${shown}  ${count(turns, 'turn')}${waiting}${asks}${by}${goal}  ${style.dim(`last event ${timeText(lastAt)}`)}\n`;
}
