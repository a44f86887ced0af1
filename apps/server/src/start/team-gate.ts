import type { Files } from '@cuebook/files';
import { type Ground, newerLayout, newerRun } from '@cuebook/host';
import type { RunId, Store } from '@cuebook/journal';
import type { TeamHost } from '@cuebook/team';
import { hasKeptWork } from '@cuebook/workspace';
import type { RunMachines } from './machine.js';

export interface TeamGateParts {
  readonly store: Pick<Store, 'layout' | 'schemaVersion'>;
  readonly home: Files;
  readonly machines: Pick<RunMachines, 'take'>;
  /** This process was told of the repository of workspaces. */
  readonly hasRemote: boolean;
  /** Whether the files of a team lie on one machine only, and the run with them. */
  readonly stays: (run: RunId) => Promise<boolean>;
  /** The run as this version reads it. */
  readonly read: TeamHost['read'];
  readonly onProblem: Ground['onProblem'] | undefined;
}

/** Whether this process may work on the run of a team; where it may not for good, it says why. */
export const teamGate =
  ({ store, home, machines, hasRemote, stays, read, onProblem }: TeamGateParts) =>
  async (run: RunId): Promise<boolean> => {
    const found = await read(run);
    const newer = (await newerLayout(store)) ?? (found.ok ? newerRun(found.value) : undefined);
    const isLacking = newer === undefined && !hasRemote && (await hasKeptWork(home, run));
    if (newer?.ok === false) onProblem?.(`${newer.error.code} ${newer.error.message}`, { run });
    if (isLacking) onProblem?.(NO_REMOTE, { run });
    if (newer !== undefined || isLacking) return false;
    return (await stays(run)) ? machines.take(run) : true;
  };

const NO_REMOTE =
  'Its workspaces are kept in a git repository that this process was not told: name it in CUEBOOK_WORKSPACES.';
