import type { TeamConfig } from '../run/config.js';
import type { Voices } from './voices.js';

/** What the machine of a team must know of the providers of a project. */
export function teamConfig(voices: Voices, { approvalMs }: { readonly approvalMs: number }): TeamConfig {
  return {
    resumes: (provider) => voices.entry(provider)?.capabilities.resumes ?? false,
    nativeTools: (provider) => voices.ownTools(provider),
    acts: (provider) => voices.entry(provider)?.kind === 'cli',
    retells: (provider) => voices.entry(provider)?.capabilities.changesInput === false,
    expect(state, node) {
      const tokens = Math.ceil((state.roles[node.role]?.text.length ?? 0) / CHARS) + CONTRACT_TOKENS;
      return { tokens, usd: tokens * (voices.priceOf(node) ?? 0) };
    },
    // A model that only answers is asked again. An agent may have acted: whether its turn was sent, and how it
    // ended, is looked up, and what nobody knows a person is asked.
    onTurnCrash: ({ provider }) => (voices.entry(provider)?.kind === 'cli' ? 'ask-world' : 'repeat'),
    ...(approvalMs > 0 ? { approvalMs } : {}),
  };
}

/** A turn costs at least its role and the contract; the task comes on top and is not guessed. */
const CONTRACT_TOKENS = 500;
const CHARS = 4;
