import { quote } from '../../diagnostic.js';
import { type GoPieces, goCall, goPrint, goText, sameText } from '../go.js';
import { sectionRemark } from '../section-remark.js';
import { isInherited, type SectionToken, type TemplateRemark } from '../tokens.js';
import { type HandlebarsHow, indented, partialName } from './partial.js';
import { type HandlebarsScope, isPlainPath, ROOT_SCOPE, readPath } from './path.js';
import type { TagNode } from './scan.js';
import { stripSpace } from './space.js';
import { type BlockNode, type HandlebarsBody, parseHandlebars, type TreeNode } from './tree.js';

/** What a dotprompt body is made of, as far as a sheet can hold it. */
export type DotToken =
  | { readonly kind: 'text'; readonly text: string; readonly start: number }
  | { readonly kind: 'variable'; readonly name: string; readonly start: number; readonly end: number }
  | SectionToken
  | { readonly kind: 'role'; readonly role: string; readonly start: number }
  | { readonly kind: 'history'; readonly start: number }
  | {
      readonly kind: 'partial';
      readonly name: string;
      /** What the library puts before each line of the partial. */
      readonly indent: string;
      readonly written: string;
      readonly start: number;
    };

export interface ReadHandlebars {
  /** There when all of the body has a meaning in a sheet. */
  readonly tokens?: readonly DotToken[];
  readonly remarks: readonly TemplateRemark[];
  /** Whether all of the body is one value, which need not be text. */
  readonly isBare?: boolean;
}

/**
 * Handlebars as dotprompt runs it (no escaping, known helpers only): texts, plain paths, comments, role and history, and
 * the blocks `if`, `unless`, `each`, `ifEquals` and `unlessEquals`. A partial is a token of its own; inside of a block it
 * is the text that it always gives.
 */
