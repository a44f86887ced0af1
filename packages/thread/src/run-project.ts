import { type KeptProject, type LiveProject, openLiveProject } from '@cuebook/define';
import type { TextSource } from '@cuebook/files';
import { guarded } from '@cuebook/guard';
import {
  findSources,
  type HostError,
  type KeptSources,
  keepSources,
  type RunSources,
  readSources,
} from '@cuebook/host';
import type { RunId, Store } from '@cuebook/journal';
import { type JsonValue, ok, type Result } from '@cuebook/prompt';

/**
 * The definitions of a run: those of its beginning, or those that a person moved it to, whatever has become of the files;
 * before it begins, those of now, or as somebody has read them a moment ago.
 */
export async function openRunProject({
  run,
  store,
  project,
  folder,
  now,
}: {
  readonly run: RunId;
  readonly store: Pick<Store, 'read' | 'projection' | 'vault'>;
  readonly project: TextSource;
  /** The project's folder as a `file:` URL with a slash at its end. */
  readonly folder: string;
  readonly now?: KeptProject | undefined;
}): Promise<Result<RunProject, HostError>> {
  const sources = await guarded('thread.sources', () => findSources(store, run));
  if (sources === undefined) return ok({ live: await openLiveProject(project, { folder, kept: now }) });
  const read = await readSources(store, run, sources);
  if (!read.ok) return read;
  const { texts, imports, ...rest } = read.value.about as unknown as Named;
  const textOf = (path: string): string => read.value.files[path] ?? '';
  const kept: KeptProject = {
    ...rest,
    texts: texts.map((path) => [path, textOf(path)]),
    imports: imports.map(([path, isThere]) => [path, isThere ? textOf(path) : null]),
  };
  return ok({ live: await openLiveProject(project, { folder, kept }), entry: sources.entry });
}

/** The definitions of a run, and the entry of the vault that they are from; left out: it has not begun. */
export interface RunProject {
  readonly live: LiveProject;
  readonly entry?: string;
}

/** Keeps the definitions with a run that begins. A store that seals nothing keeps none. */
export async function keepProject(
  { store, run, folder }: Parameters<typeof keepSources>[0],
  live: Pick<LiveProject, 'kept'>,
): Promise<Result<{ readonly sources?: KeptSources }, HostError>> {
  if (store.vault === undefined) return ok({});
  const kept = await keepSources({ store, run, folder }, projectSources(live));
  return kept.ok ? ok({ sources: kept.value }) : kept;
}

/** The definitions of a project as every run keeps what it is told from. */
export function projectSources(live: Pick<LiveProject, 'kept'>): RunSources {
  const { texts, imports, ...rest } = live.kept();
  const about: Named = {
    ...rest,
    texts: texts.map(([path]) => path),
    imports: imports.map(([path, text]) => [path, text !== null]),
  };
  const there = imports.flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]));
  return { files: Object.fromEntries([...texts, ...there]), about: about as unknown as JsonValue };
}

/** A project whose texts are named by their paths. */
type Named = Omit<KeptProject, 'texts' | 'imports'> & {
  readonly texts: readonly string[];
  readonly imports: readonly (readonly [path: string, isThere: boolean])[];
};
