import { hash as digest } from 'node:crypto';
import type { BlockInput, Piece, Prompt, Role } from '../src/block.js';
import { compose } from '../src/compose.js';
import { createRedactor } from '../src/redact/redactor.js';
import { describeRefusal } from '../src/refusal.js';

/** Node's digest in the form the kernel takes. */
export const hash = (text: string): string => `sha256:${digest('sha256', text)}`;

/** Author text at the start of a file, unless said otherwise. */
export const piece = (text: string, labels: Partial<Piece> = {}): Piece => ({
  text,
  origin: { kind: 'file', ref: 'a.md', line: 1, column: 1 },
  trust: 'author',
  secrecy: 'public',
  volatility: 'build',
  ...labels,
});

export const block = (name: string, role: Role, ...pieces: readonly Piece[]): BlockInput => ({
  name,
  role,
  pieces,
});

/** A prompt of blocks that nothing is wrong with. */
export function promptOf(...blocks: readonly BlockInput[]): Prompt {
  const result = compose({ blocks, hash, redactor: createRedactor({ roots: [], private: [], names: [] }) });
  if (!result.ok) throw new Error(result.error.map(describeRefusal).join('; '));
  return result.value;
}
