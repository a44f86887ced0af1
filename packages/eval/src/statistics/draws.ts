/** Numbers between 0 and 1 that a seed gives, the same each time (sfc32). */
export function seededDraws(seed: number): () => number {
  let a = seed >>> 0;
  let b = Math.imul(seed, 2654435761) >>> 0;
  let c = 0x9e3779b9;
  let count = 1;
  const draw = (): number => {
    const sum = (((a + b) | 0) + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 4294967296;
  };
  for (let step = 0; step < 15; step += 1) draw();
  return draw;
}

/** The items in an order that a seed gives. */
export function shuffled<Item>(items: readonly Item[], seed: number): readonly Item[] {
  const draw = seededDraws(seed);
  const order = [...items];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(draw() * (at + 1));
    [order[at], order[other]] = [order[other] as Item, order[at] as Item];
  }
  return order;
}
