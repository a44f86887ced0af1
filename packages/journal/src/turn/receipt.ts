import { type JsonValue, REDACTION_KINDS, type ToolCall } from '@cuebook/prompt';
import { z } from 'zod';
import {
  type BlockEntry,
  isBlockEntry,
  isCall,
  isCount,
  isHash,
  isKept,
  isSourceRow,
  type SourceRow,
} from './shape.js';

// What the three events of a turn say, in words; `wire/` has the form in which events keep it. Hashes are sha256
// in base64url (43 characters). A list or object may be replaced by the hash of a blob with its canonical JSON (see
// `packed.ts`).

const hash = z.custom<string>(isHash);
const count = z.custom<number>(isCount);
const text = z.string();
/** What comes out of a JSON column is JSON: looking through it again would only cost. */
const json = z.custom<JsonValue>((value) => value !== undefined);

/**
 * The spans of a receipt's new blocks: `sources` are new sources, or places in the table of the receipts before
 * it in the chain of bases; `bytes` is the span map in base64url, or the place of one that the chain has told.
 */
export const spanTableSchema = z.object({
  sources: z.custom<readonly (number | SourceRow)[]>(
    (rows) => Array.isArray(rows) && rows.every((row) => isCount(row) || isSourceRow(row)),
  ),
  bytes: z.union([text, count]),
});

/** The calls of an assistant-role block. */
export const callsSchema = z.array(z.custom<ToolCall>(isCall));

/** Blocks in order: a new one, or `[first, count]` of the base's. In a delta: of the full prompt's. */
export const blocksSchema = z.array(
  z.custom<[first: number, count: number] | BlockEntry>((item) => isKept(item) || isBlockEntry(item)),
);

export const redactionSchema = z.object({
  kind: z.enum(REDACTION_KINDS),
  block: text,
  start: count,
  end: count,
});

/** The hash of each file by its path, and the commit that was checked out when it was read; `''` outside a repository. */
export const filesSchema = z.array(z.tuple([text, z.record(text, hash)]));

/** Sources by JSON pointer. */
export const besideSchema = z.record(text, z.custom<SourceRow>(isSourceRow));

/** Tools, parameters and their sources that are left out are those of the base; of the full prompt, in a delta. */
const requestShape = {
  blocks: z.union([blocksSchema, hash]),
  whole: hash,
  tools: z.union([z.array(json), hash]).optional(),
  params: z.union([z.record(text, json), hash]).optional(),
  /** Where tools and parameters come from, by JSON pointer. */
  sources: z.union([besideSchema, hash]).optional(),
  removed: z.array(z.enum(REDACTION_KINDS)).optional(),
  /** Left out when the spans tell the same. */
  redactions: z.union([z.array(redactionSchema), hash]).optional(),
};

export const requestSchema = z.object(requestShape);

export const sentSchema = z.object({ channel: z.enum(['http', 'stdin', 'argv']), hash, ordinal: count });

const signed = {
  turn: text,
  /** The hash of the run's receipt before this one; 1 when that is the event before, 0 for the first. */
  prev: z.union([hash, z.literal(0), z.literal(1)]),
  /** Which key signed it. */
  key: text,
  sig: text,
};

/** `turn.recorded`: all that a turn is about to tell the provider, as what changed since `base`. */
export const recordedSchema = z.object({
  ...signed,
  ...requestShape,
  lane: text,
  /** Which turn of the run it is, from 1; left out by earlier versions. */
  number: count.optional(),
  /** The seq of the receipt that this one builds on; left out when it stands alone. */
  base: count.optional(),
  spans: z.union([spanTableSchema, hash]).optional(),
  /** The files that the words come from, as they were: those that the chain of bases has not told so. */
  files: z.union([filesSchema, hash]).optional(),
  delta: requestSchema.optional(),
  /** Left out when it is that of the base. */
  to: z
    .object({
      provider: text,
      model: text.optional(),
      session: text.optional(),
      rehearsal: z.literal(true).optional(),
    })
    .optional(),
  sent: sentSchema.optional(),
});

/** `turn.sent`: further bytes of the same turn: a retry, an answer in mid-turn. */
export const sentAgainSchema = z.object({ ...signed, sent: sentSchema });

/** A text where it stands, or the hash of its blob. */
export const saidSchema = z.union([z.object({ text }), hash]);

export const toolUseSchema = z.object({
  id: text,
  name: text,
  by: z.enum(['caller', 'agent']),
  /** Where it stands, or the hash of its canonical JSON. */
  input: z.union([z.object({ json }), hash]).optional(),
  badInput: saidSchema.optional(),
  output: saidSchema.optional(),
  isError: z.boolean().optional(),
});

/** `turn.ended`: how it came out. A turn without one was interrupted, or is still open. */
export const endedSchema = z.object({
  ...signed,
  reason: z.enum(['done', 'error', 'aborted', 'timeout', 'refused']),
  error: json.optional(),
  stop: text.optional(),
  usage: json.optional(),
  session: text.optional(),
  said: saidSchema.optional(),
  reasoning: saidSchema.optional(),
  calls: z.union([z.array(toolUseSchema), hash]).optional(),
});

export type SpanTable = z.infer<typeof spanTableSchema>;
export type FileList = z.infer<typeof filesSchema>;
export type BlockList = z.infer<typeof blocksSchema>;
export type RequestData = z.infer<typeof requestSchema>;
export type Recorded = z.infer<typeof recordedSchema>;
export type SentAgain = z.infer<typeof sentAgainSchema>;
export type Ended = z.infer<typeof endedSchema>;
export type Destination = NonNullable<Recorded['to']>;
export type SentBytes = z.infer<typeof sentSchema>;
export type ToolUseData = z.infer<typeof toolUseSchema>;
export type SaidReceipt = z.infer<typeof saidSchema>;

/** The events that are receipts, with what each holds. */
export const RECEIPT_SCHEMAS = {
  'turn.recorded': recordedSchema,
  'turn.sent': sentAgainSchema,
  'turn.ended': endedSchema,
} as const;

export type ReceiptType = keyof typeof RECEIPT_SCHEMAS;

export type Receipt =
  | { readonly type: 'turn.recorded'; readonly data: Recorded }
  | { readonly type: 'turn.sent'; readonly data: SentAgain }
  | { readonly type: 'turn.ended'; readonly data: Ended };

export const isReceiptType = (type: string): type is ReceiptType => Object.hasOwn(RECEIPT_SCHEMAS, type);

/** Bytes on their way out, told by their hash. `hash` is `sha256:` and hex digits. */
export interface Sending {
  readonly channel: 'http' | 'stdin' | 'argv';
  readonly hash: string;
  /** 1 for the turn's first send, then counting. */
  readonly ordinal: number;
}
