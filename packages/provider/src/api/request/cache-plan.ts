import { createHash } from 'node:crypto';
import { type Block, stablePrefix } from '@cuebook/prompt';

/**
 * How a vendor's cache is told what to keep: `marked` by breakpoints in the request, `keyed` by a name for
 * requests that begin alike, `implicit` by itself.
 */
export type CacheStyle = 'marked' | 'keyed' | 'implicit';

/** Where the cache of a request is to reach. */
export interface CachePlan {
  /** Indexes of blocks behind which a breakpoint stands. */
  readonly breakpoints: ReadonlySet<number>;
  /** Whether a breakpoint stands behind the tools. */
  readonly afterTools: boolean;
  /** The same for all requests of one conversation; without one, for all whose rules begin alike. */
  readonly key: string;
  /** One digest for each place where a prefix ends: behind the tools first, then behind each block. */
  readonly chain: readonly string[];
}

/**
 * Breakpoints stand behind the last block that stays the same for the session, as the prompt's own labels have
 * it, and, once there is a history, behind the last block, so that the next turn reads this one's, and in front of
 * the exchange before the newest: vendors look back only some blocks, and an exchange may have many.
 */
export function planCache(
  blocks: readonly Block[],
  tools: readonly unknown[],
  model: string,
  conversation?: string,
): CachePlan {
  const lastStable = lastStableBlock(blocks);
  const hasHistory = blocks.some(({ role }) => role === 'assistant' || role === 'tool');
  const breakpoints = new Set<number>();
  if (lastStable >= 0) breakpoints.add(lastStable);
  if (hasHistory) breakpoints.add(blocks.length - 1);
  const earlier = Math.min(lastBeforeExchange(blocks), lastStable);
  if (earlier >= 0) breakpoints.add(earlier);
  const chain = chainOf(blocks, tools, model);
  return {
    breakpoints,
    afterTools: tools.length > 0,
    key: cacheKey(chain, blocks, lastStable, conversation),
    chain,
  };
}

/** Never of the history: a key that changes as a conversation grows finds nothing. */
function cacheKey(
  chain: readonly string[],
  blocks: readonly Block[],
  lastStable: number,
  conversation: string | undefined,
): string {
  if (conversation !== undefined) return digest(`conversation ${conversation}`).slice(0, 32);
  const first = blocks.findIndex(({ role }) => role !== 'system');
  const rules = first < 0 ? blocks.length : first;
  return (chain[Math.min(lastStable + 1, rules)] as string).slice(0, 32);
}

/** The last block that lies in the stable prefix as a whole; -1 when none does. */
function lastStableBlock(blocks: readonly Block[]): number {
  const { brokenBy } = stablePrefix({ blocks });
  if (brokenBy === null) return blocks.length - 1;
  return blocks.findIndex(({ name }) => name === brokenBy.block) - 1;
}

/** The block in front of the last words to a model that it has answered; -1 when there are none. */
function lastBeforeExchange(blocks: readonly Block[]): number {
  const answered = blocks.findLastIndex(({ role }) => role === 'assistant');
  const isUser = ({ role }: Block): boolean => role === 'user';
  const end = blocks.slice(0, Math.max(0, answered)).findLastIndex(isUser);
  return blocks.slice(0, Math.max(0, end)).findLastIndex((block) => !isUser(block));
}

function chainOf(blocks: readonly Block[], tools: readonly unknown[], model: string): readonly string[] {
  const chain = [digest(JSON.stringify([model, tools]))];
  for (const { role, hash, calls, callId, media } of blocks) {
    chain.push(digest(JSON.stringify([chain.at(-1), role, hash, calls, callId, media])));
  }
  return chain;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
