import { z } from 'zod';

/** Arguments that several tools take, as they are read. */
export const path = z.string().min(1).max(4096);
export const line = z.int().min(1);
export const sha = z.string().regex(/^[0-9a-fA-F]{64}$/, 'a sha256 has 64 hexadecimal digits');
