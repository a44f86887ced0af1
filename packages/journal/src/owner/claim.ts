import { guard } from '@cuebook/guard';
import { fail, ok } from '@cuebook/prompt';
import type { JournalResult } from '../result.js';
import type { Driver, Session } from '../store/port/driver.js';
import { decodeBody } from '../store/row/body.js';
import { isSigned, type PublicKeys } from '../turn/key/key.js';
import { parseReceipt } from '../turn/parse.js';
import { isReceiptType } from '../turn/receipt.js';
import type { Project, StoreOwner } from './project.js';

/**
 * Makes sure that a store holds the work of this project and of no other. One that belongs to nobody yet is claimed:
 * if it is empty, or if what is in it was signed with a key that this project accepts. Answers the project as the
 * store knows it.
 */
export async function claimStore(
  driver: Driver,
  owner: StoreOwner,
  { isRestored = false } = {},
): Promise<JournalResult<Project>> {
  const before = judge(await readClaim(driver), owner);
  if (before !== undefined) return before;
  return driver.write<JournalResult<Project>>(async (session) => {
    const again = judge(await readClaim(session), owner);
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

/** Who claimed a store; `undefined`: nobody has. */
export async function readClaim(session: Session): Promise<Claim | undefined> {
  const [row] = await session.rows('SELECT project, name, signed_by, signature FROM cuebook_owner LIMIT 1');
  if (row === undefined) return undefined;
  const [id, name, key, signature] = row.map(String);
  return { id: id ?? '', name: name ?? '', key: key ?? '', signature: signature ?? '' };
}

export interface Claim extends Project {
  readonly key: string;
  readonly signature: string;
}

/** What a claim means for this project; `undefined`: there is none. */
function judge(claim: Claim | undefined, owner: StoreOwner): JournalResult<Project> | undefined {
  if (claim === undefined) return undefined;
  if (claim.id === owner.project.id) return ok(claim);
  // A home that lost its id, and has the key that signed for the store, is the same project.
  const key = owner.isNew && claim.key === owner.signer.keyId ? owner.publicKeys.get(claim.key) : undefined;
  if (key && isSigned(claimText(claim), claim.signature, key)) return ok(claim);
  return guard('open.project', true) ? foreign(claim) : ok(claim);
}

const foreign = ({ id, name }: Project): JournalResult<never> =>
  fail({ code: 'E_JOURNAL_PROJECT', project: id, name });

/** What is wrong with a claim that a known key should have signed. */
export function claimProblem(claim: Claim, keys: PublicKeys): string | undefined {
  const key = keys.get(claim.key);
  if (key === undefined)
    return `whose records these are was signed with key ${claim.key}, which is not known here`;
  return isSigned(claimText(claim), claim.signature, key)
    ? undefined
    : 'whose records these are is not as it was signed';
}

const claimText = ({ id, name, key }: Omit<Claim, 'signature'>): string =>
  `cuebook store 1\n${JSON.stringify([id, name, key])}`;

/** A key that signed something here, when none that this project accepts has. */
async function findStranger(session: Session, { publicKeys }: StoreOwner): Promise<string | undefined> {
  let stranger: string | undefined;
  let position = -1;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const rows = await session.rows(SELECT_BODIES, [position, PAGE]);
    for (const [at, body] of rows) {
      position = Number(at);
      for (const { type, data } of decodeBody(body as Buffer)?.events ?? []) {
        const key = keyOfReceipt(type, data);
        if (key !== undefined && publicKeys.has(key)) return undefined;
        stranger ??= key;
      }
    }
    if (rows.length < PAGE) break;
  }
  return stranger;
}

function keyOfReceipt(type: string, data: string): string | undefined {
  if (!isReceiptType(type)) return undefined;
  try {
    return parseReceipt(type, JSON.parse(data))?.data.key;
  } catch {
    return undefined; // Damaged: an audit says so.
  }
}

const PAGE = 100;
const MAX_PAGES = 100;
const SELECT_BODIES =
  'SELECT position, body FROM cuebook_commits WHERE position > ? ORDER BY position LIMIT ?';
const INSERT = 'INSERT INTO cuebook_owner (id, project, name, signed_by, signature) VALUES (?, ?, ?, ?, ?)';
