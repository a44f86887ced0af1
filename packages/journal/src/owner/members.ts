import { hostname } from 'node:os';
import { guard } from '@cuebook/guard';
import { fail, ok } from '@cuebook/prompt';
import type { JournalResult } from '../result.js';
import type { SqlDriver, SqlSession } from '../store/port/driver.js';
import { fingerprintOf, type PublicKeys, publicKeyOf, type Signer } from '../turn/key/key.js';
import { isProof, type ProjectKey, proofOf } from './project-key.js';

/** The layout from which on a store knows the machines of its project and keeps what they share. */
export const MEMBERS_SINCE = 8;

export const MEMBER_COLUMNS = 'fingerprint, public_key, name, at, proof';

/** A machine that signs for the project: its public key, and a proof that it had the project's key. */
export interface ProjectMember {
  readonly fingerprint: string;
  readonly publicKey: string;
  /** For people: the name that the machine had when it joined. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly proof: string;
}

/** The members of a project whose proofs are right. */
export async function readMembers(session: SqlSession, key: ProjectKey): Promise<readonly ProjectMember[]> {
  return (await readAll(session)).filter((member) => isMember(member, key));
}

/** What is wrong with the machines that are on record: those that somebody without the key put there. */
export async function strangers(session: SqlSession, key: ProjectKey): Promise<readonly string[]> {
  const forged = (await readAll(session)).filter((member) => !isMember(member, key));
  return forged.map(
    ({ fingerprint }) =>
      `the machine with the key ${fingerprint.slice(0, 80)} is on record without the proof of the key of the project: nothing that it signed is believed`,
  );
}

/** Whether any machine has joined, with whichever key. */
export const hasMembers = async (session: SqlSession): Promise<boolean> =>
  (await session.rows('SELECT 1 FROM cuebook_members LIMIT 1')).length > 0;

/** Their public keys. */
export const keysOfMembers = (members: readonly ProjectMember[]): PublicKeys =>
  new Map(
    members.flatMap(({ publicKey, fingerprint }) => {
      const key = publicKeyOf(publicKey);
      return key === undefined ? [] : [[fingerprint, key] as const];
    }),
  );

/** The keys that count for a store: those that are trusted by themselves, and those of the project's machines. */
export const knownKeys = async (
  store: { members(): Promise<readonly ProjectMember[]> },
  trusted: PublicKeys,
): Promise<PublicKeys> => new Map([...keysOfMembers(await store.members()), ...trusted]);

/** A project that a machine works for. */
export interface JoinedProject {
  readonly members: readonly ProjectMember[];
  /** This machine was none of them before. */
  readonly isNew: boolean;
}

/**
 * Writes down that this machine signs for the project. A store whose members have another key is refused: what they
 * sealed could not be opened here.
 */
export async function joinProject(
  driver: SqlDriver,
  { key, signer, at }: { readonly key: ProjectKey; readonly signer: Signer; readonly at: number },
): Promise<JournalResult<JoinedProject>> {
  const before = judge(await readAll(driver), key, signer);
  if (before !== undefined) return before;
  return driver.write<JournalResult<JoinedProject>>(async (session) => {
    const members = await readAll(session);
    const again = judge(members, key, signer);
    if (again !== undefined) return { keep: false, value: again };
    const { fingerprint, publicKey } = signer;
    const name = hostname().slice(0, 60) || 'a machine without a name';
    const proof = proofOf(key, textOf({ fingerprint, publicKey, name, at }));
    await session.rows(UPSERT, [fingerprint, publicKey, name, at, proof]);
    const own = { fingerprint, publicKey, name, at, proof };
    return {
      keep: true,
      value: ok({ members: [...members.filter((each) => isMember(each, key)), own], isNew: true }),
    };
  });
}

/** Undefined: this machine is none of them yet. */
function judge(
  members: readonly ProjectMember[],
  key: ProjectKey,
  signer: Signer,
): JournalResult<JoinedProject> | undefined {
  const right = members.filter((member) => isMember(member, key));
  const isOther = members.length > 0 && right.length === 0;
  if (guard('open.member', isOther)) return fail({ code: 'E_JOURNAL_PROJECT_KEY', reason: 'other' });
  return right.some(({ fingerprint }) => fingerprint === signer.fingerprint)
    ? ok({ members: right, isNew: false })
    : undefined;
}

function isMember(member: ProjectMember, key: ProjectKey): boolean {
  const { publicKey, fingerprint, proof } = member;
  const known = publicKeyOf(publicKey);
  const isSame = known !== undefined && fingerprintOf(known) === fingerprint;
  return isSame && guard('member.proof', isProof(key, textOf(member), proof));
}

const textOf = ({ fingerprint, publicKey, name, at }: Omit<ProjectMember, 'proof'>): string =>
  `cuebook member 1\n${JSON.stringify([fingerprint, publicKey, name, at])}`;

async function readAll(session: SqlSession): Promise<readonly ProjectMember[]> {
  const rows = await session.rows(`SELECT ${MEMBER_COLUMNS} FROM cuebook_members ORDER BY at, fingerprint`);
  return rows.map(([fingerprint, publicKey, name, at, proof]) => ({
    fingerprint: String(fingerprint),
    publicKey: String(publicKey),
    name: String(name),
    at: Number(at),
    proof: String(proof),
  }));
}

const UPSERT = `INSERT INTO cuebook_members (${MEMBER_COLUMNS}) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (fingerprint) DO UPDATE SET public_key = excluded.public_key, name = excluded.name, at = excluded.at,
  proof = excluded.proof`;
