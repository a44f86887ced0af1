import type { VariableVault } from '@cuebook/host';
import type { ThreadRunState } from '../run/state.js';

/**
 * The names of the secret variables that a conversation has and this vault does not open: they were sealed with another
 * key. Whoever went on without them would tell a model that they were never handed in.
 */
export function unopenedSecrets(
  { account, instance, frames }: Pick<ThreadRunState, 'account' | 'instance' | 'frames'>,
  vault: Pick<VariableVault, 'open'>,
): readonly string[] {
  const layers = [account, instance, ...Object.values(frames).map(({ env }) => env)];
  const names = layers.flatMap((layer) =>
    Object.entries(layer).flatMap(([name, kept]) =>
      kept?.type === 'secret' && vault.open(kept.sealed) === undefined ? [name] : [],
    ),
  );
  return [...new Set(names)].sort();
}

/** Why nobody here goes on with a conversation. */
export const describeUnopened = (names: readonly string[]): string =>
  `The variables ${names.slice(0, SHOWN).join(', ')} were sealed with a key that is not here: go on in the home, or with the project key, that the run was begun with.`;

const SHOWN = 10;
