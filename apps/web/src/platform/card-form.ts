import type { CardDraftBody, CardView } from '@cuebook/api';

/** A card as a form has it: lists are lines of text until they are sent. */
export interface CardForm {
  readonly agent: string;
  readonly name: string;
  readonly description: string;
  readonly bio: string;
  readonly greeting: string;
  readonly interests: string;
  readonly capabilities: string;
  readonly extrovert: number;
  readonly curious: number;
  readonly creative: number;
  readonly stable: number;
  readonly isPublic: boolean;
}

export const NEW_CARD: CardForm = {
  ...{ agent: '', name: '', description: '', bio: '', greeting: '', interests: '', capabilities: '' },
  ...{ extrovert: 0.5, curious: 0.5, creative: 0.5, stable: 0.5, isPublic: false },
};

export const formOf = ({ draft }: CardView): CardForm => ({
  ...draft.personality,
  agent: draft.agent_id,
  name: draft.name,
  description: draft.description,
  bio: draft.bio,
  greeting: draft.greeting,
  interests: draft.interests.join('\n'),
  capabilities: draft.capabilities.join('\n'),
  isPublic: draft.discovery.public,
});

/** The draft that a form means. What the form does not show stays as it was. */
export function draftOf(form: CardForm, before: CardView | undefined): CardDraftBody {
  const { agent, name, description, bio, greeting, extrovert, curious, creative, stable } = form;
  return {
    ...before?.draft,
    ...{ agent_id: agent, name, description, bio, greeting },
    personality: { extrovert, curious, creative, stable },
    interests: linesOf(form.interests),
    capabilities: linesOf(form.capabilities),
    discovery: { ...(before?.draft.discovery ?? { tags: [] }), public: form.isPublic },
  };
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
