import type { Block, Redaction, RedactionKind } from './block.js';

/** What was removed or aliased in a block, read off its spans. */
export const redactionsOf = (block: Pick<Block, 'name' | 'spans'>): readonly Redaction[] =>
  block.spans.flatMap(({ start, end, origin }) =>
    origin.kind === 'redaction' ? [{ kind: origin.ref as RedactionKind, block: block.name, start, end }] : [],
  );
