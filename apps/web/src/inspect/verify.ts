import type { TurnView } from '@cuebook/api';
import { joinBlocks } from '@cuebook/prompt';

/** What recomputing says: the hash of the whole, and the blocks whose words have another hash than on record. */
export interface Recomputed {
  readonly hash: string;
  readonly isSame: boolean;
  readonly wrong: readonly string[];
}

/** Recomputes the hashes of a prompt in this browser: the kernel joins the blocks, the browser's own SHA-256 does the rest. */
export async function recompute({
  blocks,
  hash,
}: Pick<TurnView['full'], 'blocks' | 'hash'>): Promise<Recomputed> {
  const found = await hashHere(joinBlocks(blocks));
  const hashes = await Promise.all(blocks.map(({ text }) => hashHere(text)));
  const wrong = blocks.filter((block, index) => block.hash !== hashes[index]).map(({ name }) => name);
  return { hash: found, isSame: found === hash && wrong.length === 0, wrong };
}

/** `sha256:` and the hex digest of a text. */
async function hashHere(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `sha256:${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
