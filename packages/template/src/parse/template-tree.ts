import type { Node } from './node.js';
import type { Delimiters } from './print-node.js';

/** A text that was parsed, as error texts name it. */
export interface ParsedText {
  readonly name: string;
  readonly text: string;
  readonly delimiters: Delimiters;
}

/** One parsed template, Go's `parse.Tree`: what it executes, and the text that it stands in. Never changed. */
export interface TemplateTree {
  readonly nodes: readonly Node[];
  readonly source: ParsedText;
}

/** Whether a template prints nothing but white space: such a definition takes the place of no other. */
export const isEmptyTree = (nodes: readonly Node[]): boolean =>
  nodes.every((node) => node.kind === 'text' && !NOT_SPACE.test(node.text));

/** Anything but Go's white space. */
const NOT_SPACE = /[^\t\n\v\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;
