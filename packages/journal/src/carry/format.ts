import type { JsonValue } from '@cuebook/prompt';
import { z } from 'zod';
import { keyRecordSchema } from '../turn/key/chain.js';

// A run as one file: JSON lines, UTF-8. The first line says what it is, then come commits in order, projections,
// blobs, and last a line with the sha256 of all lines before it. docs/user/records.md describes it for people.

const hash = z.string().regex(/^sha256:[0-9a-f]{64}$/);
const count = z.number().int().nonnegative();
const text = z.string();
const json = z.custom<JsonValue>((value) => value !== undefined);

/** The version of the format that this package writes. */
export const FORMAT_VERSION = 1;

export const headerSchema = z.object({
  cuebook: z.literal('run'),
  version: count,
  run: text,
  /** The public keys, as PEM, of all who signed a receipt, where they are known. */
  keys: z.record(text, text),
  /** How keys followed one another, so that who trusts one of them can check all. */
  chain: z.array(keyRecordSchema).optional(),
  /** The hash of the last event. */
  head: hash,
});

export const commitSchema = z.object({
  firstSeq: count,
  lastSeq: count,
  at: z.number(),
  command: text,
  target: text,
  answer: json,
  events: z.array(z.object({ type: text, data: json, hash })),
  projections: z.array(z.object({ name: text, key: text, hash: z.union([hash, z.null()]) })),
  blobs: z.array(hash),
  hash,
});

export const lineSchema = z.union([
  z.object({ commit: commitSchema }),
  z.object({ projection: z.object({ name: text, key: text, value: json }) }),
  z.object({ blob: hash, text }),
  z.object({ blob: hash, base64: text }),
  z.object({ blob: hash, deleted: z.literal(true), size: count }),
  z.object({ end: hash }),
]);

export type Header = z.infer<typeof headerSchema>;
export type CommitLine = z.infer<typeof commitSchema>;
export type ExportLine = z.infer<typeof lineSchema>;
