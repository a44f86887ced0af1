import { z } from 'zod';
import type { FileToolName } from '../policy/tools.js';
import { patchSchema } from '../state/schema.js';

const path = z.string().min(1).max(4096);
const line = z.int().min(1);
const sha = z.string().regex(/^[0-9a-fA-F]{64}$/, 'a sha256 has 64 hexadecimal digits');

/** The arguments of each tool. A key that a tool does not have is an error, never ignored. */
export const ARGS = {
  'fs.list': z.strictObject({ path }),
  'fs.read': z
    .strictObject({ path, startLine: line.optional(), endLine: line.optional() })
    .refine(({ startLine = 1, endLine }) => endLine === undefined || endLine >= startLine, {
      message: 'it is before startLine',
      path: ['endLine'],
    }),
  'fs.search': z.strictObject({
    path,
    pattern: z.string().min(1).max(1000),
    before: z.int().min(0).max(20).default(1),
    after: z.int().min(0).max(20).default(1),
    maxMatches: z.int().min(1).max(1000).default(50),
  }),
  'fs.write': z.strictObject({ path, content: z.string(), ifMatchSha256: sha.optional() }),
  'fs.apply_patch': z.strictObject({ path, patch: patchSchema }),
} as const satisfies Record<FileToolName, z.ZodType>;

export type ArgsOf<Name extends FileToolName> = z.infer<(typeof ARGS)[Name]>;

/** What the arguments of a tool look like, for a model that sent others. */
export const ARG_HINTS: Readonly<Record<FileToolName, string>> = {
  'fs.list': '{ path }',
  'fs.read': '{ path, startLine?, endLine? }',
  'fs.search': '{ path, pattern, before?, after?, maxMatches? }; pattern is taken literally',
  'fs.write': '{ path, content, ifMatchSha256? }',
  'fs.apply_patch':
    '{ path: "@state/workflow.md", patch: { operation: "updateFrontmatter", update: { … }, ifMatchSha256? } }',
};
