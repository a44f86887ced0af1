import { guard } from '@cuebook/guard';
import { quote } from '../../diagnostic.js';
import type { TemplateRemark } from '../tokens.js';

/** White space that a tag takes away around it, by `~`. */
export interface Strip {
  readonly open: boolean;
  readonly close: boolean;
}

/** A text; `original` is what it was before white space around tags went. */
export interface HandlebarsText {
  readonly kind: 'text';
  text: string;
  readonly original: string;
  readonly start: number;
  rightStripped?: boolean;
  leftStripped?: boolean;
}

/** A tag of the source: its words, and how it is written. */
export interface TagNode {
  readonly kind: 'tag';
  readonly words: string;
  /** `{{{x}}}` or `{{&x}}`. */
  readonly isRaw: boolean;
  /** The library refuses it: a brace follows at once, or white space stands before `#`, `^` or `/`. */
  readonly isOdd: boolean;
  readonly strip: Strip;
  readonly written: string;
  readonly start: number;
  readonly end: number;
  /** White space before a partial that has a line for itself: the library puts it before each line of the partial. */
  indent?: string;
}

export interface CommentNode {
  readonly kind: 'comment';
  readonly strip: Strip;
}

export type FlatNode = HandlebarsText | TagNode | CommentNode;

/** Texts, tags and comments in their order; undefined when a tag is not closed, which is remarked. */
export function scanHandlebars(template: string, remarks: TemplateRemark[]): readonly FlatNode[] | undefined {
  const nodes: FlatNode[] = [];
  const pushText = (text: string, start: number): void => {
    if (text !== '') nodes.push({ kind: 'text', text, original: text, start });
  };
  const nul = template.indexOf('\0');
  if (guard('adopt.handlebars.nul', nul >= 0)) {
    const message = 'The template holds the character U+0000: the library refuses it';
    remarks.push({ code: 'E_IMPORT_SYNTAX', severity: 'error', start: nul, message });
    return undefined;
  }
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf('{{', at);
    if (open < 0) {
      pushText(template.slice(at), at);
      break;
    }
    const text = template.slice(at, open);
    const isEscaped = text.endsWith('\\') && !text.endsWith('\\\\');
    pushText(text.endsWith('\\') ? text.slice(0, -1) : text, at);
    if (isEscaped) {
      // The tag and what follows it up to the next one is text.
      const next = nextOpen(template, open + 2);
      pushText(template.slice(open, next), open);
      at = next;
      continue;
    }
    const tag = tagAt(template, open);
    if (tag === undefined) {
      const message = 'A tag is opened with {{ and not closed: the library refuses the template';
      remarks.push({ code: 'E_IMPORT_SYNTAX', severity: 'error', start: open, message });
      return undefined;
    }
    if (tag.node.kind === 'comment') {
      const message = `The comment ${quote(template.slice(open, tag.end))} was left out; it was never sent`;
      remarks.push({ code: 'W_IMPORT_COMMENT', severity: 'info', start: open, message });
    }
    nodes.push(tag.node);
    at = tag.end;
  }
  return nodes;
}

/** Where an escaped tag ends: at the next `{{`, or the backslashes before it. */
function nextOpen(template: string, from: number): number {
  const open = template.indexOf('{{', from);
  if (open < 0) return template.length;
  if (open - 2 >= from && template.slice(open - 2, open) === '\\\\') return open - 2;
  return open - 1 >= from && template[open - 1] === '\\' ? open - 1 : open;
}

/** The tag at an offset; undefined when it is not closed. */
function tagAt(
  template: string,
  start: number,
): { readonly node: TagNode | CommentNode; readonly end: number } | undefined {
  const comment = /^\{\{(~?)!/.exec(template.slice(start, start + 4));
  if (comment !== null) {
    const isLong = template.startsWith('--', start + comment[0].length);
    const close = isLong ? LONG_COMMENT : SHORT_COMMENT;
    close.lastIndex = start + comment[0].length + (isLong ? 2 : 0);
    const found = close.exec(template);
    if (found === null) return undefined;
    const strip = { open: comment[1] === '~', close: found[0].includes('~') };
    return { node: { kind: 'comment', strip }, end: found.index + found[0].length };
  }
  const isTriple = template.startsWith('{{{', start);
  const close = template.indexOf(isTriple ? '}}}' : '}}', start + 2);
  if (close < 0) return undefined;
  const end = close + (isTriple ? 3 : 2);
  const inside = template.slice(start + (isTriple ? 3 : 2), close);
  const strip = { open: inside.startsWith('~'), close: inside.endsWith('~') && inside !== '~' };
  const bare = inside.slice(strip.open ? 1 : 0, strip.close ? -1 : undefined);
  const isRaw = isTriple || bare.startsWith('&');
  const node: TagNode = {
    kind: 'tag',
    words: (bare.startsWith('&') ? bare.slice(1) : bare).trim(),
    isRaw,
    // `{{{` strips only in forms that nobody writes.
    isOdd: template[end] === '}' || /^\s+[#^/]/.test(bare) || (isTriple && (strip.open || strip.close)),
    strip,
    written: template.slice(start, end),
    start,
    end,
  };
  return { node, end };
}

const LONG_COMMENT = /--~?\}\}/g;
const SHORT_COMMENT = /~?\}\}/g;
