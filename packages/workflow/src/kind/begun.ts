import { guarded } from '@cuebook/guard';
import { findUpdate, type HostError, readSources, refuse } from '@cuebook/host';
import type { RunId, Store } from '@cuebook/journal';
import { ok, type Result } from '@cuebook/prompt';
import { type KeptPackage, keptOf } from '../package/kept-package.js';
import type { RunFacts, UpdatedFacts } from '../run/machine/facts.js';

/** What a run was begun with. */
export interface BegunRun {
  readonly facts: RunFacts;
  /** The package as it was then, or as a person moved the run to it; left out where nothing was kept. */
  readonly kept?: KeptPackage;
  /** The entry of the vault that it is from. */
  readonly entry?: string;
}

export async function readBegun(
  store: Pick<Store, 'read' | 'projection' | 'vault'>,
  run: RunId,
): Promise<Result<BegunRun, HostError>> {
  const [first] = await store.read(run, { limit: 1 });
  if (first?.type !== 'workflow.started')
    return refuse('notFound', 'E_RUN_UNKNOWN', 'The run is not one of a workflow.');
  const begun = first.data as unknown as RunFacts;
  const moved = await findUpdate(store, run);
  const facts = moved === undefined ? begun : { ...begun, ...(moved.own as unknown as UpdatedFacts) };
  const sources = guarded('workflow.sources', () => moved?.place ?? begun.sources);
  if (sources === undefined) return ok({ facts });
  const read = await readSources(store, run, sources);
  return read.ok ? ok({ facts, kept: keptOf(read.value), entry: sources.entry }) : read;
}
