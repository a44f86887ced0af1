import * as z from '../zod.js';

/** Any JSON. How deep it may go is for the server to bound before it looks at the shape. */
export const jsonSchema: z.ZodType<JsonValue> = z
  .lazy(() =>
    z.union([
      z.string(),
      z.number(),
      z.boolean(),
      z.null(),
      z.array(jsonSchema),
      z.record(z.string(), jsonSchema),
    ]),
  )
  .meta({ id: 'Json' });

/** A value of JSON. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** The id of a run. */
export const runIdSchema = z
  .string()
  .regex(/^run_[A-Za-z0-9_-]{1,80}$/, 'the id of a run: run_ and letters or digits');

/** The id of an agent of a platform, of a place, or of a thing with a name like theirs. */
export const agentIdSchema = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    'is 1 to 64 of a-z, 0-9, dash and underscore, and starts with a letter or digit',
  );

/** A node, by its id or its alias. */
export const nodeRefSchema = z.string().trim().min(1).max(200);

/** The id of something inside a run: an effect, a turn, an approval. */
export const partIdSchema = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\s/]+$/, 'an id, without spaces and slashes');

/** The id of a command: the same one again is the same command, done once. */
export const commandIdSchema = z
  .string()
  .min(1)
  .max(150)
  .regex(/^[\x21-\x7e]+$/, 'letters, digits and signs without spaces');

/** What a person writes. */
export const textSchema = z.string().min(1).max(64_000);

/** Texts for the inputs of a sheet, by the names of the inputs. Other targets take one text: `input`. */
export const inputsSchema = z.record(z.string().min(1).max(200), z.string().max(500_000));

const limit = z.number().positive().max(1e12);

/** What a run may spend. */
export const budgetSchema = z.strictObject({
  turns: limit.int().optional(),
  tokens: limit.int().optional(),
  usd: limit.optional(),
});

/** One problem in a file, as `check` tells it. */
export const diagnosticSchema = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  file: z.string().optional(),
  line: z.number().optional(),
  column: z.number().optional(),
  path: z.string().optional(),
});

/** The body of every answer that is a no. */
export const errorBodySchema = z.object({
  error: z.object({
    code: z.string().max(100),
    message: z.string(),
    /** Which field of the request it is about: `team.file`. */
    field: z.string().optional(),
    diagnostics: z.array(diagnosticSchema).optional(),
  }),
});

/** Milliseconds since the epoch. */
export const timeSchema = z.number().int();

/** What would become of a file: its lines that go and come. */
export const fileChangeSchema = z.object({
  file: z.string(),
  patch: z.string(),
  /** JSON pointers of the fields of the input that the patch tells exactly, by the file as it stands. */
  tells: z.array(z.string()).optional(),
});
