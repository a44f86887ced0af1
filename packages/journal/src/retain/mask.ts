import { CONFIDENTIAL_MASK, type JsonValue, type Span } from '@cuebook/prompt';

/** Masks what must not be shown in text that has no spans of its own: an answer, a tool's input, an event. */
export interface Masker {
  text(text: string): string;
  /** Every string of a value, keys included. */
  value(value: JsonValue): JsonValue;
}

/**
 * A masker for text that may repeat confidential parts of a prompt. It finds them word for word, whole or line
 * by line; what a model says in other words it cannot find.
 */
export function createMasker(confidential: Iterable<string>): Masker {
  const needles = [...new Set([...confidential].flatMap(needlesOf))].sort((a, b) => b.length - a.length);
  const text = (said: string): string =>
    needles.reduce(
      (left, needle) => (left.includes(needle) ? left.replaceAll(needle, CONFIDENTIAL_MASK) : left),
      said,
    );
  const value = (found: JsonValue): JsonValue => {
    if (needles.length === 0) return found;
    if (typeof found === 'string') return text(found);
    if (Array.isArray(found)) return found.map(value);
    if (typeof found !== 'object' || found === null) return found;
    return Object.fromEntries(Object.entries(found).map(([key, each]) => [text(key), value(each)]));
  };
  return { text, value };
}

/** The confidential texts of blocks. */
export function confidentialTexts(
  blocks: readonly { readonly text: string; readonly spans: readonly Span[] }[],
): readonly string[] {
  return blocks.flatMap(({ text, spans }) => {
    if (spans.every(({ secrecy }) => secrecy === 'public')) return [];
    const bytes = Buffer.from(text);
    return spans
      .filter(({ secrecy }) => secrecy !== 'public')
      .map(({ start, end }) => bytes.subarray(start, end).toString());
  });
}

/** Shorter words say too little to be told from ordinary ones. */
const SHORTEST = 6;
const SHORTEST_LINE = 12;

function needlesOf(text: string): readonly string[] {
  const whole = text.trim();
  const lines = whole.split('\n').map((line) => line.trim());
  return [
    ...(whole.length >= SHORTEST ? [whole] : []),
    ...lines.filter((line) => line.length >= SHORTEST_LINE && line !== whole),
  ];
}
