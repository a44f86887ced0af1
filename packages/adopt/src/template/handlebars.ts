import { quote } from '../diagnostic.js';
import { isInherited, type TemplateRemark } from './tokens.js';

/** What a dotprompt body is made of, as far as a sheet can hold it. */
export type DotToken =
  | { readonly kind: 'text'; readonly text: string; readonly start: number }
  | { readonly kind: 'variable'; readonly name: string; readonly start: number; readonly end: number }
  | { readonly kind: 'role'; readonly role: string; readonly start: number }
  | { readonly kind: 'history'; readonly start: number };

export interface ReadHandlebars {
  /** There when all of the body has a meaning in a sheet. */
  readonly tokens?: readonly DotToken[];
  readonly remarks: readonly TemplateRemark[];
}

/** A text of the syntax tree; `original` is what it was before white space around comments went. */
interface TextNode {
  readonly kind: 'text';
  text: string;
  readonly original: string;
  readonly start: number;
  rightStripped?: boolean;
}

type Node = TextNode | Exclude<DotToken, { readonly kind: 'text' }> | { readonly kind: 'comment' };

/** Handlebars as dotprompt runs it (no escaping, known helpers only): texts, plain paths, comments, role and history. */
export function readHandlebars(template: string): ReadHandlebars {
  const nodes: Node[] = [];
  const remarks: TemplateRemark[] = [];
  let isWhole = true;
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf('{{', at);
    if (open < 0) {
      pushText(nodes, template.slice(at), at);
      break;
    }
    const text = template.slice(at, open);
    const isEscaped = text.endsWith('\\') && !text.endsWith('\\\\');
    pushText(nodes, text.endsWith('\\') ? text.slice(0, -1) : text, at);
    if (isEscaped) {
      // The tag and what follows it up to the next one is text.
      const next = nextOpen(template, open + 2);
      pushText(nodes, template.slice(open, next), open);
      at = next;
      continue;
    }
    const tag = readTag(template, open);
    if (tag.remark !== undefined) remarks.push(tag.remark);
    if (tag.end === undefined) return { remarks };
    if (tag.node === undefined) isWhole = false;
    else nodes.push(tag.node);
    at = tag.end;
  }
  if (!isWhole) return { remarks };
  dropCommentLines(nodes);
  const tokens = nodes.flatMap((node): readonly DotToken[] =>
    node.kind === 'comment' || (node.kind === 'text' && node.text === '') ? [] : [node],
  );
  return { tokens, remarks };
}

function pushText(nodes: Node[], text: string, start: number): void {
  if (text !== '') nodes.push({ kind: 'text', text, original: text, start });
}

/** Where an escaped tag ends: at the next `{{`, or the backslashes before it. */
function nextOpen(template: string, from: number): number {
  const open = template.indexOf('{{', from);
  if (open < 0) return template.length;
  if (open - 2 >= from && template.slice(open - 2, open) === '\\\\') return open - 2;
  return open - 1 >= from && template[open - 1] === '\\' ? open - 1 : open;
}

interface Tag {
  readonly node?: Node;
  readonly remark?: TemplateRemark;
  /** Where it ends; undefined when it is not closed. */
  readonly end?: number;
}

const HELPERS: Readonly<Record<string, TemplateRemark['code']>> = {
  media: 'W_IMPORT_MEDIA',
  if: 'W_IMPORT_SECTION',
  unless: 'W_IMPORT_SECTION',
  each: 'W_IMPORT_SECTION',
  with: 'W_IMPORT_SECTION',
  ifEquals: 'W_IMPORT_SECTION',
  unlessEquals: 'W_IMPORT_SECTION',
  else: 'W_IMPORT_SECTION',
  json: 'W_IMPORT_HELPER',
  section: 'W_IMPORT_HELPER',
  lookup: 'W_IMPORT_HELPER',
  log: 'W_IMPORT_HELPER',
  role: 'W_IMPORT_ROLE',
  blockHelperMissing: 'W_IMPORT_HELPER',
  helperMissing: 'W_IMPORT_HELPER',
};
const LITERALS = ['true', 'false', 'null', 'undefined', 'this'];
const PATH = /^[\p{L}_$][\p{L}\p{M}\p{N}_$-]*(?:\.[\p{L}_$][\p{L}\p{M}\p{N}_$-]*)*$/u;

