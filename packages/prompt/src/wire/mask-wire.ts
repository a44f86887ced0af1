import { CONFIDENTIAL_MASK } from '../document.js';
import { utf8Length } from '../utf8.js';
import type { WireDocument, WireSpan } from './wire-document.js';

/**
 * A body as it may be shown: a mask in the place of text that is not public, offsets counted in what is shown. The
 * hash stays that of the truth.
 */
export function maskWire(document: WireDocument): WireDocument {
  if (document.spans.every(({ secrecy }) => secrecy === 'public')) return document;
  const bytes = new TextEncoder().encode(document.text);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const spans: WireSpan[] = [];
  let text = '';
  let end = 0;
  for (const span of document.spans) {
    const isPublic = span.secrecy === 'public';
    const shown = isPublic ? decoder.decode(bytes.subarray(span.start, span.end)) : CONFIDENTIAL_MASK;
    const start = end;
    end += utf8Length(shown);
    spans.push({ ...span, start, end, ...(isPublic ? {} : { escapes: 0 }) });
    text += shown;
  }
  return { ...document, text, spans };
}
