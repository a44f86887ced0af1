import type { TagNode } from './scan.js';

/** What is known of the partials that a body names, and of the rest of the prompt. */
export interface HandlebarsHow {
  /** Whether any body of the prompt has blocks: then values are JSON, whatever body they stand in. */
  readonly hasBlocks?: boolean;
  /** The text that a partial always gives; undefined when it depends on values or cannot be had. */
  readonly fixedPartial?: (name: string) => string | undefined;
  /** Whether a partial may give a value that is not yet text. */
  readonly isBarePartial?: (name: string) => boolean;
}

/** A partial without values of its own: `{{> name}}`, or with the name in quotes. */
const PARTIAL = /^>\s*(?:"([\w/-]+)"|'([\w/-]+)'|([A-Za-z_][\w-]*(?:\/[\w-]+)*))$/;

/** The name of the partial that a tag puts in; undefined when it has values of its own or is computed. */
export function partialName({ words, isRaw, isOdd }: TagNode): string | undefined {
  const match = isRaw || isOdd ? null : PARTIAL.exec(words);
  return match === null ? undefined : (match[1] ?? match[2] ?? match[3]);
}

/** A text with white space before each of its lines, as the library does it: not behind the last line break. */
export const indented = (text: string, indent: string): string =>
  indent === ''
    ? text
    : text
        .split('\n')
        .map((line, index, lines) => (line === '' && index + 1 === lines.length ? '' : `${indent}${line}`))
        .join('\n');
