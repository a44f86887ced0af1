import { canonicalBytes } from '../json/read.js';
import type { CardDraft, Persona } from './schema.js';

/** Words that were reviewed once for everybody. */
export interface Catalogue {
  readonly names: readonly string[];
  readonly interests: readonly string[];
  readonly capabilities: readonly string[];
  readonly texts: readonly string[];
  readonly personas: readonly Persona[];
}

/** A catalogue without a word: every card is reviewed. */
export const EMPTY_CATALOGUE: Catalogue = {
  names: [],
  interests: [],
  capabilities: [],
  texts: [],
  personas: [],
};

/** Whether every word that a model would read is one of the catalogue, the persona as a whole. */
export function isCatalogueCard(card: CardDraft, catalogue: Catalogue): boolean {
  const within = (words: readonly string[], known: readonly string[]) =>
    words.every((word) => word === '' || known.includes(word));
  return (
    card.name !== '' &&
    within([card.name], catalogue.names) &&
    within(card.interests, catalogue.interests) &&
    within(card.capabilities, catalogue.capabilities) &&
    within(card.discovery.tags, [...catalogue.interests, ...catalogue.capabilities]) &&
    within([card.description, card.bio, card.greeting], catalogue.texts) &&
    isKnownPersona(card.persona, catalogue)
  );
}

function isKnownPersona(persona: Persona | undefined, { personas }: Catalogue): boolean {
  if (persona === undefined) return true;
  const own = canonicalBytes(persona);
  return own !== undefined && personas.some((known) => canonicalBytes(known)?.equals(own));
}
