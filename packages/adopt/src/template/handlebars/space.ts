import type { HandlebarsText, Strip } from './scan.js';
import type { BlockNode, HandlebarsBody, TreeNode } from './tree.js';

/**
 * Takes away the white space that Handlebars takes away: the lines that a block's tags, a partial or a comment have for themselves,
 * and what `~` asks for. The order of the steps is that of the library, for a text is stripped once on each side.
 */
export function stripSpace(root: HandlebarsBody): void {
  stripProgram(root, true);
}

interface Stripped {
  readonly open: boolean;
  readonly close: boolean;
  readonly openAlone?: boolean;
  readonly closeAlone?: boolean;
  readonly isAlone?: boolean;
}

function stripProgram({ body }: HandlebarsBody, isRoot: boolean): void {
  body.forEach((node, index) => {
    if (node.kind === 'text') return;
    const strip = stripNode(node);
    const isBlankBefore = blankBefore(body, index, isRoot);
    const isBlankAfter = blankAfter(body, index, isRoot);
    if (strip.close) cutStart(body[index + 1], true);
    if (strip.open) cutEnd(body[index - 1], true);
    if (strip.isAlone === true && isBlankBefore && isBlankAfter) {
      cutStart(body[index + 1]);
      const before = body[index - 1];
      const isCut = cutEnd(before);
      if (isCut && node.kind === 'tag' && before?.kind === 'text')
        node.indent = /[ \t]+$/.exec(before.original)?.[0] ?? '';
    }
    if (node.kind !== 'block') return;
    if (strip.openAlone === true && isBlankBefore) {
      cutStart(node.program.body[0]);
      cutEnd(body[index - 1]);
    }
    if (strip.closeAlone === true && isBlankAfter) {
      cutStart(body[index + 1]);
      cutEnd((node.inverse ?? node.program).body.at(-1));
    }
  });
}

function stripNode(node: Exclude<TreeNode, HandlebarsText>): Stripped {
  if (node.kind === 'tag') return { ...node.strip, isAlone: node.words.startsWith('>') };
  return node.kind === 'comment' ? { ...node.strip, isAlone: true } : stripBlock(node);
}

const NO_STRIP: Strip = { open: false, close: false };

function stripBlock({ tag, program, inverse, inverseStrip, closeStrip = NO_STRIP }: BlockNode): Stripped {
  stripProgram(program, false);
  if (inverse !== undefined) stripProgram(inverse, false);
  const first = inverse?.isChained === true ? blockIn(inverse, 0).program : inverse;
  let last = inverse;
  while (last?.isChained === true) last = blockIn(last, -1).program;
  const found: Stripped = {
    open: tag.strip.open,
    close: closeStrip.close,
    openAlone: blankAfter(program.body, -1, false),
    closeAlone: blankBefore((first ?? program).body, (first ?? program).body.length, false),
  };
  if (tag.strip.close) cutStart(program.body[0], true);
  if (inverse === undefined || first === undefined || last === undefined) {
    if (closeStrip.open) cutEnd(program.body.at(-1), true);
    return found;
  }
  if (inverseStrip?.open === true) cutEnd(program.body.at(-1), true);
  if (inverseStrip?.close === true) cutStart(first.body[0], true);
  if (closeStrip.open) cutEnd(last.body.at(-1), true);
  if (blankBefore(program.body, program.body.length, false) && blankAfter(first.body, -1, false)) {
    cutEnd(program.body.at(-1));
    cutStart(first.body[0]);
  }
  return found;
}

const blockIn = ({ body }: HandlebarsBody, index: number): BlockNode => body.at(index) as BlockNode;

function blankBefore(body: readonly TreeNode[], index: number, isRoot: boolean): boolean {
  const before = body[index - 1];
  if (before === undefined) return isRoot;
  if (before.kind !== 'text') return false;
  const tail = before.original.slice(before.original.trimEnd().length);
  return tail.includes('\n') || (isRoot && body[index - 2] === undefined && tail === before.original);
}

function blankAfter(body: readonly TreeNode[], index: number, isRoot: boolean): boolean {
  const after = body[index + 1];
  if (after === undefined) return isRoot;
  if (after.kind !== 'text') return false;
  const lead = after.original.slice(0, after.original.length - after.original.trimStart().length);
  return lead.includes('\n') || (isRoot && body[index + 2] === undefined && lead === after.original);
}

/** Removes white space at the start of a text: the rest of its line, or `all`. */
function cutStart(node: TreeNode | undefined, all = false): void {
  if (node?.kind !== 'text' || (!all && node.rightStripped === true)) return;
  const shorter = all ? node.text.trimStart() : node.text.replace(/^[ \t]*\r?\n?/, '');
  node.rightStripped = shorter !== node.text;
  node.text = shorter;
}

/** Removes white space at the end of a text: what stands on its last line, or `all`. Whether there was any. */
function cutEnd(node: TreeNode | undefined, all = false): boolean {
  if (node?.kind !== 'text' || (!all && node.leftStripped === true)) return false;
  const shorter = all ? node.text.trimEnd() : node.text.replace(/(^|[^ \t])[ \t]+$/, '$1');
  node.leftStripped = shorter !== node.text;
  node.text = shorter;
  return node.leftStripped;
}
