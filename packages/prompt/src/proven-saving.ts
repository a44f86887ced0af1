import type { Prompt, Span } from './block.js';
import { commonHead } from './common-head.js';
import { type KeptPrefix, keptPrefix, type PrefixDifference } from './kept-prefix.js';
import { joinBlocks } from './project.js';
import { utf8Length } from './utf8.js';

/** What moving one source of words to the end would have kept in prompts that were really told. */
export interface ProvenSaving {
  readonly block: string;
  readonly origin: Span['origin'];
  /** The turns whose prefix it ended. */
  readonly turns: number;
  /** Bytes that would have been kept beside those that were, over all the prompts. Never negative. */
  readonly savesBytes: number;
}

/**
 * For each source that ended a prefix, what its move to the end would have saved: found by telling the prompts again
 * with its words moved, so that what breaks behind it counts. Largest first; what saves nothing is left out.
 */
export function provenSavings(prompts: readonly Prompt[]): readonly ProvenSaving[] {
  const kept = prompts.slice(1).map((prompt, index) => keptPrefix(prompts[index] as Prompt, prompt));
  const breaks = new Map<string, { readonly of: PrefixDifference; turns: number }>();
  for (const { brokenBy } of kept) {
    if (brokenBy?.span == null || brokenBy.in !== 'text' || brokenBy.span.origin.kind === 'structure')
      continue;
    const key = keyOf(brokenBy.block, brokenBy.span);
    const known = breaks.get(key) ?? { of: brokenBy, turns: 0 };
    known.turns += 1;
    breaks.set(key, known);
  }
  const savings = [...breaks].map(([key, { of, turns }]): ProvenSaving => {
    const savesBytes = savedBy(key, prompts, kept);
    return { block: of.block, origin: (of.span as Span).origin, turns, savesBytes };
  });
  return savings.filter(({ savesBytes }) => savesBytes > 0).sort((a, b) => b.savesBytes - a.savesBytes);
}

/** A source is what it is in every turn: its place may move with what stands before it in a generated file. */
const keyOf = (block: string, { origin }: Span): string =>
  JSON.stringify([block, origin.kind, origin.ref, origin.via]);

function savedBy(key: string, prompts: readonly Prompt[], kept: readonly KeptPrefix[]): number {
  const texts = prompts.map((prompt) => movedText(prompt, key));
  const saved = kept.reduce((sum, { bytes }, index) => {
    const [before = '', after = ''] = [texts[index], texts[index + 1]];
    return sum + utf8Length(after.slice(0, commonHead(before, after))) - bytes;
  }, 0);
  return Math.max(0, saved);
}

/** The prompt with the words of one source behind all others. */
function movedText({ blocks }: Prompt, key: string): string {
  let moved = '';
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const rest = blocks.map((block) => {
    if (!block.spans.some((span) => keyOf(block.name, span) === key)) return block;
    const bytes = new TextEncoder().encode(block.text);
    let text = '';
    for (const span of block.spans) {
      const words = decoder.decode(bytes.subarray(span.start, span.end));
      if (keyOf(block.name, span) === key) moved += words;
      else text += words;
    }
    return { text };
  });
  return joinBlocks([...rest, { text: moved }]);
}
