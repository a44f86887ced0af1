import type { Block, Redaction, RedactionKind } from './block.js';

/** What was removed, aliased or broken in a block, read off its spans. */
export function redactionsOf({ name, spans }: Pick<Block, 'name' | 'spans'>): readonly Redaction[] {
  const found: Redaction[] = [];
  for (const { start, end, origin } of spans) {
    if (origin.kind === 'redaction')
      found.push({ kind: origin.ref as RedactionKind, block: name, start, end });
  }
  return found;
}
