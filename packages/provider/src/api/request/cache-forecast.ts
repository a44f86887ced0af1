import type { Block, OfferedTool } from '@cuebook/prompt';
import type { StreamClock } from '../../stream/clock.js';
import type { CachePlan, CacheStyle } from './cache-plan.js';

/** Predicts from what was sent lately how much of a request the vendor has in its cache. */
export interface CacheForecast {
  predict(plan: CachePlan, sizes: readonly number[]): number;
  /** Whether requests of a conversation were sent from here, by the key of their cache. */
  knows(key: string): boolean;
  /** Called once a request was answered, and for what another process sent, with the time of it. */
  remember(plan: CachePlan, at?: number): void;
}

/** How long vendors keep a prefix that nobody asks for. */
const KEPT_MS = 5 * 60_000;
/** No vendor caches less. */
const LEAST_TOKENS = 1024;
/** Vendors that cache by themselves do so in steps. */
const STEP_TOKENS = 128;
const MAX_REMEMBERED = 4_096;

export function createForecast(style: CacheStyle, clock: StreamClock): CacheForecast {
  /** When each prefix was last sent; the oldest first. */
  const sent = new Map<string, number>();
  const keys = new Set<string>();

  const isKept = (prefix: string): boolean => {
    const at = sent.get(prefix);
    return at !== undefined && clock.now() - at < KEPT_MS;
  };

  return {
    predict({ chain }, sizes) {
      for (let at = chain.length - 1; at >= 0; at -= 1) {
        if (!isKept(chain[at] as string)) continue;
        const tokens = sizes.slice(0, at + 1).reduce((sum, size) => sum + size, 0);
        if (tokens < LEAST_TOKENS) return 0;
        return style === 'marked' ? tokens : tokens - (tokens % STEP_TOKENS);
      }
      return 0;
    },
    knows: (key) => keys.has(key),
    remember({ chain, breakpoints, afterTools, key }, when = clock.now()) {
      if (keys.size >= MAX_REMEMBERED) keys.clear();
      keys.add(key);
      const isWritten = (at: number): boolean =>
        style !== 'marked' || (at === 0 ? afterTools : breakpoints.has(at - 1));
      for (const [place, prefix] of chain.entries()) {
        if (!isWritten(place)) continue;
        const at = Math.max(when, sent.get(prefix) ?? when);
        sent.delete(prefix);
        sent.set(prefix, at);
      }
      for (const prefix of sent.keys()) {
        if (sent.size <= MAX_REMEMBERED) break;
        sent.delete(prefix);
      }
    },
  };
}

/** The tokens of the tools and of each block, by a counter for texts. */
export function sizesOf(
  blocks: readonly Block[],
  tools: readonly OfferedTool[],
  count: (text: string) => number,
): readonly number[] {
  const ofTools = tools.length === 0 ? 0 : count(JSON.stringify(tools));
  const ofBlock = ({ text, calls }: Block) => count(text) + (calls ? count(JSON.stringify(calls)) : 0);
  return [ofTools, ...blocks.map(ofBlock)];
}

/** About four bytes a token, as English and code come out. A real tokenizer is handed in where it matters. */
export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);
