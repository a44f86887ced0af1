import { guard } from '@cuebook/guard';
import type { Piece, Place } from '@cuebook/prompt';
import type { Rendered, TemplateSpan } from '@cuebook/template';
import { type MessageMap, mapMessage } from './message-map.js';
import { type Fragment, MANIFEST_LABELS, SECRET_LABELS } from './object.js';

/** What a value says of itself, for as long as it is printed unchanged. */
export type Tag =
  | { readonly kind: 'fragment'; readonly fragment: Fragment }
  | { readonly kind: 'variable'; readonly place: Place & { readonly subject?: string } };

export interface PieceOptions {
  /** The template. */
  readonly message: Fragment;
  /** Whether the action at a byte may print something computed from text of a Secret. */
  readonly isSecretAt: (from: number) => boolean;
}

/**
 * The spans of a rendered template as labelled pieces. Template text, variables and included fragments keep
 * their own origin; anything computed is a result of its action, and confidential when it may have been
 * computed from a Secret. Bytes that are no text show as U+FFFD.
 */
export function piecesOf(
  { bytes, spans }: Rendered,
  { message, isSecretAt }: PieceOptions,
): readonly Piece[] {
  const map = mapMessage(message);
  const subject = message.subject === undefined ? {} : { subject: message.subject };
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const pieces: Piece[] = [];
  for (let index = 0; index < spans.length; index += 1) {
    const span = spans[index] as TemplateSpan;
    const last = lastOfCharacter(bytes, spans, index);
    const text = decoder.decode(bytes.subarray(span.start, spans[last]?.end));
    const own = last === index ? ownPieces(span, text, map) : undefined;
    const parts = spans.slice(index, last + 1);
    const isSecret = parts.some((part) => part.kind !== 'literal' && isSecretAt(part.from));
    const labels = guard('secret.computed', isSecret) ? SECRET_LABELS : MANIFEST_LABELS;
    const origin = { kind: 'result', ...map.place(span.from), ...subject } as const;
    const computed = { text, origin, ...labels };
    for (const piece of own ?? [computed]) pieces.push(piece);
    index = last;
  }
  return pieces;
}

/** A template can cut characters: the span that holds the end of the one that this span begins. */
function lastOfCharacter(bytes: Uint8Array, spans: readonly TemplateSpan[], index: number): number {
  let last = index;
  const isCut = () => ((bytes[spans[last]?.end ?? 0] ?? 0) & 0xc0) === 0x80;
  while (last + 1 < spans.length && isCut()) last += 1;
  return last;
}

/** The pieces of a span that is printed as it is written somewhere; undefined for one that is computed. */
function ownPieces(span: TemplateSpan, text: string, map: MessageMap): readonly Piece[] | undefined {
  if (span.kind === 'literal') return map.cut(span.from, span.to);
  const tag = span.kind === 'call' ? (span.origin as Tag | undefined) : undefined;
  if (tag === undefined) return undefined;
  const via = [map.place(span.from)];
  if (tag.kind === 'variable') {
    return [{ text, origin: { kind: 'variable', ...tag.place, via }, ...MANIFEST_LABELS }];
  }
  return tag.fragment.pieces().map((piece) => ({ ...piece, origin: { ...piece.origin, via } }));
}
