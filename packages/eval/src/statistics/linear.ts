import type { Estimate } from './estimate.js';

/** One observation: which units were kept, the score, and its cluster. */
export interface UnitObservation {
  readonly kept: readonly boolean[];
  readonly score: number;
  readonly cluster: string;
}

/**
 * What each unit adds to the score, by least squares over observations with different units kept, with errors that allow
 * for clusters. Undefined with fewer clusters than two or fewer observations than units.
 */
export function unitEffects(observations: readonly UnitObservation[]): readonly Estimate[] | undefined {
  const units = observations[0]?.kept.length ?? 0;
  const size = units + 1;
  if (observations.length <= size) return undefined;
  const rows = observations.map(({ kept }) => [1, ...kept.map(Number)]);
  const normal = matrix(size);
  const target = new Array<number>(size).fill(0);
  for (const [at, row] of rows.entries()) {
    const { score } = observations[at] as UnitObservation;
    for (let i = 0; i < size; i += 1) {
      const value = row[i] as number;
      if (value === 0) continue;
      target[i] = (target[i] as number) + value * score;
      const line = normal[i] as number[];
      for (let j = 0; j < size; j += 1) line[j] = (line[j] as number) + value * (row[j] as number);
    }
  }
  for (let i = 0; i < size; i += 1)
    (normal[i] as number[])[i] = ((normal[i] as number[])[i] as number) + RIDGE;
  const inverse = invert(normal);
  const weights = inverse.map((line) => dot(line, target));
  const scores = new Map<string, number[]>();
  for (const [at, row] of rows.entries()) {
    const { score, cluster } = observations[at] as UnitObservation;
    const rest = score - dot(row, weights);
    const sum = scores.get(cluster) ?? new Array<number>(size).fill(0);
    for (let i = 0; i < size; i += 1) sum[i] = (sum[i] as number) + rest * (row[i] as number);
    scores.set(cluster, sum);
  }
  const clusters = scores.size;
  if (clusters < 2) return undefined;
  return Array.from({ length: units }, (_, unit): Estimate => {
    const line = inverse[unit + 1] as number[];
    let variance = 0;
    for (const sum of scores.values()) variance += dot(line, sum) ** 2;
    const error = Math.sqrt((variance * clusters) / (clusters - 1));
    const mean = weights[unit + 1] as number;
    return { mean, error, degrees: clusters - 1, count: observations.length, clusters };
  });
}

/** Keeps a unit that was never removed from making the equations unsolvable. */
const RIDGE = 1e-9;

const matrix = (size: number): number[][] =>
  Array.from({ length: size }, () => new Array<number>(size).fill(0));

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] as number) * (b[at] as number);
  return sum;
}

/** Gauss and Jordan, with the largest pivot. */
function invert(given: readonly (readonly number[])[]): number[][] {
  const size = given.length;
  const rows = given.map((row, at) => [...row, ...Array.from({ length: size }, (_, j) => Number(j === at))]);
  for (let column = 0; column < size; column += 1) {
    let best = column;
    for (let row = column + 1; row < size; row += 1)
      if (Math.abs(rows[row]?.[column] as number) > Math.abs(rows[best]?.[column] as number)) best = row;
    [rows[column], rows[best]] = [rows[best] as number[], rows[column] as number[]];
    const pivot = rows[column] as number[];
    const scale = pivot[column] as number;
    for (let j = 0; j < 2 * size; j += 1) pivot[j] = (pivot[j] as number) / scale;
    for (const [row, line] of rows.entries()) {
      const factor = line[column] as number;
      if (row === column || factor === 0) continue;
      for (let j = 0; j < 2 * size; j += 1) line[j] = (line[j] as number) - factor * (pivot[j] as number);
    }
  }
  return rows.map((row) => row.slice(size));
}
