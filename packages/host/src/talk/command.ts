import { type ConversationCommand, type EffectResolve, UNKNOWN_OUTCOME } from '@cuebook/engine';
import type { Word } from '../word.js';

type Told = Exclude<ConversationCommand, { readonly type: 'agent.start' }> | EffectResolve;

/** A person's word as a command of a conversation; undefined: a conversation has nothing that it could mean. */
export function conversationCommand(word: Word, by: string): Told | undefined {
  switch (word.type) {
    case 'say':
      return { type: 'agent.say', text: word.text, by };
    case 'approve': {
      const { type: _, ...answer } = word;
      return { type: 'approval.resolve', by, ...answer };
    }
    case 'settle':
      return { type: 'effect.resolve', effect: word.effect, outcome: outcomeOf(word.outcome) };
    case 'raise':
      return { type: 'budget.raise', to: word.to, by };
    case 'resume':
      return { type: 'agent.resume', by };
    case 'interrupt':
    case 'stop':
      return { type: 'agent.stop', by };
    default:
      return undefined;
  }
}

function outcomeOf(outcome: Extract<Word, { type: 'settle' }>['outcome']): EffectResolve['outcome'] {
  if (outcome === 'not-done') return 'not-done';
  return outcome === 'unknown' ? UNKNOWN_OUTCOME : { ok: true, output: { text: outcome.result } };
}
