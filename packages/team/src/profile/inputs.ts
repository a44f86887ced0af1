import { z } from 'zod';

/** Flags that roles and teams share. */
export const goalInput = z.string().min(1).optional().describe('What the run is for');

/** The mode, in the place of the file's. */
export const globalModeInput = z
  .enum(['PLANNING', 'IMPLEMENTATION'])
  .optional()
  .describe('PLANNING or IMPLEMENTATION');

/** Who speaks for the node, in the place of the file's. */
export const providerInput = <Schema extends z.ZodType<string>>(schema: Schema) =>
  schema.optional().describe('The provider of the node: claude, codex, gemini, or any other');