export function readHandlebars(template: string, how: HandlebarsHow = {}): ReadHandlebars {
  const { root, remarks } = parseHandlebars(template);
  if (root === undefined) return { remarks };
  const compiler = new Compiler(remarks, how);
  stripSpace(root);
  const hasBlocks = how.hasBlocks === true || root.body.some(({ kind }) => kind === 'block');
  if (hasBlocks) compiler.refuseSum(root);
  const tokens = root.body.flatMap((node): readonly DotToken[] => {
    if (node.kind === 'comment') return [];
    if (node.kind === 'text')
      return node.text === '' ? [] : [{ kind: 'text', text: node.text, start: node.start }];
    if (node.kind === 'tag') return compiler.topTag(node, hasBlocks);
    const pieces = compiler.block(node, ROOT_SCOPE);
    const { tag, end } = node;
    compiler.remarks.push(sectionRemark(tag.written, pieces, tag.start));
    return [{ kind: 'section', pieces, start: tag.start, end }];
  });
  if (compiler.isWhole)
    return { tokens, remarks: compiler.remarks, isBare: compiler.isBareAlone(printedNodes(root)) };
  return {
    remarks: compiler.remarks.filter(
      ({ severity, code }) => severity !== 'info' || code !== 'W_IMPORT_SECTION',
    ),
  };
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

/** What a body prints: comments and texts whose white space went print nothing. */
const printedNodes = ({ body }: HandlebarsBody): readonly TreeNode[] =>
  body.filter((node) => node.kind !== 'comment' && (node.kind !== 'text' || node.text !== ''));

const insideCondition = (scope: HandlebarsScope): HandlebarsScope => ({
  ...scope,
  isNullHidden: scope.depth > 0 && !scope.isItemKnown,
});

/** Makes templates of blocks. What has no equal is remarked on, and the rest is still looked at. */
class Compiler {
  isWhole = true;
  readonly remarks: TemplateRemark[];
  readonly #how: HandlebarsHow;

  constructor(remarks: readonly TemplateRemark[], how: HandlebarsHow) {
    this.remarks = [...remarks];
    this.#how = how;
  }

  /** Whether nodes are one alone that may give a value that is not yet text. */
  isBareAlone([only, ...more]: readonly TreeNode[]): boolean {
    return only !== undefined && more.length === 0 && this.#isBare(only);
  }

  /** Whether a node may give a value that is not yet text: a tag, or a condition whose branch is nothing but one. */
  #isBare(node: TreeNode): boolean {
    if (node.kind === 'tag') {
      const partial = partialName(node);
      return partial === undefined || this.#how.isBarePartial?.(partial) !== false;
    }
    if (node.kind !== 'block' || /^each\b/.test(node.words)) return false;
    return [node.program, node.inverse].some(
      (branch) => branch !== undefined && this.isBareAlone(printedNodes(branch)),
    );
  }

  /** A tag outside of all blocks. */
  topTag(tag: TagNode, hasBlocks: boolean): readonly DotToken[] {
    const { words, isRaw, isOdd, start, end, written } = tag;
    const role = /^role\s+(?:"([^"]*)"|'([^']*)')$/.exec(words);
    if (!isRaw && !isOdd && role !== null) return [{ kind: 'role', role: role[1] ?? role[2] ?? '', start }];
    if (!isRaw && !isOdd && words === 'history') return [{ kind: 'history', start }];
    const partial = partialName(tag);
    if (partial !== undefined)
      return [{ kind: 'partial', name: partial, indent: tag.indent ?? '', written, start }];
    if (!this.#isValue(tag)) return [];
    const isDotted = words.includes('.');
    if (!isPlainPath(words) || words === 'history') return this.#refuseTag(tag, 'is not a plain {{name}}');
    const value = isDotted && hasBlocks ? readPath(words, ROOT_SCOPE, true) : undefined;
    if (value !== undefined) return [{ kind: 'section', pieces: goPrint(value.pieces), start, end }];
    const message = isRaw
      ? `${quote(written)} became the input ${quote(words)}; it means the same as {{${words}}}`
      : `${quote(written)} became one input: hand in the value that stands at ${quote(words)}`;
    if (isRaw || isDotted) this.remarks.push({ code: 'W_IMPORT_DIALECT', severity: 'info', start, message });
    return [{ kind: 'variable', name: words, start, end }];
  }

  block(node: BlockNode, scope: HandlebarsScope): GoPieces {
    const { tag, words } = node;
    const [helper = '', subject = '', literal] =
      /^(\w+)\s+(\S+)(?:\s+("[^"\\]*"|'[^'\\]*'))?$/s.exec(words)?.slice(1) ?? [];
    const isLoop = helper === 'each';
    const isEqual = helper === 'ifEquals' || helper === 'unlessEquals';
    const isKnown = isLoop || isEqual || helper === 'if' || helper === 'unless';
    const isForm = isKnown && isEqual === (literal !== undefined) && !tag.words.startsWith('^');
    const value = isForm ? readPath(subject, scope, isLoop) : undefined;
    if (value === undefined) this.#refuse(tag, 'W_IMPORT_SECTION', 'has no equal in the template of a sheet');
    if (isLoop) return this.#loop(node, value?.pieces ?? [], scope);
    const is =
      literal !== undefined
        ? sameText(value?.pieces ?? [], literal.slice(1, -1))
        : value?.isFlag === true
          ? value.pieces
          : goCall('present', [value?.pieces ?? []]);
    return this.#condition(node, helper.startsWith('unless') ? goCall('not', [is]) : is, scope, {
      isItem: value?.isItem === true && helper === 'if',
    });
  }

  #condition(
    { program, inverse }: BlockNode,
    condition: GoPieces,
    scope: HandlebarsScope,
    { isItem }: { readonly isItem: boolean },
  ): GoPieces {
    const inner = insideCondition(scope);
    // Where the item itself is the condition, it is not null.
    const body = this.#program(
      program,
      isItem ? { ...inner, isNullHidden: false, isItemKnown: true } : inner,
    );
    const chained = inverse?.isChained === true ? inverse.body[0] : undefined;
    const isChain = chained?.kind === 'block' && !/^each\b/.test(chained.words);
    if (isChain) {
      const rest = this.block(chained, inner);
      // It begins with {{if, and its end is that of the whole chain.
      return ['{{if ', ...condition, '}}', ...body, '{{else if ', ...rest.slice(1)];
    }
    const otherwise = inverse === undefined ? [] : ['{{else}}', ...this.#program(inverse, inner)];
    return ['{{if ', ...condition, '}}', ...body, ...otherwise, '{{end}}'];
  }

  #loop({ program, inverse }: BlockNode, list: GoPieces, scope: HandlebarsScope): GoPieces {
    const depth = scope.depth + 1;
    const asked = { index: false, last: false };
    const body = this.#program(program, { depth, isNullHidden: false, isItemKnown: false, asked });
    const otherwise =
      inverse === undefined ? [] : ['{{else}}', ...this.#program(inverse, insideCondition(scope))];
    const items = goCall('items', [list]);
    const variables = asked.index ? `$index${depth}, $item${depth} := ` : '';
    const head: GoPieces = asked.last
      ? [`{{$items${depth} := `, ...items, `}}{{range ${variables}$items${depth}}}`]
      : [`{{range ${variables}`, ...items, '}}'];
    return [...head, ...body, ...otherwise, '{{end}}'];
  }

  /** Values that touch at the start of a body: the library adds them up where they are numbers. */
  refuseSum(program: HandlebarsBody): void {
    const [first, second] = printedNodes(program);
    if (first === undefined || second === undefined || !this.#isBare(first) || !this.#isBare(second)) return;
    const tag = second.kind === 'block' ? second.tag : second;
    if (tag.kind === 'tag')
      this.#refuse(tag, 'W_IMPORT_SECTION', 'touches a value before it, and the library adds numbers up');
  }

  #program(program: HandlebarsBody, scope: HandlebarsScope): GoPieces {
    this.refuseSum(program);
    const { body } = program;
    return body.flatMap((node): GoPieces => {
      if (node.kind === 'comment') return [];
      if (node.kind === 'text') return node.text === '' ? [] : [goText(node.text)];
      return node.kind === 'block' ? this.block(node, scope) : this.#innerTag(node, scope);
    });
  }

  #innerTag(tag: TagNode, scope: HandlebarsScope): GoPieces {
    const { words } = tag;
    if (/^(?:role|history)\b/.test(words)) {
      this.#refuse(tag, 'W_IMPORT_SECTION', 'stands inside of a condition or loop');
      return [];
    }
    const partial = partialName(tag);
    if (partial !== undefined) return this.#innerPartial(tag, partial);
    if (!this.#isValue(tag)) return [];
    const value = readPath(words, scope, true);
    if (value === undefined) return this.#refuseTag(tag, 'has no equal in the template of a sheet');
    if (value.input !== undefined) return [{ show: value.input, dot: scope.depth === 0 ? '.' : '$.' }];
    return value.isFlag === true ? ['{{', ...value.pieces, '}}'] : goPrint(value.pieces);
  }

  #innerPartial(tag: TagNode, name: string): GoPieces {
    const text = this.#how.fixedPartial?.(name);
    if (text !== undefined) {
      const message = `${quote(tag.written)} became the text of the partial, because it stands inside of a condition or loop`;
      this.remarks.push({ code: 'W_IMPORT_REFERENCE', severity: 'info', start: tag.start, message });
      return text === '' ? [] : [goText(indented(text, tag.indent ?? ''))];
    }
    this.#refuse(
      tag,
      'W_IMPORT_REFERENCE',
      'puts in a partial that has values or no file, inside of a condition or loop',
    );
    return [];
  }

  /** Whether a tag is neither a helper nor a partial, nor one that the library refuses. */
  #isValue(tag: TagNode): boolean {
    const { words, isOdd } = tag;
    const first = /^[#^/]?\s*([\w$]*)/.exec(words)?.[1] ?? '';
    if (words.startsWith('>'))
      this.#refuse(tag, 'W_IMPORT_REFERENCE', 'puts in a partial with values or a name of its own');
    else if (Object.hasOwn(HELPERS, first))
      this.#refuse(tag, HELPERS[first] ?? 'W_IMPORT_HELPER', 'is not a sheet part');
    else if (isOdd || isInherited(words)) this.#refuse(tag, 'W_IMPORT_HELPER', 'is not a plain {{name}}');
    else return true;
    return false;
  }

  #refuseTag(tag: TagNode, why: string): [] {
    this.#refuse(tag, 'W_IMPORT_HELPER', why);
    return [];
  }

  #refuse({ written, start }: TagNode, code: TemplateRemark['code'], why: string): void {
    this.isWhole = false;
    const message = `${quote(written)} ${why}; the prompt was not imported`;
    this.remarks.push({ code, severity: 'warning', start, message });
  }
}
