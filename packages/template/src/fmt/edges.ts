/** A set of code points: the edges at which one turns into a member and back. */
export type Edges = Uint32Array;

/** Reads a table of edges: each number is the distance from the one before, in base 36. */
export function readEdges(table: string): Edges {
  let edge = 0;
  return Uint32Array.from(table.split(' '), (distance) => {
    edge += Number.parseInt(distance, 36);
    return edge;
  });
}

/** Whether a code point is a member. */
export function isInside(edges: Edges, codePoint: number): boolean {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edges[middle] as number) <= codePoint) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}
