import * as z from '../zod.js';
import { diagnosticSchema, jsonSchema } from './base.js';
import { requestSchema } from './turn.js';

/** A target of the project: `sheet:review`, or `sheet:review@production` as of a label or revision. */
export const targetSchema = z
  .string()
  .max(1_000)
  .regex(
    /^[a-z]+:[^\s@]+(?:@\S+)?$/,
    'a target: its kind, a colon and its name, and if wished an @ with a label or a revision',
  );

/** A file of the project, from its top. */
export const pathSchema = z.string().min(1).max(1_000);

/** The text of a file of prompts. */
export const fileTextSchema = z.string().max(512 * 1024);

/** The text of a file in place of the one on disk. */
export const fileEditSchema = z.strictObject({ path: pathSchema, text: fileTextSchema });

/** A target as the library lists it. */
export const libraryEntrySchema = z.object({ target: z.string(), kind: z.string(), name: z.string() });

/** A file that a target is made of. */
export const sourceFileSchema = z.object({
  path: z.string(),
  text: z.string(),
  /** Of its bytes: handed in to save, so that nobody else's change is written over. */
  sha256: z.string(),
  /** Whether it can be saved here: role templates, sheets, and the texts that sheets include. */
  editable: z.boolean(),
});

/** What a target is made of, and what it takes. */
export const targetSourceSchema = z.object({
  target: z.string(),
  files: z.array(sourceFileSchema),
  /** The JSON Schema of what a caller hands in, by name. */
  inputs: z.record(z.string(), jsonSchema),
  /** What stands in where nobody hands in anything: the author's examples. */
  sample: z.record(z.string(), jsonSchema),
  diagnostics: z.array(diagnosticSchema),
});

/** A target as `render` composes it. */
export const renderedSchema = z.object({
  /** With the edits that were handed in. Null: it cannot be composed, and the diagnostics say why. */
  now: requestSchema.nullable(),
  /** As the files on disk give it, where edits were handed in. */
  saved: requestSchema.nullable(),
  diagnostics: z.array(diagnosticSchema),
});

/** A file that was saved. */
export const savedFileSchema = z.object({ path: z.string(), sha256: z.string() });

/** What a change gives new bytes, or keeps from being composed. */
export const reachedSchema = z.object({
  target: z.string(),
  change: z.enum(['changed', 'broken', 'fixed']),
});

/** What a target is made of. */
export type TargetSourceView = z.output<typeof targetSourceSchema>;
/** A target as it is composed. */
export type RenderedView = z.output<typeof renderedSchema>;
