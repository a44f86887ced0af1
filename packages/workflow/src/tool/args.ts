import { z } from 'zod';

/** Arguments that several tools take, as they are read. */
export const path = z.string().min(1).max(4096);
export const line = z.int().min(1);
export const sha = z.string().regex(/^[0-9a-fA-F]{64}$/, 'a sha256 has 64 hexadecimal digits');

/** The same, as a model is told of them. */
export const TEXT = { type: 'string' } as const;
export const LINE = { type: 'integer', minimum: 1 } as const;
export const PATH = {
  type: 'string',
  description: 'A path that begins with @project, @pkg or @state.',
} as const;
export const SHA = { type: 'string', description: 'The sha256 that the file must have now.' } as const;

/** The JSON Schema of an object with these keys and no others. */
export const object = (
  properties: Record<string, unknown>,
  required: readonly string[],
): Record<string, unknown> => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

export const list = (items: object) => ({ type: 'array', items });
