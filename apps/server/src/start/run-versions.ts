import { describeFileError, type Files, openFolder } from '@cuebook/files';
import {
  findSources,
  findUpdate,
  type HostError,
  headVersion,
  type RunVersions,
  readRunNote,
  refuse,
} from '@cuebook/host';
import type { RunId, Store } from '@cuebook/journal';
import { ok, type Result } from '@cuebook/prompt';
import { createVersions, type VersionArchive, type Versions } from '@cuebook/workspace';

/**
 * The folder that each run is worked on in. A run that began on this machine, or with the commit that its clone stands
 * at, is worked on in the project's own folder; any other in a folder with the commit that it began with. A run that
 * began outside a repository has no commit, and no folder but the project's own. Where a person moved the run to other
 * sources, those count. A machine that works alone has every run that nobody moved in the project's own folder.
 */
export function runVersions({
  store,
  home,
  homeFolder,
  folder,
  machine,
  versions,
  publish,
  isAlone = false,
}: {
  readonly store: Pick<Store, 'read' | 'projection'>;
  /** CUEBOOK_HOME as all machines share it. */
  readonly home: Files;
  readonly homeFolder: string;
  readonly folder: string;
  readonly machine: () => Promise<string>;
  readonly versions: Pick<Versions, 'find'>;
  readonly publish?: NonNullable<RunVersions['publish']>;
  readonly isAlone?: boolean;
}): RunVersions {
  type Place = { readonly folder: string; readonly files: Files };
  async function open(commit: string, within: string | undefined): Promise<Result<Place, HostError>> {
    const found = await versions.find({ commit, within });
    if (!found.ok) return refuse('unavailable', found.error.code, found.error.message);
    const withhold = { from: 'agent', home: homeFolder } as const;
    const files = await openFolder(found.value, { access: 'ro', withhold });
    if (!files.ok) return refuse('unavailable', files.error.code, describeFileError(files.error));
    return ok({ folder: found.value, files: files.value });
  }
  /** The machine whose own folder a run uses; undefined: nobody's, or nobody knows. */
  async function machineOf(run: RunId): Promise<string | undefined> {
    const moved = await findUpdate(store, run);
    if (moved !== undefined) return moved.place.machine ?? undefined;
    return isAlone ? machine() : (await readRunNote(home, run)).machine;
  }
  return {
    machine,
    ...(publish && { publish }),
    async find(run) {
      const at = await machineOf(run);
      if (at !== undefined && at === (await machine())) return ok(undefined);
      const { commit, within, machine: moved } = (await findSources(store, run)) ?? {};
      if (commit === undefined) return ok(undefined);
      // A clone that stands at the commit may have edits: who is moved to a commit gets what the commit has.
      if (moved !== null && commit === (await headVersion(folder))?.commit) return ok(undefined);
      return open(commit, within);
    },
    at: async (commit) => open(commit, (await headVersion(folder))?.within),
  };
}

/** Where one machine works alone: the folders of runs that were moved to a commit. */
export function aloneVersions(
  { id, source, archive, machines, store, home, homeFolder, folder }: AloneParts,
  env: Readonly<Record<string, string>>,
): RunVersions {
  const versions = createVersions({ folder, home: homeFolder, env, project: id, source, archive });
  const machine = (): Promise<string> => machines.own;
  return runVersions({ store, home, homeFolder, folder, machine, versions, isAlone: true });
}

interface AloneParts
  extends Pick<Parameters<typeof runVersions>[0], 'store' | 'home' | 'homeFolder' | 'folder'> {
  /** The id of the project. */
  readonly id: string;
  readonly source: string | undefined;
  readonly archive: VersionArchive | undefined;
  readonly machines: { readonly own: Promise<string> };
}
