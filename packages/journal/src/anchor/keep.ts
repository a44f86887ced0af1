import { basename, dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Files, openFolder, openLineLog, withLock } from '@cuebook/files';
import type { StoreOwner } from '../owner/project.js';
import type { SqlSession } from '../store/port/driver.js';
import { hex } from '../store/row/chain.js';
import { isWhole, RUN_COLUMNS, toRunRow } from '../store/row/rows.js';
import { type AnchoredHead, type AnchorLine, printAnchorLine } from './line.js';
import { findRemoval, hasHead } from './proof.js';
import { type Anchor, readAnchor } from './read.js';

/** How a run's head changed. */
export interface HeadChange {
  readonly head: AnchoredHead;
  /** The head that it stood on, in hexadecimal; left out for the first commit of a run. */
  readonly before?: string;
}

/** Notes outside the database where its runs stand. */
export interface AnchorKeeper {
  /** Resolves when the commits are in the anchor: then they are there also after the process is killed. */
  committed(changes: readonly HeadChange[]): Promise<void>;
  close(): Promise<void>;
}

export interface KeepOptions {
  readonly session: SqlSession;
  readonly owner: StoreOwner;
  readonly now: () => number;
  /** The store knows of an anchor: one that is missing was taken away. */
  readonly isExpected: boolean;
}

/** A longer file is written anew, with one line for all. */
const MAX_LINES = 200;
/** The same for the lines that one process appends. */
const MAX_APPENDED = 2000;
export const ANCHOR_LIMIT = 256 * 1024 * 1024;

/**
 * Opens the anchor and brings it forward to where the store stands, by proof: a head is replaced only by one whose
 * chain has it, or by a signed removal. What the store does not have any more stays anchored, for `verify` to find.
 */
export async function keepAnchor(options: KeepOptions): Promise<AnchorKeeper> {
  const { session, owner, now } = options;
  const log = openLineLog(owner.anchorFile);
  const place = await openFolder(dirname(owner.anchorFile), { create: true });
  const heads = new Map<string, AnchoredHead>();
  /** Runs whose anchored head is not in the store: nothing is said of them any more. */
  const lost = new Set<string>();
  let isBehind = false;
  let appended = 0;

  const append = (line: Omit<AnchorLine, 'project' | 'at'>): void => {
    const said = { ...line, project: owner.project.id, at: Math.trunc(now()) };
    const failed = log.append(printAnchorLine(said, owner.signer));
    if (failed !== undefined && !isBehind) {
      process.emitWarning(`The anchor of the records cannot be written (${failed}): it stays behind.`);
    }
    isBehind = failed !== undefined;
    appended += 1;
  };
  const follows = async ({ head, before }: HeadChange): Promise<boolean> => {
    const known = heads.get(head.run);
    if (known === undefined || head.removedAt !== undefined) return true;
    // One that was removed comes back by being imported, which gives it new positions; an old file has the old ones.
    if (known.removedAt !== undefined) return hasHead(session, known, known.position);
    return known.hash === before || known.hash === head.hash || hasHead(session, known);
  };

  const text = place.ok ? await readAll(place.value, basename(owner.anchorFile)) : undefined;
  // An empty one says as little as one that is missing.
  const isMissing = text === undefined || text === '';
  const anchor = isMissing ? undefined : readAnchor(text, owner.publicKeys);
  for (const head of anchor?.heads.values() ?? []) heads.set(head.run, head);
  const found = await changesOf(session, heads, owner);
  const forward: AnchoredHead[] = [];
  for (const change of found) {
    if (!(await follows(change))) lost.add(change.head.run);
    else {
      heads.set(change.head.run, change.head);
      forward.push(change.head);
    }
  }
  const isOurs = anchor === undefined || anchor.project === undefined || anchor.project === owner.project.id;
  if (place.ok && anchor && isOurs && mayRewrite(anchor, text)) await rewrite(place.value, owner, now);
  if (anchor === undefined) append({ kind: options.isExpected ? 'begun' : 'base', heads: forward });
  else if (forward.length > 0 && isOurs) append({ kind: 'heads', heads: forward });

  let pending: AnchoredHead[] = [];
  let flushing: Promise<void> | undefined;
  let rewriting: Promise<void> | undefined;
  const flush = async (): Promise<void> => {
    flushing = undefined;
    const next = pending;
    pending = [];
    append({ kind: 'heads', heads: next });
    if (appended < MAX_APPENDED || rewriting || !place.ok) return;
    appended = 0;
    rewriting = rewrite(place.value, owner, now).finally(() => {
      rewriting = undefined;
    });
  };

  return {
    async committed(changes) {
      for (const change of changes) {
        const { run } = change.head;
        if (lost.has(run)) continue;
        const known = heads.get(run);
        const isNext = known === undefined || (known.removedAt === undefined && known.hash === change.before);
        if (!isNext && !(await follows(change))) {
          lost.add(run);
          continue;
        }
        // A later commit may have been looked at meanwhile.
        const newest = heads.get(run);
        if (newest !== known && newest !== undefined && newest.position > change.head.position) continue;
        heads.set(run, change.head);
        pending.push(change.head);
      }
      // Commits that became durable together are one line.
      if (pending.length > 0) flushing ??= Promise.resolve().then(flush);
      await flushing;
    },
    async close() {
      await flushing;
      await rewriting;
      log.close();
    },
  };
}

