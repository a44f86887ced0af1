import { randomBytes } from 'node:crypto';
import type { Files } from '@cuebook/files';
import type { RunId } from '@cuebook/journal';

/**
 * Where the workspaces of team runs are: they lie on the disk of one machine, so the machine that begins to work on a
 * run is the one that goes on with it.
 */
export interface RunMachines {
  /** The name of this machine among those of the project. */
  readonly own: Promise<string>;
  /** The machine that a run is at; undefined: none yet. */
  find(run: RunId): Promise<string | undefined>;
  /** Whether a run is at this machine, which it is from now on if it was at none. */
  take(run: RunId): Promise<boolean>;
}

/** `disk` is CUEBOOK_HOME of this machine, `shared` that of all. */
export function createRunMachines(disk: Files, shared: Files): RunMachines {
  const own = nameOf(disk);
  const find = async (run: RunId): Promise<string | undefined> => {
    const text = await shared.readText(fileOf(run), { limit: 100 });
    return text.ok ? text.value.trim() : undefined;
  };
  return {
    own,
    find,
    async take(run) {
      const name = await own;
      const at = await find(run);
      if (at !== undefined) return at === name;
      const taken = await shared.writeText(fileOf(run), name, { ifMatch: 'absent' });
      return taken.ok || (await find(run)) === name;
    },
  };
}

const fileOf = (run: RunId): string => `runs/${run}.machine`;

/** Made once for each CUEBOOK_HOME. */
async function nameOf(disk: Files): Promise<string> {
  const made = `m${randomBytes(8).toString('hex')}`;
  await disk.writeText(FILE, made, { mode: 0o600, ifMatch: 'absent' });
  const kept = await disk.readText(FILE, { limit: 100 });
  return kept.ok ? kept.value.trim() : made;
}

const FILE = 'machine.id';
