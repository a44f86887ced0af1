import type { Files } from '@cuebook/files';
import type { FileChange, Host } from '@cuebook/host';
import type { PublicKeys, RunId, Store } from '@cuebook/journal';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { DetectedProvider, ProviderConfig } from '@cuebook/provider';
import type { RunReading, TeamHost } from '@cuebook/team';
import type { AskGit } from '@cuebook/workspace/history';
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
  /** What the project says of providers and prices. */
  readonly config: ProviderConfig;
  /** Asks git in the project's folder. */
  readonly git: AskGit;
  /** The keys that receipts may be signed with. */
  readonly publicKeys: PublicKeys;
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

/** A run of any kind, and how far its log goes. */
export async function requireAny(
  { runs, store }: Pick<TeamParts, 'runs' | 'store'>,
  run: string,
): Promise<Result<{ readonly seq: number }, HttpError>> {
  const head = (await runs.kindOf(run as RunId)) === undefined ? undefined : await store.head(run as RunId);
  return head === undefined ? fail(NO_RUN) : ok({ seq: head.seq });
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
