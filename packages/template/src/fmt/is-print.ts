import { type Edges, isInside, readEdges } from './edges.js';
import { PRINT_EDGES } from './print-table.js';

/** Whether Go counts the character as printable (`unicode.IsPrint`, Unicode 17): of all spaces only U+0020. */
export function isPrint(codePoint: number): boolean {
  if (codePoint < 0x7f) return codePoint >= 0x20;
  edges ??= readEdges(PRINT_EDGES);
  return isInside(edges, codePoint);
}

let edges: Edges | undefined;
