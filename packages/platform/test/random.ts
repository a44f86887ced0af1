/** Numbers from 0 to 1 that follow from a seed, for simulations that a failure can repeat. */
export function seeded(seed: number): () => number {
  let state = (seed >>> 0) + 0x9e3779b9;
  return () => {
    state = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    state = Math.imul(state ^ (state >>> 15), 0x735a2d97);
    state = (state ^ (state >>> 15)) >>> 0;
    const drawn = state;
    state = (state + 0x9e3779b9) >>> 0;
    return drawn / 2 ** 32;
  };
}
