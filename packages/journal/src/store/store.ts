import { guard } from '@cuebook/guard';
import { fail } from '@cuebook/prompt';
import type { AnchorKeeper } from '../anchor/keep.js';
import { findRemoval, hasHead } from '../anchor/proof.js';
import type { RunTombstone, Store, StoreFault } from '../contract.js';
import { type JournalError, JournalFailure } from '../error.js';
import { readKeyRows } from '../owner/key-rows.js';
import { readMembers } from '../owner/members.js';
import type { ProjectKey } from '../owner/project-key.js';
import type { FindProof } from '../register/key-proof.js';
import { registerProof } from '../register/key-proof.js';
import { isRegister } from '../register/register-run.js';
import { isFollowed } from '../register/volume.js';
import { readVersion } from '../schema/migrate.js';
import { mirrorFolder } from '../shared/mirror.js';
import { removeSharedFiles, sharedHome } from '../shared/shared-home.js';
import type { PublicKeys, Signer } from '../turn/key/key.js';
import { createVault, type VaultParts } from '../vault/vault.js';
import { append } from './append.js';
import { audit } from './audit/audit.js';
import { readRunNames } from './audit/run-names.js';
import { readRunRow } from './commit.js';
import { findCommandRow, toAppended } from './find-command.js';
import { adopt } from './keep/adopt.js';
import { getBlob, putBlob } from './keep/blob.js';
import { deleteBlob } from './keep/delete-blob.js';
import { removeRun } from './keep/remove-run.js';
import { createLeases } from './lease.js';
import { createOwnAppends } from './own-appends.js';
import type { SqlDriver } from './port/driver.js';
import { findProjection, projectionValue, readProjections } from './projection.js';
import { readAll, readCommits, readRun } from './read.js';
import { shownHash } from './row/chain.js';
import { RUN_COLUMNS, type RunRow, requireWhole, toRunRow } from './row/rows.js';
import { readNewest, readRecentRuns, toSummary } from './run-pages.js';
import type { SharedClock } from './shared-clock.js';
import { type ReadPage, subscribe } from './subscribe.js';
import { createWitness } from './witness.js';

export interface StoreParts {
  readonly driver: SqlDriver;
  readonly schemaVersion: number;
  readonly now: () => number;
  /** Milliseconds on a clock that only goes forward. */
  readonly ticks: () => number;
  readonly clock?: SharedClock | undefined;
  readonly fault?: StoreFault | undefined;
  readonly home?: VaultParts['home'] | undefined;
  /** Notes outside the database where runs stand, and signs for what is removed. */
  readonly anchor?: AnchorKeeper | undefined;
  readonly signer?: Signer | undefined;
  /** The project that machines share, and the public keys of those that had joined when it was opened. */
  readonly project?:
    | { readonly key: ProjectKey; readonly keys: PublicKeys; readonly proofs?: FindProof }
    | undefined;
  readonly queueSchema?: string | undefined;
}

