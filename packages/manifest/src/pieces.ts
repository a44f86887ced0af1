import { guard } from '@cuebook/guard';
import type { Piece, Place } from '@cuebook/prompt';
import type { Rendered, TemplateSpan } from '@cuebook/template';
import { ledBy } from './led-by.js';
import { type MessageMap, mapMessage } from './message-map.js';
import { type Fragment, MANIFEST_LABELS, SECRET_LABELS } from './object.js';

/** What a value says of itself, for as long as it is printed unchanged. */
export interface Tag {
  readonly pieces: () => readonly Piece[];
  /** The entry that names its object. */
  readonly entry?: Place | undefined;
}

export interface PieceOptions {
  /** The template. */
  readonly message: Fragment;
  /** Whether the action at a byte may print something computed from text of a Secret. */
  readonly isSecretAt: (from: number) => boolean;
  /** What decided that the node at a byte is executed, outermost first. */
  readonly reasonsAt: (from: number) => readonly Place[];
  /** What makes the text a template: without it no action would be executed. */
  readonly templateAt: Place;
}

/**
 * The spans of a rendered template as labelled pieces. Template text, variables and included fragments keep
 * their own origin; anything computed is a result of its action, and confidential when it may have been
 * computed from a Secret. Bytes that are no text show as U+FFFD.
 */
export function piecesOf(
  { bytes, spans }: Rendered,
  { message, isSecretAt, reasonsAt, templateAt }: PieceOptions,
): readonly Piece[] {
  const map = mapMessage(message);
  const subject = message.subject === undefined ? {} : { subject: message.subject };
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const pieces: Piece[] = [];
  for (let index = 0; index < spans.length; index += 1) {
    const span = spans[index] as TemplateSpan;
    const last = lastOfCharacter(bytes, spans, index);
    const text = decoder.decode(bytes.subarray(span.start, spans[last]?.end));
    const via = reasonsAt(span.from);
    const own = last === index ? ownPieces(span, map, templateAt) : undefined;
    const parts = spans.slice(index, last + 1);
    const isSecret = parts.some((part) => part.kind !== 'literal' && isSecretAt(part.from));
    const labels = guard('secret.computed', isSecret) ? SECRET_LABELS : MANIFEST_LABELS;
    const origin = { kind: 'result', ...map.place(span.from), ...subject, via: [templateAt] } as const;
    const computed = { text, origin, ...labels };
    for (const piece of own ?? [computed]) pieces.push(via.length === 0 ? piece : ledBy(piece, via));
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
function ownPieces(span: TemplateSpan, map: MessageMap, templateAt: Place): readonly Piece[] | undefined {
  if (span.kind === 'literal') return map.cut(span.from, span.to);
  const tag = span.kind === 'call' ? (span.origin as Tag | undefined) : undefined;
  if (tag === undefined) return undefined;
  const via = [tag.entry ?? templateAt, map.place(span.from)];
  return tag.pieces().map((piece) => ledBy(piece, via));
}
