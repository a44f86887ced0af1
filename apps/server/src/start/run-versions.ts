import { describeFileError, type Files, openFolder } from '@cuebook/files';
import { findSources, headVersion, type RunVersions, readRunNote, refuse } from '@cuebook/host';
import type { Store } from '@cuebook/journal';
import { ok } from '@cuebook/prompt';
import type { Versions } from '@cuebook/workspace';

/**
 * The folder that each run is worked on in. A run that began on this machine, or with the commit that its clone stands
 * at, is worked on in the project's own folder; any other in a folder with the commit that it began with. A run that
 * began outside a repository has no commit, and no folder but the project's own.
 */
export function runVersions({
  store,
  home,
  homeFolder,
  folder,
  machine,
  versions,
}: {
  readonly store: Pick<Store, 'read'>;
  /** CUEBOOK_HOME as all machines share it. */
  readonly home: Files;
  readonly homeFolder: string;
  readonly folder: string;
  readonly machine: () => Promise<string>;
  readonly versions: Pick<Versions, 'find'>;
}): RunVersions {
  return {
    machine,
    async find(run) {
      const { machine: began } = await readRunNote(home, run);
      if (began !== undefined && began === (await machine())) return ok(undefined);
      const { commit, within } = (await findSources(store, run)) ?? {};
      if (commit === undefined || commit === (await headVersion(folder))?.commit) return ok(undefined);
      const found = await versions.find({ commit, within });
      if (!found.ok) return refuse('unavailable', found.error.code, found.error.message);
      const withhold = { from: 'agent', home: homeFolder } as const;
      const files = await openFolder(found.value, { access: 'ro', withhold });
      if (!files.ok) return refuse('unavailable', files.error.code, describeFileError(files.error));
      return ok({ folder: found.value, files: files.value });
    },
  };
}
