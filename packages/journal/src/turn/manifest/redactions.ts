import type { Redaction, RedactionKind, Span } from '@cuebook/prompt';

/** What was removed or aliased in blocks, read off their spans. */
export const redactionsOf = (
  blocks: readonly { readonly name: string; readonly spans: readonly Span[] }[],
): readonly Redaction[] =>
  blocks.flatMap(({ name, spans }) =>
    spans
      .filter(({ origin }) => origin.kind === 'redaction')
      .map(({ start, end, origin }) => ({ kind: origin.ref as RedactionKind, block: name, start, end })),
  );
