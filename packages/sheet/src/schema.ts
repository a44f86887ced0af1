import { ROLES, SECRECIES, TRUSTS, VOLATILITIES } from '@cuebook/prompt';
import { z } from 'zod';

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

/** An input a caller hands in. The three labels have no default: only the author knows who writes it. */
const input = z.strictObject({
  trust: z.enum(TRUSTS),
  secrecy: z.enum(SECRECIES),
  volatility: z.enum(VOLATILITIES),
  description: z.string().optional(),
  example: z.string().optional(),
  required: z.boolean().default(true),
});

const block = z.strictObject({
  name,
  role: z.enum(ROLES),
  parts: z
    .array(z.union([textPart, includePart, inputPart], 'a part is { text }, { include } or { input }'))
    .min(1),
});

/** `sheets/NAME.yaml` */
export const sheetSchema = z.strictObject({
  title: z.string().optional(),
  params: z.record(z.string(), z.unknown()).default({}),
  tools: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        description: z.string().optional(),
        parameters: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .default([]),
  capabilities: z.array(z.string().min(1)).default([]),
  inputs: z.record(name, input).default({}),
  blocks: z.array(block).min(1),
});

/** `texts/NAME.yaml` */
export const textSchema = z.strictObject({
  parts: z.array(z.union([textPart, includePart], 'a part of a text is { text } or { include }')).min(1),
});

export type Sheet = z.infer<typeof sheetSchema>;
export type SheetInput = z.infer<typeof input>;
export type SheetPart = Sheet['blocks'][number]['parts'][number];
