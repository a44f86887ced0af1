import type { Prompt, Span } from './block.js';
import { VOLATILITY_RANK, type Volatility } from './label.js';
import { placeBlocks } from './project.js';

/** The span that ends the stable prefix, and what moving it to the end would save by the labels of what follows. */
export interface PrefixBreak {
  readonly block: string;
  readonly span: Span;
  /** Stable bytes between the break and the next one: what moving it behind them adds; structure stays with its text. */
  readonly savesBytes: number;
}

/** How much of a prompt's one-string projection a provider can keep from one turn to the next. */
export interface StablePrefix {
  readonly stablePrefixBytes: number;
  /** Null when nothing in the prompt changes more often than `within` allows. */
  readonly brokenBy: PrefixBreak | null;
}

/**
 * The longest prefix that changes no more often than `within` (by default: stays the same for a session).
 * The order is reported on, never changed: where a protocol fixes it, the break is simply known.
 */
export function stablePrefix(prompt: Pick<Prompt, 'blocks'>, within: Volatility = 'session'): StablePrefix {
  const limit = VOLATILITY_RANK[within];
  let end = 0;
  let broken: { readonly block: string; readonly span: Span } | undefined;
  let saves = 0;
  let isSecond = false;
  for (const { block, start } of placeBlocks(prompt)) {
    for (const span of block.spans) {
      const isStable = VOLATILITY_RANK[span.volatility] <= limit;
      if (broken === undefined && isStable) end = start + span.end;
      else if (broken === undefined) {
        broken = { block: block.name, span };
        // The separators before the break are as stable as the text around them.
        end = start + span.start;
      } else if (!isStable) isSecond ||= !isSameSource(span, broken.span);
      else if (!isSecond && span.origin.kind !== 'structure') saves += span.end - span.start;
    }
  }
  return { stablePrefixBytes: end, brokenBy: broken === undefined ? null : { ...broken, savesBytes: saves } };
}

/** Spans of one source are moved together. */
const isSameSource = ({ origin: a }: Span, { origin: b }: Span): boolean =>
  a.kind === b.kind && a.ref === b.ref;
