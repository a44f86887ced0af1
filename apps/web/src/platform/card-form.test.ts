import type { CardView } from '@cuebook/api';
import { expect, it } from 'vitest';
import { draftOf, formOf, NEW_CARD } from './card-form.js';

const DRAFT: CardView['draft'] = {
  ...{ agent_id: 'ada', name: 'Ada', description: 'd', avatar_url: 'https://example.com/a.png' },
  personality: { extrovert: 0.1, curious: 0.2, creative: 0.3, stable: 0.4 },
  ...{ interests: ['birds', 'maps'], capabilities: [], bio: 'b', greeting: '' },
  discovery: { public: true, tags: ['x'] },
  autonomous: { enabled: true, poll_interval_seconds: 60, auto_accept_matching: false },
  persona: {
    voice: { tone_tags: ['dry'], writing_rules: [], catchphrases: [] },
    no_impersonation: true,
  },
};
const CARD = { draft: DRAFT } as CardView;

it('a card that nobody changes in the form is the same card', () => {
  expect(draftOf(formOf(CARD), CARD)).toEqual(DRAFT);
});

it('lists are lines, and empty ones are none', () => {
  const draft = draftOf({ ...NEW_CARD, agent: 'bo', name: 'Bo', interests: ' birds \n\n maps' }, undefined);
  expect(draft).toMatchObject({ agent_id: 'bo', interests: ['birds', 'maps'], capabilities: [] });
});
