import { guard } from '@cuebook/guard';
import { asksForImpersonation, isNameOf } from '../scenario/impersonation.js';
import type { CardDraft } from './schema.js';

/** What is wrong at one place of a card. */
export interface CardProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Where a card makes its agent the person that its persona is only inspired by. */
export function personaProblems(card: CardDraft): readonly CardProblem[] {
  const { persona, name, description, bio, greeting, interests, capabilities } = card;
  if (persona === undefined || !PERSONS.has(persona.inspiration?.kind)) return [];
  const { tone_tags, writing_rules, catchphrases } = persona.voice;
  const each = (path: readonly PropertyKey[], texts: readonly string[]) =>
    texts.map((text, index) => [[...path, index], text] as const);
  const texts: readonly (readonly [path: readonly PropertyKey[], text: string | undefined])[] = [
    [['description'], description],
    [['bio'], bio],
    [['greeting'], greeting],
    ...each(['interests'], interests),
    ...each(['capabilities'], capabilities),
    [['persona', 'inspiration', 'note'], persona.inspiration?.note],
    ...each(['persona', 'voice', 'tone_tags'], tone_tags),
    ...each(['persona', 'voice', 'writing_rules'], writing_rules),
    ...each(['persona', 'voice', 'catchphrases'], catchphrases),
  ];
  const claiming = texts.filter(
    ([, text]) => text !== undefined && asksForImpersonation(text, persona, name),
  );
  const isNamed = guard('card.inspiration-name', isNameOf(name, persona));
  return [
    ...(isNamed ? [{ path: ['name'], message: NAMED }] : []),
    ...(guard('card.impersonation', claiming.length > 0)
      ? claiming.map(([path]) => ({ path, message: CLAIMING }))
      : []),
  ];
}

/** An agent may well be an owl. */
const PERSONS: ReadonlySet<string | undefined> = new Set(['real_person', 'fictional_character']);
const NAMED = 'is the name of the inspiration; an agent has a name of its own';
const CLAIMING = 'makes the agent the person of its inspiration; say what its voice is like, not who it is';
