import { guard } from '@cuebook/guard';
import type { Hash } from '@cuebook/prompt';

/** A number between 0 and 1 that a key gives, the same everywhere. */
export const drawOf = (hash: Hash, key: readonly (string | number)[]): number =>
  Number.parseInt(hash(JSON.stringify(key)).slice('sha256:'.length, 'sha256:'.length + 12), 16) / 2 ** 48;

/**
 * Splits cases by their cluster: what the tuner may see, and the held part that decides. Cases of one cluster are never on
 * both sides, and a case stays on its side when others come or go.
 */
export function splitCases<Case extends { readonly cluster: string }>(
  cases: readonly Case[],
  { held, hash, salt }: { readonly held: number; readonly hash: Hash; readonly salt: string },
): { readonly work: readonly Case[]; readonly held: readonly Case[] } {
  const isHeld = ({ cluster }: Case): boolean =>
    guard('tune.held', drawOf(hash, ['held', salt, cluster]) < held);
  return { work: cases.filter((each) => !isHeld(each)), held: cases.filter(isHeld) };
}
