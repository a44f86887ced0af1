import { guard } from '@cuebook/guard';
import { ROLES, SECRECIES, TRUSTS, VOLATILITIES } from '@cuebook/prompt';
import { z } from 'zod';
import { shapeSchema } from './shape/shape.js';

const name = z
  .string()
  .regex(/^[A-Za-z][\w.-]*$/, 'a name starts with a letter and holds letters, digits, dot, dash, underscore');
const textName = z
  .string()
  .regex(
    /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*$/,
    'a text is named by its path below texts/, without the ending',
  );

const textPart = z.strictObject({ text: z.string() });
const includePart = z.strictObject({ include: textName });
const inputPart = z.strictObject({ input: name });

const templatePart = z.strictObject({ template: z.string() });

const part = z.union(
  [textPart, includePart, inputPart, templatePart],
  'a part is { text }, { include }, { input } or { template }',
);

const freeMap = z.record(z.string(), z.unknown());

/** What is sent beside the messages, as JSON: numbers that JSON does not have would become null there. */
const params = freeMap.superRefine((value, context) => {
  const path = pathToInfinite(value);
  if (guard('sheet.infinite', path !== undefined))
    context.addIssue({
      code: 'custom',
      path: [...(path ?? [])],
      message: 'JSON has no such number, so it cannot be sent',
    });
});

function pathToInfinite(value: unknown): readonly PropertyKey[] | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const path = pathToInfinite(inner);
    if (path !== undefined) return [Array.isArray(value) ? Number(key) : key, ...path];
  }
  return undefined;
}

/** An input a caller hands in. The three labels have no default: only the author knows who writes it. */
const input = z.strictObject({
  trust: z.enum(TRUSTS),
  secrecy: z.enum(SECRECIES),
  volatility: z.enum(VOLATILITIES),
  description: z.string().optional(),
  example: z.string().optional(),
  required: z.boolean().default(true),
  /** `list` and `json` are handed in as JSON, for templates. */
  type: z.enum(['text', 'list', 'json']).default('text'),
  shape: shapeSchema.optional(),
  /** What becomes of a value that does not fit its shape. */
  otherwise: z.enum(['refuse', 'fence']).optional(),
});

const block = z.strictObject({
  name,
  role: z.enum(ROLES),
  /** `omit`: no message is sent when all of its text is white space. */
  blank: z.enum(['send', 'omit']).optional(),
  parts: z.array(part).min(1),
});

/** Earlier messages become messages here. They are handed in like an input, under a name of their own. */
const history = z.strictObject({
  history: z.strictObject({
    name: name.default('history'),
    /** Only the last so many. */
    max: z.number().int().positive().optional(),
    required: z.boolean().default(false),
    secrecy: z.enum(['public', 'confidential']).default('public'),
  }),
});

const said = z.union([z.string(), z.array(part).min(1)], 'an example is a text or a list of parts');

/** Pairs of messages that show the model what is wanted. */
const examples = z.strictObject({
  examples: z.array(z.strictObject({ user: said, assistant: said })).min(1),
});

/** `sheets/NAME.yaml` */
export const sheetSchema = z.strictObject({
  title: z.string().optional(),
  meta: freeMap.optional(),
  params: params.default({}),
  tools: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        description: z.string().optional(),
        parameters: freeMap.optional(),
      }),
    )
    .default([]),
  answer: z.strictObject({ schema: freeMap, name: name.optional() }).optional(),
  capabilities: z.array(z.string().min(1)).default([]),
  inputs: z.record(name, input).default({}),
  blocks: z
    .array(
      z.union(
        [block, history, examples],
        'an entry of blocks is { name, role, parts }, { history } or { examples }',
      ),
    )
    .min(1),
});

/** `texts/NAME.yaml`. Inputs are declared by the sheet that includes the text. */
export const textSchema = z.strictObject({ parts: z.array(part).min(1) });

export type Sheet = z.infer<typeof sheetSchema>;
export type SheetInput = z.infer<typeof input>;
export type SheetHistory = z.infer<typeof history>['history'];
export type SheetPart = z.infer<typeof part>;
