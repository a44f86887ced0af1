import { guard } from '@cuebook/guard';
import { fail, ok } from '@cuebook/prompt';
import type { Append } from '../contract.js';
import type { JournalResult } from '../result.js';
import { BOUNDS, canonicalText, checkName, checkRun } from './bounds.js';
import { digest, type EventText, hex, keyOf, type ProjectionText, readHash } from './row/chain.js';
import { OVERWRITTEN, pack } from './row/pack.js';

/** An append with everything checked, hashed and packed, before any lock is taken. */
export interface PreparedAppend {
  readonly answer: string;
  readonly events: readonly EventText[];
  readonly projections: readonly PreparedProjection[];
  readonly blobs: readonly PreparedBlob[];
}

export interface PreparedProjection extends ProjectionText {
  /** As it is stored; `null`: removed. */
  readonly value: Buffer | null;
  readonly isAtRest: boolean;
}

export interface PreparedBlob {
  readonly name: Buffer;
  readonly key: number;
  /** Content that may have to be stored; without it the blob must be there. */
  readonly content?: { readonly size: number; readonly plain: Uint8Array };
}

export function prepareAppend(batch: Append): JournalResult<PreparedAppend> {
  const { events, projections = [], blobs = [], keeps = [] } = batch;
  const counts = [
    ['the number of events', events.length, BOUNDS.events],
    ['the number of projections', projections.length, BOUNDS.projections],
    ['the number of blobs', blobs.length + keeps.length, BOUNDS.blobs],
  ] as const;
  for (const [what, size, limit] of counts) {
    if (guard('bound.events', size > limit)) return fail({ code: 'E_JOURNAL_TOO_LARGE', what, size, limit });
  }
  const names = [
    checkRun(batch.run),
    checkCommand(batch.command),
    checkName('the target', batch.target, BOUNDS.target),
    checkSeq(batch.expectedSeq),
    ...(batch.fence ? [checkName('the scope', batch.fence.scope), checkToken(batch.fence.token)] : []),
  ];
  for (const name of names) if (!name.ok) return name;

  const answer = canonicalText('the answer', batch.answer ?? null);
  if (!answer.ok) return answer;
  const prepared = {
    answer: answer.value,
    events: [],
    projections: [],
    blobs: [],
  } as Writable<PreparedAppend>;
  for (const { type, data } of events) {
    const name = checkName('the type of an event', type);
    if (!name.ok) return name;
    const text = canonicalText(`the data of ${type}`, data);
    if (!text.ok) return text;
    prepared.events.push({ type, data: text.value });
  }
  for (const change of projections) {
    const projection = prepareProjection(change);
    if (!projection.ok) return projection;
    prepared.projections.push(projection.value);
  }
  const size = sizeOf(batch, prepared);
  const limit = BOUNDS.append;
  if (guard('bound.append', size > limit)) {
    return fail({ code: 'E_JOURNAL_TOO_LARGE', what: 'the write as a whole', size, limit });
  }
  const found = prepareBlobs(blobs, keeps);
  return found.ok ? ok({ ...prepared, blobs: found.value }) : found;
}

/** What the store itself writes into a chain begins with this; no caller may. */
export const RESERVED = 'cuebook:';

function checkCommand(command: string): JournalResult<string> {
  const name = checkName('the command id', command);
  if (name.ok && guard('append.reserved', command.startsWith(RESERVED))) {
    const reason = `ids that begin with ${RESERVED} are the store's own`;
    return fail({ code: 'E_JOURNAL_INVALID', what: 'the command id', reason });
  }
  return name;
}

/** The projection as it is stored and hashed. */
export function prepareProjection(change: {
  readonly name: string;
  readonly key: string;
  readonly value: unknown;
  readonly isAtRest?: boolean;
}): JournalResult<PreparedProjection> {
  const { name, key, value, isAtRest = false } = change;
  for (const checked of [checkName('the name of a projection', name), checkName('its key', key)]) {
    if (!checked.ok) return checked;
  }
  if (value === null) return ok({ name, key, hash: null, value: null, isAtRest: false });
  const text = canonicalText(`the projection ${name}`, value);
  if (!text.ok) return text;
  const plain = Buffer.from(text.value);
  return ok({ name, key, hash: hex(digest(plain)), value: pack(plain, OVERWRITTEN), isAtRest });
}

/** Contents and names as one list, each blob once. */
export function prepareBlobs(
  contents: readonly Uint8Array[],
  names: readonly string[],
): JournalResult<readonly PreparedBlob[]> {
  const found = new Map<string, PreparedBlob>();
  for (const plain of contents) {
    const size = plain.length;
    const limit = BOUNDS.blob;
    if (guard('bound.blob', size > limit)) {
      return fail({ code: 'E_JOURNAL_TOO_LARGE', what: 'a blob', size, limit });
    }
    const name = digest(plain);
    found.set(hex(name), { name, key: keyOf(name), content: { size, plain } });
  }
  for (const shown of names) {
    const name = readHash(shown);
    if (name === undefined) {
      const reason = 'it is `sha256:` and 64 hexadecimal digits';
      return fail({ code: 'E_JOURNAL_INVALID', what: 'the name of a blob', reason });
    }
    if (!found.has(hex(name))) found.set(hex(name), { name, key: keyOf(name) });
  }
  return ok([...found.values()]);
}

type Writable<Value> = {
  -readonly [Key in keyof Value]: Value[Key] extends readonly (infer Item)[] ? Item[] : Value[Key];
};

const checkSeq = (seq: number): JournalResult<number> => checkWhole('the expected seq', seq);
const checkToken = (token: number): JournalResult<number> => checkWhole('the token', token);

function checkWhole(what: string, value: number): JournalResult<number> {
  if (Number.isSafeInteger(value) && value >= 0) return ok(value);
  return fail({ code: 'E_JOURNAL_INVALID', what, reason: 'it is a whole number, 0 or more' });
}

/** Bytes of the body before packing, roughly: each projection and blob counts with what it may cost there. */
function sizeOf(batch: Append, { answer, events, projections }: PreparedAppend): number {
  const event = events.reduce((sum, { type, data }) => sum + type.length * 2 + Buffer.byteLength(data), 0);
  const projection = projections.reduce((sum, { name, key }) => sum + (name.length + key.length) * 2 + 80, 0);
  return event + projection + Buffer.byteLength(answer) + (batch.command.length + batch.target.length) * 2;
}
