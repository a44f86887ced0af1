import type { Files } from '@cuebook/files';
import type { FileChange, Host } from '@cuebook/host';
import type { RunId, Store } from '@cuebook/journal';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { DetectedProvider } from '@cuebook/provider';
import type { RunReading, TeamHost } from '@cuebook/team';
import { fromHost, type HttpError, notFound } from '../http/error.js';

/** What the routes of teams work on. */
export interface TeamParts {
  readonly host: TeamHost;
  /** Runs of every kind, teams among them. */
  readonly runs: Host;
  readonly store: Store;
  /** The project's files: nothing outside them is ever read or listed. */
  readonly files: Files;
  /** Looks for providers when somebody asks. */
  readonly detect: () => Promise<{
    readonly default: string;
    readonly providers: readonly DetectedProvider[];
    readonly models: readonly string[];
  }>;
  /** Whether a provider is a script. */
  readonly isRehearsal: (provider: string) => boolean;
}

/** A run of a team, or that there is none. Runs of other kinds are not ours to read. */
export async function readRun(
  { host }: Pick<TeamParts, 'host'>,
  run: string,
): Promise<Result<RunReading, HttpError>> {
  const read = await host.read(run as RunId);
  if (!read.ok) return fail(fromHost(read.error));
  return read.value.state.status === 'new' ? fail(NO_RUN) : ok(read.value);
}

/** What the edits that wait in a run would change; nothing where it cannot be told. */
export async function readChanges(
  { host }: Pick<TeamParts, 'host'>,
  run: string,
): Promise<ReadonlyMap<string, readonly FileChange[]>> {
  const read = await host.changes(run as RunId);
  return read.ok ? read.value : new Map();
}

/** No team run of that id. */
export const NO_RUN: HttpError = notFound('E_RUN_UNKNOWN', 'There is no team run of that id.');
