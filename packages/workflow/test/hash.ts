import { createHash } from 'node:crypto';
import type { Hash } from '@cuebook/prompt';

export const hash: Hash = (text) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
