import { join, resolve } from 'node:path';
import { anchorFileOf, type RunId, type Store } from '@cuebook/journal';
import type { RunFacts } from '@cuebook/workflow';
import type { Call } from '../../command.js';
import { usage } from '../../failure.js';
import type { JournalPlace } from '../../record/journal.js';
import type { RunTarget } from './target.js';

/** Where the records of a folder are, whether it is a project or not. */
export function placeOf(folder: string, { env, cwd }: Call['io']): JournalPlace {
  const { CUEBOOK_HOME: named, CUEBOOK_DATABASE_URL: databaseUrl } = env;
  const home = named ? resolve(cwd, named) : join(folder, '.cuebook');
  const place = databaseUrl ? { databaseUrl } : { file: join(home, 'journal.db') };
  return { home, place, folder, anchorFile: anchorFileOf(home, env), env };
}

/** What a run was begun with. */
export async function factsOf(
  store: Store,
  id: RunId,
  { package: loaded, workflow }: RunTarget,
): Promise<RunFacts> {
  const [first] = await store.read(id, { limit: 1 });
  if (first?.type !== 'workflow.started') throw usage(`${id} is not a run of a workflow`);
  const facts = first.data as unknown as RunFacts;
  if (facts.package === loaded.name && facts.workflow === workflow.id) return facts;
  throw usage(`${id} is a run of ${facts.package}#${facts.workflow}, not of ${loaded.name}#${workflow.id}`);
}
