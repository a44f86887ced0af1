import * as z from '../zod.js';

/** What somebody may do with a project. */
export const personRoleSchema = z.enum(['owner', 'operator', 'reviewer', 'viewer']);

export const personNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._@+-]{0,99}$/, 'the name of a person: a-z, digits and . _ @ + -');

/** Somebody with a role in the project. */
export const personSchema = z.object({
  name: z.string(),
  role: personRoleSchema,
  email: z.string().nullable(),
  addedAt: z.number(),
  addedBy: z.string(),
  tokens: z.array(z.object({ id: z.string(), issuedAt: z.number(), expiresAt: z.number().nullable() })),
});

/** A token, told once. */
export const tokenToldSchema = z.object({
  name: z.string(),
  role: personRoleSchema,
  /** The id by which it is revoked. */
  id: z.string(),
  token: z.string(),
});
