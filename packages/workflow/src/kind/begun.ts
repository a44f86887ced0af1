import { guarded } from '@cuebook/guard';
import { type HostError, readSources, refuse } from '@cuebook/host';
import type { RunId, Store } from '@cuebook/journal';
import { ok, type Result } from '@cuebook/prompt';
import { type KeptPackage, keptOf } from '../package/kept-package.js';
import type { RunFacts } from '../run/machine/facts.js';

/** What a run was begun with. */
export interface BegunRun {
  readonly facts: RunFacts;
  /** The package as it was then; left out where nothing was kept. */
  readonly kept?: KeptPackage;
}

export async function readBegun(
  store: Pick<Store, 'read' | 'vault'>,
  run: RunId,
): Promise<Result<BegunRun, HostError>> {
  const [first] = await store.read(run, { limit: 1 });
  if (first?.type !== 'workflow.started')
    return refuse('notFound', 'E_RUN_UNKNOWN', 'The run is not one of a workflow.');
  const facts = first.data as unknown as RunFacts;
  const sources = guarded('workflow.sources', () => facts.sources);
  if (sources === undefined) return ok({ facts });
  const read = await readSources(store, run, sources);
  return read.ok ? ok({ facts, kept: keptOf(read.value) }) : read;
}