/** Where runs stand that the anchor does not know of, or knows elsewhere. */
async function changesOf(
  session: SqlSession,
  heads: ReadonlyMap<string, AnchoredHead>,
  owner: StoreOwner,
): Promise<readonly HeadChange[]> {
  const changes: HeadChange[] = [];
  for (const cells of await session.rows(`SELECT ${RUN_COLUMNS} FROM cuebook_runs ORDER BY id`)) {
    // A damaged row is no proof of anything.
    if (!isWhole('runs', cells)) continue;
    const { name: run, seq, position, hash, removedAt } = toRunRow(cells);
    const known = heads.get(run);
    const head = { run, seq, position, hash: hex(hash) };
    if (removedAt === null) {
      if (known?.hash !== head.hash || known.removedAt !== undefined) changes.push({ head });
    } else if (known?.removedAt === undefined) {
      const removal = await findRemoval(session, run, owner.publicKeys);
      if (known === undefined || typeof removal === 'object') changes.push({ head: { ...head, removedAt } });
    }
  }
  return changes;
}

async function readAll(place: Files, name: string): Promise<string | undefined> {
  const bytes = await place.readBytes(name, { limit: ANCHOR_LIMIT });
  // One that is there and cannot be read is not replaced: `verify` says what is wrong with it.
  if (!bytes.ok) return bytes.error.code === 'E_FILE_NOT_FOUND' ? undefined : UNREADABLE;
  return Buffer.from(bytes.value).toString('latin1');
}

const UNREADABLE = 'unreadable\n';

/** A long one with nothing wrong in it, or one whose last line a loss of power has cut. */
function mayRewrite({ bad, lines }: Anchor, text = ''): boolean {
  const isCut = text !== '' && !text.endsWith('\n');
  return isCut ? bad.length === 1 : bad.length === 0 && lines > MAX_LINES;
}

/** Puts one line in the place of all. Lines that others append at this very moment are found again at the next start. */
async function rewrite(place: Files, owner: StoreOwner, now: () => number): Promise<void> {
  const name = basename(owner.anchorFile);
  await withLock(
    place,
    `${name}.lock`,
    async () => {
      const text = await readAll(place, name);
      await nextTurn();
      const anchor = readAnchor(text ?? '', owner.publicKeys);
      if (text === undefined || anchor.bad.length > (text.endsWith('\n') ? 0 : 1)) return;
      const kind = anchor.begun === undefined ? 'base' : 'begun';
      const at = anchor.begun?.at ?? Math.trunc(now());
      const line = { kind, project: owner.project.id, at, heads: [...anchor.heads.values()] } as const;
      await place.writeText(name, `${printAnchorLine(line, owner.signer)}\n`, { mode: 0o600 });
    },
    { patienceMs: 0 },
  );
}