/** The store on a driver. */
export function createStore(parts: StoreParts): Store {
  const { driver, schemaVersion, now, ticks, fault, home, anchor, signer, project } = parts;
  const closing = new AbortController();
  const closed: JournalError = { code: 'E_JOURNAL_CLOSED' };
  const isClosed = (): boolean => guard('store.closed', closing.signal.aborted);
  const leases = createLeases(driver, ticks);
  const witness = createWitness(anchor);
  const own = createOwnAppends(driver.others);

  /** What a call throws is told in the journal's words. */
  const reading = async <Value>(use: () => Promise<Value>): Promise<Value> => {
    if (isClosed()) throw new JournalFailure(closed);
    try {
      return await use();
    } catch (thrown) {
      throw thrown instanceof JournalFailure ? thrown : new JournalFailure(driver.explain(thrown));
    }
  };
  const findRun = (name: string) => readRunRow(driver, name);
  const listRuns = async (): Promise<readonly RunRow[]> => {
    const rows = await driver.rows(`SELECT ${RUN_COLUMNS} FROM cuebook_runs ORDER BY id`);
    return rows.map((row) => toRunRow(requireWhole('runs', row, 'the row of a run')));
  };

  const readPage: ReadPage = async (run, options) => {
    const rest = own.restOf(run, options.after ?? 0);
    return rest?.slice(0, options.limit) ?? readRun(driver, run, options);
  };
  const read: Store['read'] = (run, options = {}) => reading(() => readPage(run, options));
  const standing: Store['standing'] = (run) =>
    reading(async () => {
      const row = await findRun(run);
      const removed = row === undefined || row.removedAt === null ? {} : { removedAt: row.removedAt };
      return row && { seq: row.seq, position: row.position, hash: shownHash(row.hash), ...removed };
    });
  const readBlob = (hash: string) => reading(() => getBlob(driver, hash));
  const vault = home && createVault({ home, getBlob: readBlob });

  return {
    kind: driver.kind,
    schemaVersion,
    ...(parts.clock && { clock: parts.clock }),
    layout: () => reading(() => readVersion(driver)),
    ...(vault && { vault }),
    share: (disk) => (project === undefined ? disk : sharedHome(disk, driver, project.key, now)),
    mirror: async (folder, at) =>
      project === undefined
        ? { ok: true, value: folder }
        : mirrorFolder(folder, sharedHome(folder, driver, project.key, now), at),
    ...(project && { project: project.key.project }),
    ...(project && parts.queueSchema && { queueSchema: parts.queueSchema }),
    ...(project && driver.broadcast && { broadcast: driver.broadcast }),
    ...(project && { registerProof: registerProof(project.key, project.proofs) }),
    members: () => reading(async () => (project === undefined ? [] : readMembers(driver, project.key))),
    append: async (batch) =>
      isClosed() ? fail(closed) : append(driver, batch, { now, fault, witness, own }),
    ownAfter: own.after,
    adopt: async (adoption) => (isClosed() ? fail(closed) : adopt(driver, adoption, witness)),
    read,
    readAll: (options) => reading(() => readAll(driver, options)),
    commits: (run, options) => reading(() => readCommits(driver, run, options)),
    async *subscribe(options) {
      if (isClosed()) throw new JournalFailure(closed);
      const signal = options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal;
      yield* subscribe(driver, { ...options, signal }, readPage);
    },
    head: (run) =>
      reading(async () => {
        const row = await findRun(run);
        return row && row.removedAt === null ? { seq: row.seq, hash: shownHash(row.hash) } : undefined;
      }),
    runs: () =>
      reading(async () =>
        (await listRuns())
          .filter(({ name, removedAt }) => removedAt === null && !isRegister(name))
          .map(toSummary),
      ),
    recentRuns: (page) => reading(() => readRecentRuns(driver, page)),
    newest: () => reading(() => readNewest(driver)),
    runNames: (tell = () => undefined) => reading(() => readRunNames(driver, tell)),
    standing,
    hasHead: (head, after) => reading(() => hasHead(driver, head, after)),
    findRemoval: (run, keys) => reading(() => findRemoval(driver, run, keys)),
    keys: () => reading(() => readKeyRows(driver)),
    removedRuns: () =>
      reading(async () =>
        (await listRuns()).flatMap((row) => (row.removedAt === null ? [] : [toTombstone(row)])),
      ),
    findCommand: (run, command) =>
      reading(async () => {
        const found = await findCommandRow(driver, run, command);
        return found && toAppended(found);
      }),
    putBlob: (bytes) => reading(() => putBlob(driver, bytes)),
    getBlob: readBlob,
    deleteBlob: (hash) => reading(() => deleteBlob(driver, hash, { now, witness })),
    removeRun: async (run) => {
      const stays = isRegister(run) && !(await isFollowed({ read, standing }, run));
      if (guard('register.stays', stays)) return false;
      const erased = await vault?.eraseRun(run);
      if (erased && !erased.ok) throw new JournalFailure(erased.error);
      return reading(async () => {
        if (project !== undefined) await removeSharedFiles(driver, run);
        return removeRun(driver, run, { now, leases, witness, signer });
      });
    },
    projection: (name, key) =>
      reading(async () => {
        const row = await findProjection(driver, name, key);
        return row && projectionValue(row);
      }),
    projections: (name, query) => reading(() => readProjections(driver, name, query)),
    acquireLease: (scope, owner, ttlMs) => reading(() => leases.acquire(scope, owner, ttlMs)),
    renewLease: (lease, ttlMs) => reading(() => leases.renew(lease, ttlMs)),
    releaseLease: (lease) => reading(() => leases.release(lease)),
    findLease: (scope) => reading(() => leases.find(scope)),
    async *audit(run) {
      if (isClosed()) throw new JournalFailure(closed);
      yield* audit(driver, run);
    },
    size: () => reading(() => driver.size()),
    backup: (file) =>
      reading(async () => {
        const { backup } = await import('./keep/backup.js');
        return backup(driver, file);
      }),
    async close() {
      if (closing.signal.aborted) return;
      closing.abort();
      await anchor?.close();
      await driver.close();
    },
  };
}

const toTombstone = (row: RunRow): RunTombstone => ({
  ...toSummary(row),
  hash: shownHash(row.hash),
  removedAt: row.removedAt ?? 0,
});
