import { Buffer } from 'node:buffer';
import type { ComposedTarget } from '@cuebook/profile';
import type { Role, Span } from '@cuebook/prompt';
import { type TextLines, type TextRange, wordAt } from '../text/lines.js';

/** A part of a file that a target tells, or that leads to words that it tells. */
export interface ToldRange {
  readonly range: TextRange;
  /** `words`: they stand here. `led`: what is written here leads to them: an include, an input, a template. */
  readonly how: 'words' | 'led';
  /** The last place that led to them: that of the input itself, and not of an include before it. */
  readonly isLast: boolean;
  readonly target: string;
  readonly block: string;
  readonly role: Role;
  readonly span: Span;
  /** What is told; nothing of what is confidential. */
  readonly text: string;
}

/** More parts of one file are not shown. */
const MAX_TOLD = 20_000;

/** The parts of a file that a target tells, in the order in which it tells them. */
export function toldRanges(composed: ComposedTarget, file: string, lines: TextLines): readonly ToldRange[] {
  const found: ToldRange[] = [];
  for (const { name, role, text, spans } of composed.prompt.blocks) {
    const bytes = Buffer.from(text);
    for (const span of spans) {
      if (found.length >= MAX_TOLD) return found;
      const isPublic = span.secrecy === 'public';
      const words = bytes.subarray(span.start, span.end).toString();
      const shown = isPublic ? words : '[confidential]';
      const of = { target: composed.target, block: name, role, span, text: shown };
      const range = wordsRange(span, words, file, lines);
      if (range !== undefined) found.push({ ...of, how: 'words', isLast: true, range });
      const via = span.origin.via ?? [];
      for (const [index, { ref, line, column }] of via.entries()) {
        if (ref !== file || line === undefined) continue;
        const isLast = index === via.length - 1;
        found.push({ ...of, how: 'led', isLast, range: wordAt(lines.text, lines.offsetOf(line, column)) });
      }
    }
  }
  return found;
}

/** Where the words of a span stand in a file: all of them where they stand there as they are, else their beginning. */
function wordsRange(
  { origin }: Span,
  words: string,
  file: string,
  { text, offsetOf }: TextLines,
): TextRange | undefined {
  if (origin.ref !== file || origin.line === undefined) return undefined;
  if (origin.kind !== 'file' && origin.kind !== 'value') return undefined;
  const start = offsetOf(origin.line, origin.column);
  return text.startsWith(words, start) ? { start, end: start + words.length } : wordAt(text, start);
}
