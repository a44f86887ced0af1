import { createHash } from 'node:crypto';

/** A number from 0 to 1 that a key gives, the same in every process: the first 48 bits of its hash. */
export const drawOf = (key: readonly (string | number)[]): number =>
  createHash('sha256').update(JSON.stringify(key)).digest().readUIntBE(0, 6) / 2 ** 48;

/** A normal variable that a key gives (Box and Muller). */
export function normalOf(key: readonly (string | number)[]): number {
  const [radius, angle] = [drawOf([...key, 'radius']), drawOf([...key, 'angle'])];
  return Math.sqrt(-2 * Math.log(1 - radius)) * Math.cos(2 * Math.PI * angle);
}
