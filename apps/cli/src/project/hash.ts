import { createHash } from 'node:crypto';
import type { Hash } from '@cuebook/prompt';

/** The digest that names prompts and blocks. */
export const sha256: Hash = (text) => `sha256:${createHash('sha256').update(text, 'utf8').digest('hex')}`;
