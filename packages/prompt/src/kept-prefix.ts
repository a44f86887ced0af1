import type { Block, Prompt, Span } from './block.js';
import { commonHead } from './common-head.js';
import { placeBlocks } from './project.js';
import { utf8Length } from './utf8.js';

/** The first thing of a prompt that is other than it was told before. */
export interface PrefixDifference {
  readonly block: string;
  /** What stands at the first byte that differs; where a prompt only lost words, those words as they stood before. */
  readonly span: Span | null;
  /** Whether the words differ, or what the block carries beside them. */
  readonly in: 'text' | 'role' | 'beside';
}

/** How much of a prompt repeats, byte for byte from its beginning, what was told before it. */
export interface KeptPrefix {
  /** UTF-8 bytes of the one-string projection. */
  readonly bytes: number;
  /** Null where the earlier prompt is a prefix as a whole. */
  readonly brokenBy: PrefixDifference | null;
}

type Told = Pick<Prompt, 'blocks'>;

/**
 * What a provider that was told `before` can keep of `after`, and what ended it. Blocks count as messages: the same
 * words in another role, with other calls or attachments, are not kept. Never more than the two texts share.
 */
export function keptPrefix(before: Told, after: Told): KeptPrefix {
  let bytes = 0;
  const starts = new Map(placeBlocks(after).map(({ block, start }) => [block, start]));
  for (const [index, old] of before.blocks.entries()) {
    const block = after.blocks[index];
    if (block === undefined) return lost(bytes, old, 0);
    const start = starts.get(block) ?? bytes;
    if (block.role !== old.role || block.callId !== old.callId) return other(bytes, block, 0, 'role');
    if (block.hash !== old.hash) {
      const head = commonHead(old.text, block.text);
      const common = utf8Length(block.text.slice(0, head));
      const kept = common === 0 ? bytes : start + common;
      return head === block.text.length ? lost(kept, old, common) : other(kept, block, common, 'text');
    }
    if (block.spans.length > 0) bytes = start + endOf(block);
    if (!sameBeside(old, block)) return other(bytes, block, endOf(block) - 1, 'beside');
  }
  return { bytes, brokenBy: null };
}

const endOf = ({ spans }: Block): number => spans.at(-1)?.end ?? 0;

const spanAt = ({ spans }: Block, byte: number): Span | null =>
  spans.find(({ end }) => end > byte) ?? spans.at(-1) ?? null;

const lost = (bytes: number, old: Block, at: number): KeptPrefix => ({
  bytes,
  brokenBy: { block: old.name, span: spanAt(old, at), in: 'text' },
});

const other = (bytes: number, block: Block, at: number, what: PrefixDifference['in']): KeptPrefix => ({
  bytes,
  brokenBy: { block: block.name, span: spanAt(block, at), in: what },
});

const sameBeside = (a: Block, b: Block): boolean =>
  (a.calls === b.calls || JSON.stringify(a.calls) === JSON.stringify(b.calls)) &&
  (a.media === b.media || JSON.stringify(a.media) === JSON.stringify(b.media));
