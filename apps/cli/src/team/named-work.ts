import type { Client, RunView } from '@cuebook/api';
import { nameOf, requireAnswer, requireNode, requireTeamRun } from './require.js';

export interface NamedWork {
  readonly run: string;
  /** The node that has the folder. */
  readonly node: string | undefined;
  readonly view: RunView;
  /** Where the work is, for a person who named a node that works in the folder of another one; else empty. */
  readonly place: string;
}

/** What `RUN` or `RUN/NODE` names: a run by its id or the beginning of it, a node by its alias or id. */
export async function namedWork(client: Client, named: string | undefined): Promise<NamedWork> {
  const [name = '', ...rest] = (named ?? '').split('/');
  const run = await requireTeamRun(client, name);
  const view = requireAnswer(await client.getRun({ run }));
  if (rest.length === 0) return { run, view, node: undefined, place: '' };
  const id = requireNode(view, rest.join('/'));
  const workspace = view.nodes.find((node) => node.id === id)?.workspace;
  if (typeof workspace !== 'object') return { run, view, node: id, place: '' };
  const place = `${nameOf(view, id)} works in the folder of ${nameOf(view, workspace.with)}`;
  return { run, view, node: workspace.with, place };
}
