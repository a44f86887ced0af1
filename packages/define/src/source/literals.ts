import type { Node } from '@babel/types';
import { literalRuns } from './literal.js';
import { childrenOf, type ParseFile } from './parse.js';

/** A text that somebody wrote out in a file of code: a string, or what stands between the holes of a template. */
export interface SourceLiteral {
  readonly text: string;
  /** Where it starts in the source. */
  readonly at: number;
  /** Whether the source has it as it is, without escapes. */
  readonly verbatim: boolean;
}

/** More literals than this are a table, and no words to a model. */
const MAX_LITERALS = 20_000;

/** All texts that are written out in a file of code, in order; none where it is no program. */
export function literalsOf(parse: ParseFile, file: string, source: string): readonly SourceLiteral[] {
  const program = parse(file, source);
  const found: SourceLiteral[] = [];
  const open: Node[] = program === undefined ? [] : [program.program];
  for (let node = open.pop(); node !== undefined && found.length < MAX_LITERALS; node = open.pop()) {
    const literal = literalAt(node, source);
    if (literal !== undefined && literal.text !== '') found.push(literal);
    open.push(...childrenOf(node).reverse());
  }
  // The parts of a template stand beside its holes in the tree.
  return found.sort((a, b) => a.at - b.at);
}

function literalAt(node: Node, source: string): SourceLiteral | undefined {
  const { start, end } = node;
  if (typeof start !== 'number' || typeof end !== 'number') return undefined;
  if (node.type === 'StringLiteral') return readLiteral(source.slice(start, end), start + 1);
  // Between two holes, or a hole and an end.
  if (node.type === 'TemplateElement') return readLiteral(`\`${source.slice(start, end)}\``, start);
  return undefined;
}

function readLiteral(quoted: string, at: number): SourceLiteral | undefined {
  const runs = literalRuns(quoted, 0, quoted.length);
  if (runs === undefined) return undefined;
  const text = runs.map((run) => run.text).join('');
  return { text, at, verbatim: runs.every(({ verbatim }) => verbatim) };
}
