import { guard } from '@cuebook/guard';
import type { RunId, Store } from '../contract.js';
import { JournalFailure } from '../error.js';
import { MEMBERS_SINCE } from '../owner/members.js';
import type { ProjectKey } from '../owner/project-key.js';
import { readVersion } from '../schema/migrate.js';
import type { SqlSession } from '../store/port/driver.js';
import { type FindProof, registerProof } from './key-proof.js';
import { proofFor } from './proof.js';
import { findVolume, REGISTERS, registerRun, volumeName, volumeRun } from './register-run.js';

/** The logs of registers that a store has, each with the name that its proofs are bound to. */
export async function registerLogs(
  store: Pick<Store, 'runNames'>,
): Promise<readonly (readonly [name: string, run: RunId])[]> {
  const later = (await store.runNames()).flatMap((run) => findVolume(run) ?? []);
  return [
    ...REGISTERS.map((name) => [name, registerRun(name)] as const),
    ...later
      .filter(({ number }) => number > 1)
      .map((volume) => [volumeName(volume), volumeRun(volume)] as const),
  ];
}

/**
 * Proves the registers of a project that moves from a file, where nobody needs a proof, into a database, where nothing
 * counts without one. Who restores a backup has the key of the project and says by it that the backup is theirs. Events
 * cannot be changed, so their proofs stand beside them. A backup of a database is left as it is: what counted for
 * nothing there counts for nothing here.
 */
export async function vouchForRegisters(
  session: SqlSession,
  { store, key }: { readonly store: Pick<Store, 'read' | 'runNames'>; readonly key: ProjectKey },
): Promise<void> {
  if (guard('register.vouch', await isOfDatabase(session))) return;
  const proof = registerProof(key);
  const proofs: [string, number, string][] = [];
  for (const [name, run] of await registerLogs(store)) {
    for (let seq = 0; ; ) {
      const events = await store.read(run, { after: seq });
      for (const event of events) {
        if ('proof' in Object(event.data)) return;
        proofs.push([name, event.seq, proofFor(proof, name, event)]);
      }
      if (events.length === 0) break;
      seq = events.at(-1)?.seq ?? seq;
    }
  }
  if (proofs.length === 0) return;
  await session.rows(INSERT, [PROOFS, Buffer.from(JSON.stringify(proofs)), 0]);
}

/** Whether a store, or the one that it is a backup of, lies in a database that machines share. */
export async function isOfDatabase(session: SqlSession): Promise<boolean> {
  if ((await readVersion(session)) < MEMBERS_SINCE) return false;
  return (await session.rows('SELECT 1 FROM cuebook_files LIMIT 1')).length > 0;
}

/** Whether a project keeps anything about itself. */
export async function hasRegisters(store: Pick<Store, 'head' | 'runNames'>): Promise<boolean> {
  for (const [, run] of await registerLogs(store)) if ((await store.head(run)) !== undefined) return true;
  return false;
}

/** The proofs that stand beside the events of a store. They need no seal: each holds for its event alone. */
export async function readProofs(session: SqlSession): Promise<FindProof> {
  const [row] = await session.rows('SELECT data FROM cuebook_files WHERE path = ?', [PROOFS]);
  if (row === undefined) return () => undefined;
  const found = new Map<string, string>();
  try {
    const rows: unknown = JSON.parse(Buffer.from(row[0] as Uint8Array).toString('utf8'));
    for (const each of rows as readonly unknown[][]) found.set(`${each[0]} ${each[1]}`, String(each[2]));
  } catch {
    throw new JournalFailure({ code: 'E_JOURNAL_CORRUPT', what: 'the proofs of the registers' });
  }
  return (name, seq) => found.get(`${name} ${seq}`);
}

/** No file of CUEBOOK_HOME is called so. */
const PROOFS = 'registers.proofs';
const INSERT = 'INSERT INTO cuebook_files (path, data, written_at) VALUES (?, ?, ?)';
