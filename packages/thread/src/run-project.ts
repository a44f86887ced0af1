import { type KeptProject, type LiveProject, openLiveProject } from '@cuebook/define';
import type { TextSource } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { type HostError, keepSources, readSources } from '@cuebook/host';
import type { RunId, Store } from '@cuebook/journal';
import { type JsonValue, ok, type Result } from '@cuebook/prompt';

/** The definitions of a run: those of its beginning, whatever has become of the files; before it begins, those of now. */
export async function openRunProject({
  run,
  store,
  project,
  folder,
}: {
  readonly run: RunId;
  readonly store: Pick<Store, 'read' | 'vault'>;
  readonly project: TextSource;
  /** The project's folder as a `file:` URL with a slash at its end. */
  readonly folder: string;
}): Promise<Result<LiveProject, HostError>> {
  const [first] = await store.read(run, { limit: 1 });
  const { sources } = Object(first?.data) as { readonly sources?: string };
  if (sources === undefined || !guard('thread.sources', true))
    return ok(await openLiveProject(project, { folder }));
  const kept = await readSources(store, run, sources);
  if (!kept.ok) return kept;
  return ok(await openLiveProject(project, { folder, kept: kept.value as unknown as KeptProject }));
}

/** Keeps the definitions with a run that begins. A store that seals nothing keeps none. */
export async function keepProject(
  store: Pick<Store, 'vault' | 'putBlob'>,
  run: RunId,
  live: Pick<LiveProject, 'kept'>,
): Promise<Result<{ readonly sources?: string }, HostError>> {
  if (store.vault === undefined) return ok({});
  const kept = await keepSources(store, run, live.kept() as unknown as JsonValue);
  return kept.ok ? ok({ sources: kept.value }) : kept;
}
