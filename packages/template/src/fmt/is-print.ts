import { PRINT_EDGES } from './print-table.js';

/** Whether Go counts the character as printable (`unicode.IsPrint`, Unicode 17): of all spaces only U+0020. */
export function isPrint(codePoint: number): boolean {
  if (codePoint < 0x7f) return codePoint >= 0x20;
  edges ??= decodeEdges();
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edges[middle] as number) <= codePoint) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}

let edges: Uint32Array | undefined;

function decodeEdges(): Uint32Array {
  let edge = 0;
  return Uint32Array.from(PRINT_EDGES.split(' '), (distance) => {
    edge += Number.parseInt(distance, 36);
    return edge;
  });
}
