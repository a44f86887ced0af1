import { guard } from '@cuebook/guard';
import {
  type BesideSources,
  type Block,
  fail,
  type JsonValue,
  ok,
  type Prompt,
  type RedactionKind,
  type Result,
} from '@cuebook/prompt';
import { z } from 'zod';
import type { RunId, Store, StoredEvent } from '../contract.js';
import { longHash, shortDigest } from './digest.js';
import type { RecordedOutcome, ToolUse } from './end.js';
import type { ReceiptError } from './error.js';
import { findTurn, type TurnEvents } from './find.js';
import { manifestOf } from './load.js';
import { unpack } from './manifest/decode.js';
import type { FileStamps } from './manifest/files.js';
import type { ManifestBlock, ManifestRequest, TurnManifest } from './manifest/manifest.js';
import { redactionsOf } from './manifest/redactions.js';
import { fromRow } from './manifest/sources.js';
import { type BlobReader, blobReader, readBlock } from './manifest/texts.js';
import { UnreadableReceipt } from './manifest/unreadable.js';
import {
  type Destination,
  type Ended,
  type SaidReceipt,
  type Sending,
  type ToolUseData,
  toolUseSchema,
} from './receipt.js';

/** A turn as it was, byte for byte, from the record alone. */
export interface RebuiltTurn {
  readonly run: RunId;
  readonly turn: string;
  readonly lane: string;
  readonly seq: number;
  readonly at: number;
  readonly to: Destination;
  readonly request: RebuiltRequest;
  /** What was really sent, when it was less than the whole. */
  readonly delta?: RebuiltRequest;
  /** The files that its words come from as they were then, as far as the record has told of them. */
  readonly files: FileStamps;
  readonly sends: readonly Sending[];
  /** Missing while the turn is open, and for good when it was interrupted. */
  readonly end?: RecordedOutcome & { readonly at: number; readonly seq: number };
  /** Content that was deleted on request; `DELETED` stands in its place. */
  readonly forgotten: readonly Forgotten[];
}

export interface RebuiltRequest {
  readonly prompt: Prompt;
  readonly tools: readonly JsonValue[];
  readonly params: Readonly<Record<string, JsonValue>>;
  readonly sources?: BesideSources;
  readonly removed: readonly RedactionKind[];
}

export interface Forgotten {
  /** The block, or `response`, `reasoning`, or the id of a tool call. */
  readonly part: string;
  /** `sha256:` and hex digits. */
  readonly blob: string;
}

/** What stands for text whose content was deleted. */
export const DELETED = '[deleted]';

/**
 * Gives a turn back from the record, every hash checked on the way. Calls no model and writes nothing. Content
 * that was deleted on request is told in `forgotten`; anything else that is missing or changed is an error.
 */
export async function rebuildTurn(
  store: Store,
  run: RunId,
  turn: string,
  reader: BlobReader = blobReader(store),
): Promise<Result<RebuiltTurn, ReceiptError>> {
  const found = await findTurn(store, run, turn);
  if (found === undefined) return fail({ code: 'E_TURN_UNKNOWN', run, turn });
  try {
    const { event, data } = found.recorded;
    const manifest = await manifestOf(store, run, { seq: event.seq, data }, reader);
    return ok(await rebuildFrom(found, manifest, reader));
  } catch (error) {
    if (!(error instanceof UnreadableReceipt)) throw error;
    const code = error.deleted === undefined ? 'E_TURN_BROKEN' : 'E_TURN_FORGOTTEN';
    return fail({ code, run, turn, what: error.message });
  }
}

/** The turn from its events and its manifest. Throws `Unreadable`. */
export async function rebuildFrom(
  { recorded, sent, ended }: TurnEvents,
  manifest: TurnManifest,
  reader: BlobReader,
): Promise<RebuiltTurn> {
  const forgotten: Forgotten[] = [];
  const { run, seq, at } = recorded.event;
  const first = recorded.data.sent;
  const sends = [...(first === undefined ? [] : [first]), ...sent.map(({ data }) => data.sent)];
  const request = await readRequest(manifest, reader, forgotten);
  return {
    run,
    turn: manifest.turn,
    lane: manifest.lane,
    seq,
    at,
    to: manifest.to,
    request,
    ...(manifest.delta && { delta: await readRequest(manifest.delta, reader, forgotten) }),
    files: manifest.files,
    sends: sends.map((each) => ({ ...each, hash: longHash(each.hash) })),
    ...(ended && { end: await readEnd(ended, reader, forgotten) }),
    forgotten,
  };
}

