import type { Files } from '@cuebook/files';
import { NOTES, removeRunNote, runOfNote } from '@cuebook/host';
import type { RunId, Store } from '@cuebook/journal';
import { childEnvironment } from '@cuebook/process';
import { createWorkspaces } from '@cuebook/workspace';

/** What runs have on the disk beside their logs: notes, and the folders of their nodes. */
export interface Leftovers {
  /** Whether work of the run is nowhere else, as far as anybody can say: then it must not be removed. */
  isHeld(run: RunId): Promise<boolean>;
  /**
   * Takes away what removed runs have left; answers the runs whose folders stay, because their work is nowhere else.
   * It may be killed and done again.
   */
  sweep(): Promise<readonly RunId[]>;
}

export interface LeftoversOptions {
  readonly store: Pick<Store, 'removedRuns'>;
  /** CUEBOOK_HOME, and the same as a path. */
  readonly home: Files;
  readonly homeFolder: string;
  /** The project's folder. Undefined: nobody knows it, so no work can be known to be in it. */
  readonly folder: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Opens nothing that is not there: a home without workspaces gets none. */
export function createLeftovers({ store, home, homeFolder, folder, env }: LeftoversOptions): Leftovers {
  const workspaces =
    folder === undefined
      ? undefined
      : createWorkspaces({
          ...{ project: folder, home: homeFolder, env: childEnvironment(env, []) },
          redact: (text) => text,
          keep: () => Promise.reject(new Error('Cleaning keeps no artifact.')),
        });
  const hasFolders = async (run: RunId): Promise<boolean> => {
    const listed = await home.list(`workspaces/${run}`);
    return listed.ok && listed.value.entries.length > 0;
  };

  return {
    async isHeld(run) {
      if (!(await hasFolders(run))) return false;
      const views = await workspaces?.views(run);
      return views?.ok !== true || views.value.some(({ unapplied }) => unapplied > 0);
    },
    async sweep() {
      const removed = new Set((await store.removedRuns()).map(({ run }) => run));
      const notes = await home.list(NOTES);
      for (const { name } of notes.ok ? notes.value.entries : []) {
        const run = runOfNote(name);
        if (run !== undefined && removed.has(run)) await removeRunNote(home, run);
      }
      const stay: RunId[] = [];
      for (const run of removed) {
        if (!(await hasFolders(run))) continue;
        const cleaned = await workspaces?.clean({ run });
        if (cleaned?.ok !== true || cleaned.value.kept.length > 0) stay.push(run);
      }
      return stay;
    },
  };
}
