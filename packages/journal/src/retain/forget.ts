import { createRedactor, fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';
import type { RunId, Store } from '../contract.js';
import { type JournalError, JournalFailure } from '../error.js';
import { longHash, shortDigest } from '../turn/digest.js';
import type { ReceiptError } from '../turn/error.js';
import { findTurn, type TurnEvents } from '../turn/find.js';
import { loadManifest } from '../turn/load.js';
import { unpack } from '../turn/manifest/decode.js';
import type { TurnManifest } from '../turn/manifest/manifest.js';
import { type BlobReader, blobReader } from '../turn/manifest/texts.js';
import { UnreadableReceipt } from '../turn/manifest/unreadable.js';
import { isReceiptType, type ToolUseData, toolUseSchema } from '../turn/receipt.js';

export interface ForgetInput {
  readonly run: RunId;
  readonly turn: string;
  /** Names of blocks. */
  readonly blocks?: readonly string[];
  /** What the model answered: text, reasoning, and what tools were given and gave. */
  readonly response?: boolean;
  /** On whose request. It is kept. */
  readonly by: string;
  readonly reason?: string;
}

/** What a request for deletion left on record. */
export interface DeletionNote {
  readonly by: string;
  readonly reason?: string;
  readonly run: string;
  readonly turn: string;
  readonly part: string;
}

export interface Forgot {
  /** Names of the blobs whose content is gone. */
  readonly blobs: readonly string[];
}

export type ForgetError =
  | ReceiptError
  | { readonly code: 'E_FORGET_PART'; readonly part: string; readonly known: readonly string[] };

/**
 * Deletes the content of blocks or of the answer of a turn, wherever else in the store it is used. The request
 * is on record before the content goes; hashes, chain and signatures stay as they are and still verify. Doing it
 * again does nothing more.
 */
export async function forgetContent(store: Store, input: ForgetInput): Promise<Result<Forgot, ForgetError>> {
  const { run, turn, by, reason } = input;
  const found = await findTurn(store, run, turn);
  if (found === undefined) return fail({ code: 'E_TURN_UNKNOWN', run, turn });
  const reader = blobReader(store);
  try {
    const manifest = await loadManifest(store, run, found.recorded.event.seq, reader);
    const known = manifest.blocks.map(({ name }) => name);
    const strange = input.blocks?.find((name) => !known.includes(name));
    if (strange !== undefined) return fail({ code: 'E_FORGET_PART', part: strange, known });
    const parts = [
      ...blockBlobs(manifest, input.blocks ?? []),
      ...(input.response === true ? await endBlobs(found, reader) : []),
    ];
    const noted = await noteDeletion(
      store,
      { run, turn, by, ...(reason === undefined ? {} : { reason }) },
      parts,
    );
    if (!noted.ok) return noted;
    const blobs = [...new Set(parts.map(({ blob }) => blob))];
    for (const blob of blobs) await store.deleteBlob(blob);
    return ok({ blobs });
  } catch (error) {
    if (error instanceof JournalFailure) return fail(error.error);
    if (!(error instanceof UnreadableReceipt)) throw error;
    return fail({ code: 'E_TURN_BROKEN', run, turn, what: error.message });
  }
}

/** On whose request the content of a blob was deleted. */
export async function deletionNote(
  store: Pick<Store, 'projection'>,
  blob: string,
): Promise<DeletionNote | undefined> {
  const parsed = noteSchema.safeParse(await store.projection(FORGOTTEN, blob));
  return parsed.success ? (parsed.data as DeletionNote) : undefined;
}

/** The projection that says who asked, by blob. */
export const FORGOTTEN = 'content.forgotten';

/** Whether an event is the journal's own: of a turn, or of content that was deleted. */
export const isJournalEvent = (type: string): boolean => type === FORGOTTEN || isReceiptType(type);

const noteSchema = z.object({
  by: z.string(),
  reason: z.string().optional(),
  run: z.string(),
  turn: z.string(),
  part: z.string(),
});

export interface PartBlob {
  readonly part: string;
  readonly blob: string;
}

/** Puts a request for deletion on record, without what it may say of credentials. */
export async function noteDeletion(
  store: Store,
  request: { readonly run: RunId; readonly turn: string; readonly by: string; readonly reason?: string },
  parts: readonly PartBlob[],
): Promise<Result<void, JournalError>> {
  const { run, turn } = request;
  const by = clean(request.by);
  const said = { by, ...(request.reason === undefined ? {} : { reason: clean(request.reason) }), turn };
  const target = shortDigest(JSON.stringify([said, parts]));
  for (let attempt = 0; ; attempt += 1) {
    const head = await store.head(run);
    const appended = await store.append({
      run,
      command: `forget ${target}`,
      target,
      expectedSeq: head?.seq ?? 0,
      events: [{ type: FORGOTTEN, data: { ...said, parts: parts.map((each) => ({ ...each })) } }],
      projections: parts.map(({ part, blob }) => ({
        name: FORGOTTEN,
        key: blob,
        value: { ...said, run, part },
      })),
    });
    if (appended.ok) return ok(undefined);
    if (appended.error.code !== 'E_JOURNAL_MOVED' || attempt >= MAX_ATTEMPTS) return appended;
  }
}

const MAX_ATTEMPTS = 100;

const FORMS = createRedactor({ roots: [], private: [], names: [] });
const clean = (text: string): string => FORMS.redactText(text).text;

/** Every blob that holds a part of the text, and what stands beside it. Also those of the delta's blocks. */
function blockBlobs({ blocks, delta }: TurnManifest, names: readonly string[]): readonly PartBlob[] {
  return [...blocks, ...(delta?.blocks ?? [])]
    .filter(({ name }) => names.includes(name))
    .flatMap(({ name, parts, media = [] }) => [
      ...parts.map(([hash]) => ({ part: name, blob: longHash(hash) })),
      ...media.map(({ hash }) => ({ part: name, blob: longHash(hash) })),
    ]);
}

async function endBlobs({ ended }: TurnEvents, reader: BlobReader): Promise<readonly PartBlob[]> {
  if (ended === undefined) return [];
  const { said, reasoning, calls = [] } = ended.data;
  const uses: readonly ToolUseData[] = await unpack(calls, z.array(toolUseSchema), reader.packed);
  const parts: readonly (readonly [string, unknown])[] = [
    ['response', said],
    ['reasoning', reasoning],
    ['calls', calls],
    ...uses.flatMap(({ id, input, badInput, output }): [string, unknown][] => [
      [id, input],
      [id, badInput],
      [id, output],
    ]),
  ];
  return parts.flatMap(([part, hash]) => (typeof hash === 'string' ? [{ part, blob: longHash(hash) }] : []));
}