async function readRequest(
  request: ManifestRequest,
  reader: BlobReader,
  forgotten: Forgotten[],
): Promise<RebuiltRequest> {
  const { tools, params, removed, whole } = request;
  const sources = Object.entries(request.sources).map(([pointer, row]) => [pointer, fromRow(row)]);
  const redactions = request.redactions ?? redactionsOf(request.blocks);
  const before = forgotten.length;
  const blocks: Block[] = [];
  for (const block of request.blocks) {
    blocks.push(
      await orForgotten(
        block.name,
        forgotten,
        () => readBlock(block, reader),
        () => deletedBlock(block),
      ),
    );
  }
  const text = blocks
    .map((block) => block.text)
    .filter((each) => each !== '')
    .join('\n\n');
  const isWhole = forgotten.length === before;
  if (guard('rebuild.whole', isWhole && shortDigest(text) !== whole)) {
    throw new UnreadableReceipt('the hash of the whole prompt is wrong');
  }
  return {
    prompt: { blocks, text, hash: longHash(whole), redactions },
    tools,
    params,
    ...(sources.length > 0 && { sources: Object.fromEntries(sources) }),
    removed,
  };
}

/** A block whose text is gone keeps its name, role, hash and labels. */
function deletedBlock({ name, role, hash, spans }: ManifestBlock): Block {
  const [first] = spans;
  const shown = first === undefined ? [] : [{ ...first, start: 0, end: DELETED.length }];
  return { name, role, text: first === undefined ? '' : DELETED, spans: shown, hash: longHash(hash) };
}

async function readEnd(
  { event, data }: { readonly event: StoredEvent; readonly data: Ended },
  reader: BlobReader,
  forgotten: Forgotten[],
): Promise<NonNullable<RebuiltTurn['end']>> {
  const said = (part: string, value: SaidReceipt | undefined): Promise<string | undefined> =>
    value === undefined || typeof value !== 'string'
      ? Promise.resolve(value?.text)
      : orForgotten(
          part,
          forgotten,
          async () => Buffer.from(await reader.bytes(value)).toString(),
          () => DELETED,
        );
  const uses =
    data.calls === undefined ? [] : await unpack(data.calls, z.array(toolUseSchema), reader.packed);
  const calls: ToolUse[] = [];
  const given = async (id: string, input: ToolUseData['input']): Promise<JsonValue | undefined> => {
    if (typeof input !== 'string') return input?.json;
    const text = await said(id, input);
    return text === undefined || text === DELETED ? DELETED : parseJson(text);
  };
  for (const use of uses) calls.push(await readUse(use, said, given));
  const text = await said('response', data.said);
  const reasoning = await said('reasoning', data.reasoning);
  return {
    at: event.at,
    seq: event.seq,
    reason: data.reason,
    ...(data.error === undefined
      ? {}
      : { error: data.error as unknown as NonNullable<RecordedOutcome['error']> }),
    ...(data.stop === undefined ? {} : { stop: data.stop }),
    ...(data.usage === undefined ? {} : { usage: data.usage as object }),
    ...(data.session === undefined ? {} : { sessionId: data.session }),
    ...(text === undefined ? {} : { text }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(calls.length === 0 ? {} : { calls }),
  };
}

async function readUse(
  { id, name, by, input, badInput, output, isError }: ToolUseData,
  said: (part: string, value: SaidReceipt | undefined) => Promise<string | undefined>,
  given: (id: string, input: ToolUseData['input']) => Promise<JsonValue | undefined>,
): Promise<ToolUse> {
  const args = await given(id, input);
  const bad = await said(id, badInput);
  const out = await said(id, output);
  return {
    id,
    name,
    by,
    ...(args === undefined ? {} : { input: args }),
    ...(bad === undefined ? {} : { badInput: bad }),
    ...(out === undefined ? {} : { output: out }),
    ...(isError === undefined ? {} : { isError }),
  };
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new UnreadableReceipt('the input of a tool call is not what was recorded');
    throw error;
  }
}

async function orForgotten<Value>(
  part: string,
  forgotten: Forgotten[],
  read: () => Promise<Value>,
  instead: () => Value,
): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableReceipt) || error.deleted === undefined) throw error;
    forgotten.push({ part, blob: longHash(error.deleted) });
    return instead();
  }
}
