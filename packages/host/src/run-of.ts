import { createHash } from 'node:crypto';
import type { RunId } from '@cuebook/journal';

/** The run that a command with this id starts. */
export const runOf = (id: string): RunId =>
  `run_${createHash('sha256').update(id).digest('hex').slice(0, 24)}` as RunId;
