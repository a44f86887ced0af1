import type { Client, RunView } from '@cuebook/api';
import { requireAnswer, requireNode, requireTeamRun } from './require.js';

/** What `RUN` or `RUN/NODE` names: a run by its id or the beginning of it, a node by its alias or id. */
export async function namedWork(
  client: Client,
  named: string | undefined,
): Promise<{ readonly run: string; readonly node: string | undefined; readonly view: RunView }> {
  const [name = '', ...rest] = (named ?? '').split('/');
  const run = await requireTeamRun(client, name);
  const view = requireAnswer(await client.getRun({ run }));
  return { run, view, node: rest.length === 0 ? undefined : requireNode(view, rest.join('/')) };
}
