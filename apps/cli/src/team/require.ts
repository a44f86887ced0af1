import type { ApiAnswer, Client, RunView } from '@cuebook/api';
import { nearest } from '@cuebook/prompt';

import { hint } from '@cuebook/prompt/hint';
import { diagnosed, type ExitCode, Failure } from '../failure.js';
import { screenText } from '../output/style.js';
import { LAST } from '../record/run-name.js';

/** The value of an answer, or its error in the words and with the exit code of the command. */
export function requireAnswer<Value>(answer: ApiAnswer<Value>): Value {
  if (answer.ok) return answer.value;
  const { code, message, status, field, diagnostics } = answer.error;
  if (diagnostics?.some(({ severity }) => severity === 'error')) {
    throw diagnosed(diagnostics.map((each) => ({ ...each }) as never));
  }
  const where = field === undefined ? '' : ` (${field})`;
  throw new Failure(code, `${message}${where}`, { exit: exitOf(status) });
}

/** No answer is a missing environment, a wrong request a wrong call, a state that stands against it a no. */
const exitOf = (status: number): ExitCode =>
  status === 0 || status >= 500 ? 3 : status === 400 || status === 404 ? 2 : 1;

/** A team run that the caller named by its id, the beginning of it, or as the `last` one; without a name the newest. */
export async function requireTeamRun(client: Client, named: string | undefined): Promise<string> {
  const { runs } = requireAnswer(await client.listRuns({ limit: 200, kind: 'team' }));
  const ids = runs.map(({ run }) => run);
  const [newest] = ids;
  if (named === undefined || named === LAST) {
    if (newest === undefined) throw new Failure('E_RUN_UNKNOWN', `${NO_RUNS}${await otherWaits(client)}`);
    return newest;
  }
  if (ids.includes(named)) return named;
  const begin = ids.filter((id) => id.startsWith(named) || id.startsWith(`run_${named}`));
  if (begin.length === 1 && begin[0] !== undefined) return begin[0];
  if (begin.length > 1) {
    throw new Failure(
      'E_RUN_UNKNOWN',
      `${begin.length} runs begin with "${named}": ${begin.slice(0, 5).join(', ')}`,
    );
  }
  const near = nearest(named, ids);
  const advice = near === undefined ? `${hint`runs`} lists those on record.` : `Did you mean ${near}?`;
  const others = await otherWaits(client, named);
  throw new Failure(
    'E_RUN_UNKNOWN',
    `No team run is called "${named}". ${others === '' ? advice : others.trim()}`,
  );
}

/** What waits in runs of other kinds, with the command for it: somebody may mean that. */
async function otherWaits(client: Client, named = ''): Promise<string> {
  const { approvals } = requireAnswer(await client.listApprovals({}));
  const others = approvals.filter(
    ({ kind, run }) => kind !== 'team' && (run.startsWith(named) || run.startsWith(`run_${named}`)),
  );
  const [first] = others;
  if (first === undefined) return '';
  const more = others.length > 1 ? `, and ${hint`approvals`} lists the rest` : '';
  return ` A ${first.kind} waits for you: \`${screenText(first.command, true)}\` answers it${more}.`;
}

const NO_RUNS = `There is no team run here. Start one with ${hint`run team:FILE --goal TEXT`}.`;

/** The id of a node that the caller named by alias or id. */
export function requireNode(view: Pick<RunView, 'nodes'>, named: string): string {
  const name = named.toLowerCase();
  const found = view.nodes.find(({ id, alias }) => id === named || alias?.toLowerCase() === name);
  if (found !== undefined) return found.id;
  const names = view.nodes.map(({ alias, id }) => alias ?? id);
  const near = nearest(named, names);
  const advice = near === undefined ? `There are ${names.slice(0, 12).join(', ')}` : `Did you mean ${near}?`;
  throw new Failure('E_TEAM_NODE', `No node is called "${named}". ${advice}`);
}

/** The name of a node for people. */
export const nameOf = (view: Pick<RunView, 'nodes'>, id: string | null): string => {
  const node = view.nodes.find((each) => each.id === id);
  return node?.alias ?? node?.label ?? id ?? 'run';
};
