import { fail, ok, type Result } from '@cuebook/prompt';
import type { RunId, Store } from '../contract.js';
import type { JournalError } from '../error.js';
import { noteDeletion } from './forget.js';

export interface EraseInput {
  readonly run: RunId;
  /** The names that stand in the masks of the log; left out: everything that is sealed for the run. */
  readonly ids?: readonly string[];
  /** On whose request. It is kept. */
  readonly by: string;
  readonly reason?: string;
}

export interface Erased {
  readonly ids: readonly string[];
}

export type EraseError =
  | JournalError
  | { readonly code: 'E_FORGET_SEALED'; readonly id: string; readonly known: readonly string[] };

/**
 * Makes sealed texts of a run unreadable for good: the request is on record, then the keys go, then the sealed bytes.
 * Events, chain and signatures stay as they are and still verify.
 */
export async function eraseSealed(
  store: Store,
  { run, ids, by, reason }: EraseInput,
): Promise<Result<Erased, EraseError>> {
  const entries = (await store.vault?.entries(run)) ?? [];
  const known = entries.map(({ id }) => id);
  const strange = ids?.find((id) => !known.includes(id));
  if (strange !== undefined) return fail({ code: 'E_FORGET_SEALED', id: strange, known });
  const chosen = entries.filter(({ id }) => ids === undefined || ids.includes(id));
  if (chosen.length === 0) return ok({ ids: [] });
  const parts = chosen.map(({ id, blob }) => ({ part: `sealed ${id}`, blob }));
  const request = { run, turn: '', by, ...(reason === undefined ? {} : { reason }) };
  const noted = await noteDeletion(store, request, parts);
  if (!noted.ok) return noted;
  const erased = await store.vault?.erase(
    run,
    chosen.map(({ id }) => id),
  );
  if (erased && !erased.ok) return erased;
  for (const { blob } of chosen) await store.deleteBlob(blob);
  return ok({ ids: chosen.map(({ id }) => id) });
}
