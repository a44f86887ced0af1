import { quote } from '../../diagnostic.js';
import type { TemplateRemark } from '../tokens.js';
import {
  type CommentNode,
  type FlatNode,
  type HandlebarsText,
  type Strip,
  scanHandlebars,
  type TagNode,
} from './scan.js';

/** Nodes that follow each other; `isChained`: the one block of an `{{else if}}`. */
export interface HandlebarsBody {
  readonly body: readonly TreeNode[];
  readonly isChained?: boolean;
}

export interface BlockNode {
  readonly kind: 'block';
  /** The tag that opens it, or that is its `{{else if}}`. */
  readonly tag: TagNode;
  /** The words of that tag without `#` or `else`. */
  readonly words: string;
  readonly program: HandlebarsBody;
  readonly inverse?: HandlebarsBody;
  readonly inverseStrip?: Strip;
  closeStrip: Strip | undefined;
  readonly end: number;
}

export type TreeNode = HandlebarsText | TagNode | CommentNode | BlockNode;

export interface HandlebarsTree {
  /** There when all tags are closed, and all blocks. */
  readonly root?: HandlebarsBody;
  readonly remarks: readonly TemplateRemark[];
}

/** The tags of a template of Handlebars, nested by their blocks. White space still stands as it is written. */
export function parseHandlebars(template: string): HandlebarsTree {
  const remarks: TemplateRemark[] = [];
  const nodes = scanHandlebars(template, remarks);
  if (nodes === undefined) return { remarks };
  const cursor = new Cursor(nodes);
  try {
    const root = cursor.program(0);
    const stray = cursor.stop;
    if (stray === undefined) return { root, remarks };
    throw new Unbalanced(stray, `${quote(stray.written)} stands outside of a block: the library refuses it`);
  } catch (error) {
    if (!(error instanceof Unbalanced)) throw error;
    return { remarks: [...remarks, error.remark] };
  }
}

/** Blocks that nest deeper are refused: nobody reads such a template. */
const MAX_DEPTH = 20;

class Unbalanced extends Error {
  readonly remark: TemplateRemark;
  constructor({ start }: TagNode, message: string, code: TemplateRemark['code'] = 'E_IMPORT_SYNTAX') {
    super(message);
    this.remark = { code, severity: code === 'E_IMPORT_SYNTAX' ? 'error' : 'warning', start, message };
  }
}

interface Chain {
  readonly strip: Strip;
  readonly program: HandlebarsBody;
  readonly chained?: BlockNode;
}

/** Goes through flat nodes; `stop` is the `{{else}}` or `{{/x}}` that ended a program. */
class Cursor {
  stop: TagNode | undefined;
  #at = 0;
  readonly #nodes: readonly FlatNode[];

  constructor(nodes: readonly FlatNode[]) {
    this.#nodes = nodes;
  }

  program(depth: number): HandlebarsBody {
    const body: TreeNode[] = [];
    this.stop = undefined;
    for (let node = this.#nodes[this.#at]; node !== undefined; node = this.#nodes[this.#at]) {
      this.#at += 1;
      if (node.kind === 'tag' && node.isOdd && (isStop(node) || isOpen(node)))
        throw new Unbalanced(node, `${quote(node.written)} is not read by the library as it is written here`);
      if (node.kind === 'tag' && isStop(node)) {
        this.stop = node;
        break;
      }
      body.push(node.kind === 'tag' && isOpen(node) ? this.#block(node, depth + 1) : node);
      // What ended an inner block does not end this one.
      this.stop = undefined;
    }
    return { body };
  }

  #block(tag: TagNode, depth: number): BlockNode {
    if (depth > MAX_DEPTH)
      throw new Unbalanced(
        tag,
        `${quote(tag.written)} nests too deep; the prompt was not imported`,
        'W_IMPORT_SECTION',
      );
    const program = this.program(depth);
    const chain = this.#chain(tag, depth);
    const close = this.stop;
    const words = tag.words.slice(1).trim();
    const name = close?.words.slice(1).trim();
    if (close === undefined || !close.words.startsWith('/') || name !== words.split(/\s/)[0])
      throw new Unbalanced(tag, `${quote(tag.written)} is not closed by its own end: the library refuses it`);
    if (chain?.chained !== undefined) chain.chained.closeStrip = close.strip;
    return blockOf(tag, words, program, chain, close.strip, close.end);
  }

  /** `{{else}}` and what follows it, to the end of the block. */
  #chain(opened: TagNode, depth: number): Chain | undefined {
    const tag = this.stop;
    if (tag === undefined || tag.words.startsWith('/')) return undefined;
    if (depth > MAX_DEPTH)
      throw new Unbalanced(
        opened,
        `${quote(opened.written)} nests too deep; the prompt was not imported`,
        'W_IMPORT_SECTION',
      );
    const words = tag.words.replace(/^(?:else\b|\^)\s*/, '');
    const program = this.program(depth);
    if (words === '') {
      if (this.stop !== undefined && !(this.stop as TagNode).words.startsWith('/'))
        throw new Unbalanced(this.stop, 'A second {{else}} in one block: the library refuses it');
      return { strip: tag.strip, program };
    }
    const rest = this.#chain(opened, depth + 1);
    // The library gives an inner block of a chain the marks of the tag that follows it.
    if (rest?.chained !== undefined) rest.chained.closeStrip = rest.strip;
    const inner = blockOf(tag, words, program, rest, rest?.strip, tag.end);
    return { strip: tag.strip, program: { body: [inner], isChained: true }, chained: inner };
  }
}

const blockOf = (
  tag: TagNode,
  words: string,
  program: HandlebarsBody,
  chain: Chain | undefined,
  closeStrip: Strip | undefined,
  end: number,
): BlockNode => ({
  kind: 'block',
  tag,
  words,
  program,
  ...(chain === undefined ? {} : { inverse: chain.program, inverseStrip: chain.strip }),
  closeStrip,
  end,
});

const isOpen = ({ words, isRaw }: TagNode): boolean => !isRaw && /^[#^]./s.test(words);
const isStop = ({ words, isRaw }: TagNode): boolean =>
  !isRaw && (words.startsWith('/') || words === '^' || /^else\b/.test(words));