function readTag(template: string, start: number): Tag {
  const say = (
    code: TemplateRemark['code'],
    severity: TemplateRemark['severity'],
    message: string,
  ): TemplateRemark => ({ code, severity, start, message });
  const unclosed = say(
    'E_IMPORT_SYNTAX',
    'error',
    'A tag is opened with {{ and not closed: the library refuses the template',
  );
  const comment = /^\{\{(~?)!/.exec(template.slice(start, start + 4));
  if (comment !== null) {
    const isLong = template.startsWith('--', start + comment[0].length);
    const close = isLong ? LONG_COMMENT : SHORT_COMMENT;
    close.lastIndex = start + comment[0].length + (isLong ? 2 : 0);
    const found = close.exec(template);
    if (found === null) return { remark: unclosed };
    const end = found.index + found[0].length;
    const written = quote(template.slice(start, end));
    if (comment[1] === '~' || found[0].includes('~'))
      return {
        end,
        remark: say(
          'W_IMPORT_HELPER',
          'warning',
          `${written} strips white space, which a sheet cannot say; the prompt was not imported`,
        ),
      };
    return {
      end,
      node: { kind: 'comment' },
      remark: say('W_IMPORT_COMMENT', 'info', `The comment ${written} was left out; it was never sent`),
    };
  }
  const isTriple = template.startsWith('{{{', start);
  const close = template.indexOf(isTriple ? '}}}' : '}}', start + 2);
  if (close < 0) return { remark: unclosed };
  const end = close + (isTriple ? 3 : 2);
  const written = quote(template.slice(start, end));
  const inside = template.slice(start + (isTriple ? 3 : 2), close);
  const isRaw = isTriple || inside.startsWith('&');
  const words = (inside.startsWith('&') ? inside.slice(1) : inside).trim();
  const role = /^role\s+(?:"([^"]*)"|'([^']*)')$/.exec(words);
  // A } right behind the tag is read as a part of it.
  const isTight = template[end] === '}';
  if (!isRaw && !isTight && role !== null)
    return { end, node: { kind: 'role', role: role[1] ?? role[2] ?? '', start } };
  if (!isRaw && !isTight && words === 'history') return { end, node: { kind: 'history', start } };
  const first = /^[#^/]?\s*([\w$]*)/.exec(words)?.[1] ?? '';
  if (Object.hasOwn(HELPERS, first) || /^[#^/]/.test(words)) {
    const code = /^[#^/]/.test(words) ? 'W_IMPORT_SECTION' : (HELPERS[first] ?? 'W_IMPORT_HELPER');
    return {
      end,
      remark: say(code, 'warning', `${written} is not a sheet part; the prompt was not imported`),
    };
  }
  if (words.startsWith('>'))
    return {
      end,
      remark: say(
        'W_IMPORT_REFERENCE',
        'warning',
        `${written} puts in a partial; the prompt was not imported`,
      ),
    };
  const isPath =
    PATH.test(words) && !words.split('.').some((part) => LITERALS.includes(part)) && words !== 'history';
  if (!isPath || isTight || isInherited(words) || inside.startsWith('~'))
    return {
      end,
      remark: say(
        'W_IMPORT_HELPER',
        'warning',
        `${written} is not a plain {{name}}; the prompt was not imported`,
      ),
    };
  const told = isRaw
    ? say(
        'W_IMPORT_DIALECT',
        'info',
        `${written} became the input ${quote(words)}; it means the same as {{${words}}}`,
      )
    : words.includes('.')
      ? say(
          'W_IMPORT_DIALECT',
          'info',
          `${written} became one input: hand in the value that stands at ${quote(words)}`,
        )
      : undefined;
  return {
    end,
    node: { kind: 'variable', name: words, start, end },
    ...(told === undefined ? {} : { remark: told }),
  };
}

const LONG_COMMENT = /--~?\}\}/g;
const SHORT_COMMENT = /~?\}\}/g;

/** A comment alone on its line takes the line with it. */
function dropCommentLines(nodes: Node[]): void {
  nodes.forEach((node, index) => {
    if (node.kind !== 'comment' || !isBlankBefore(nodes, index) || !isBlankAfter(nodes, index)) return;
    const [before, after] = [nodes[index - 1], nodes[index + 1]];
    if (after?.kind === 'text' && after.rightStripped !== true) {
      const shorter = after.text.replace(/^[ \t]*\r?\n?/, '');
      after.rightStripped = shorter !== after.text;
      after.text = shorter;
    }
    if (before?.kind === 'text') before.text = before.text.replace(/[ \t]+$/, '');
  });
}

function isBlankBefore(nodes: readonly Node[], index: number): boolean {
  const before = nodes[index - 1];
  if (before === undefined) return true;
  if (before.kind !== 'text') return false;
  return (nodes[index - 2] === undefined ? /(?:^|\r?\n)\s*?$/ : /\r?\n\s*?$/).test(before.original);
}

function isBlankAfter(nodes: readonly Node[], index: number): boolean {
  const after = nodes[index + 1];
  if (after === undefined) return true;
  if (after.kind !== 'text') return false;
  return (nodes[index + 2] === undefined ? /^\s*?(?:\r?\n|$)/ : /^\s*?\r?\n/).test(after.original);
}
