import { basename, dirname } from 'node:path';
import { type FileResult, openFolder } from '@cuebook/files';
import { fail, ok } from '@cuebook/prompt';
import type { RunId, Store } from '../contract.js';
import type { StoreOwner } from '../owner/project.js';
import { ANCHOR_LIMIT } from './keep.js';
import { type AnchoredHead, printAnchorLine } from './line.js';
import { readAnchor } from './read.js';

/** The text of an anchor's file; `undefined`: there is none. */
export async function readAnchorText(file: string): Promise<FileResult<string | undefined>> {
  const folder = await openFolder(dirname(file), { access: 'ro' });
  if (!folder.ok) return folder.error.code === 'E_FILE_NOT_FOUND' ? ok(undefined) : fail(folder.error);
  const bytes = await folder.value.readBytes(basename(file), { limit: ANCHOR_LIMIT });
  if (!bytes.ok) return bytes.error.code === 'E_FILE_NOT_FOUND' ? ok(undefined) : fail(bytes.error);
  return ok(Buffer.from(bytes.value).toString('latin1'));
}

/** Where all runs stand, as one signed line: to be kept where who writes the store cannot write. */
export function exportAnchor(text: string, owner: StoreOwner, now: number): string {
  const { heads, project = owner.project.id } = readAnchor(text, owner.publicKeys);
  const line = { kind: 'base', project, at: now, heads: [...heads.values()] } as const;
  return `${printAnchorLine(line, owner.signer)}\n`;
}

export interface AnchorAcceptance {
  readonly by: string;
  readonly reason: string;
  readonly now: number;
}

/**
 * Accepts on record that the store is as it is. The anchor becomes one line: where its runs stand now, who said so, and
 * why. What it was stays beside it, under the name that is answered; `undefined`: there was none.
 */
export async function acceptAnchor(
  store: Store,
  owner: StoreOwner,
  { by, reason, now }: AnchorAcceptance,
): Promise<FileResult<string | undefined>> {
  const heads: AnchoredHead[] = [];
  for (const run of await store.runNames()) {
    const stand = await store.standing(run as RunId);
    if (stand === undefined) continue;
    const { seq, hash, removedAt, position } = stand;
    heads.push({
      run,
      seq,
      position,
      hash: hash.slice(7),
      ...(removedAt === undefined ? {} : { removedAt }),
    });
  }
  const line = { kind: 'accepted', project: owner.project.id, at: now, heads, by, reason } as const;
  const folder = await openFolder(dirname(owner.anchorFile), { create: true });
  if (!folder.ok) return folder;
  const name = basename(owner.anchorFile);
  const before = await folder.value.readBytes(name, { limit: ANCHOR_LIMIT });
  const aside = `${name}.${now}`;
  if (before.ok) {
    const kept = await folder.value.writeBytes(aside, before.value, { mode: 0o600, ifMatch: 'absent' });
    if (!kept.ok) return kept;
  }
  const text = `${printAnchorLine(line, owner.signer)}\n`;
  const written = await folder.value.writeText(name, text, { mode: 0o600 });
  return written.ok ? ok(before.ok ? aside : undefined) : written;
}
