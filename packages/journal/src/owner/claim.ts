import { guard } from '@cuebook/guard';
import { fail, type JsonValue, ok } from '@cuebook/prompt';
import type { JournalResult } from '../result.js';
import type { SqlDriver, SqlRow, SqlSession } from '../store/port/driver.js';
import { decodeBody } from '../store/row/body.js';
import { shownHash } from '../store/row/chain.js';
import { readRing } from '../turn/key/chain.js';
import { isSignedBy, keysNamed, type PublicKeys, publicKeyOf } from '../turn/key/key.js';
import { parseReceipt } from '../turn/parse.js';
import { isReceiptType } from '../turn/receipt.js';
import { type ReceiptStanding, receiptHash, sealedBy } from '../turn/seal.js';
import { isReceiptData } from '../turn/wire/receipt-data.js';
import type { Project, StoreOwner } from './project.js';

/**
 * Makes sure that a store holds the work of this project and of no other. One that belongs to nobody yet is claimed:
 * if it is empty, or if what is in it was signed with a key that this project accepts. Answers the project as the
 * store knows it.
 */
export async function claimStore(
  driver: SqlDriver,
  owner: StoreOwner,
  { isRestored = false } = {},
): Promise<JournalResult<Project>> {
  const before = judgeClaim(await readClaim(driver), owner);
  if (before !== undefined) return before;
  return driver.write<JournalResult<Project>>(async (session) => {
    const again = judgeClaim(await readClaim(session), owner);
    if (again !== undefined) return { keep: false, value: again };
    const stranger = isRestored ? undefined : await findStranger(session, owner);
    if (stranger !== undefined) {
      return { keep: false, value: foreign({ id: `key ${stranger}`, name: 'another project' }) };
    }
    const { project, signer } = owner;
    const signature = signer.sign(claimText({ ...project, key: signer.keyId }));
    await session.rows(INSERT, [1, project.id, project.name, signer.keyId, signature]);
    return { keep: true, value: ok(project) };
  });
}

/** The layout from which on a store knows whose records it holds. */
export const OWNER_SINCE = 4;

/** Who claimed a store; `undefined`: nobody has. */
export const readClaim = async (session: SqlSession): Promise<Claim | undefined> =>
  toClaim(await session.rows('SELECT project, name, signed_by, signature FROM cuebook_owner LIMIT 1'));

/** The claim that a row is. */
export function toClaim([row]: readonly SqlRow[]): Claim | undefined {
  if (row === undefined) return undefined;
  const [id, name, key, signature] = row.map(String);
  return { id: id ?? '', name: name ?? '', key: key ?? '', signature: signature ?? '' };
}

export interface Claim extends Project {
  readonly key: string;
  readonly signature: string;
}

/** What a claim means for this project; `undefined`: there is none. */
export function judgeClaim(claim: Claim | undefined, owner: StoreOwner): JournalResult<Project> | undefined {
  if (claim === undefined) return undefined;
  if (claim.id === owner.project.id) return ok(claim);
  // A home that lost its id, and has a key of its own that signed for the store, is the same project.
  const isOurs = owner.isNew && isSignedBy(ownKeys(owner), claim.key, claimText(claim), claim.signature);
  return guard('open.project', !isOurs) ? foreign(claim) : ok(claim);
}

/** The key of a home, and those that it had before. */
function ownKeys({ signer, keys }: StoreOwner): PublicKeys {
  const key = publicKeyOf(signer.publicKey);
  return key === undefined ? new Map() : readRing(new Map([[signer.fingerprint, key]]), keys).publicKeys;
}

const foreign = ({ id, name }: Project): JournalResult<never> =>
  fail({ code: 'E_JOURNAL_PROJECT', project: id, name });

/** What is wrong with a claim that a known key should have signed. */
export function claimProblem(claim: Claim, keys: PublicKeys): string | undefined {
  if (keysNamed(keys, claim.key).length === 0)
    return `whose records these are was signed with key ${claim.key}, which is not known here`;
  return isSignedBy(keys, claim.key, claimText(claim), claim.signature)
    ? undefined
    : 'whose records these are is not as it was signed';
}

const claimText = ({ id, name, key }: Omit<Claim, 'signature'>): string =>
  `cuebook store 1\n${JSON.stringify([id, name, key])}`;

/** A key that signed something here, when none that this project accepts has. */
async function findStranger(session: SqlSession, { publicKeys }: StoreOwner): Promise<string | undefined> {
  let stranger: string | undefined;
  let position = -1;
  const links = new Map<string, Pick<ReceiptStanding, 'after' | 'prev'>>();
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const rows = await session.rows(SELECT_BODIES, [position, PAGE]);
    for (const [at, body, seq, hash, name] of rows) {
      position = Number(at);
      const run = String(name);
      const { after, prev } = links.get(run) ?? { after: null, prev: null };
      const events = decodeBody(body as Buffer)?.events ?? [];
      const [event] = events;
      // A receipt is written by itself.
      const receipt = events.length === 1 && event ? readReceipt(event) : undefined;
      const standing = receipt && { type: receipt.type, run, seq: Number(seq), after, prev };
      if (receipt && standing) {
        if (sealedBy(receipt.data, standing, keysNamed(publicKeys, receipt.key))) return undefined;
        stranger ??= receipt.key;
      }
      const last = receipt && { seq: Number(seq), hash: receiptHash(receipt.data) };
      links.set(run, { after: events.length > 0 ? shownHash(hash as Buffer) : after, prev: last ?? prev });
    }
    if (rows.length < PAGE) break;
  }
  return stranger;
}

function readReceipt({ type, data: text }: { readonly type: string; readonly data: string }) {
  if (!isReceiptType(type)) return undefined;
  try {
    const data: unknown = JSON.parse(text);
    const key = parseReceipt(type, data as JsonValue)?.data.key;
    return key !== undefined && isReceiptData(data) ? { type, data, key } : undefined;
  } catch {
    return undefined; // Damaged: an audit says so.
  }
}

const PAGE = 100;
const MAX_PAGES = 100;
const SELECT_BODIES = `SELECT c.position, c.body, c.seq, c.hash, r.name FROM cuebook_commits c
  JOIN cuebook_runs r ON r.id = c.run WHERE c.position > ? ORDER BY c.position LIMIT ?`;
const INSERT = 'INSERT INTO cuebook_owner (id, project, name, signed_by, signature) VALUES (?, ?, ?, ?, ?)';
