import { type CardDraft, cardDraftSchema } from '@cuebook/bundle';
import type { Happening } from './happening.js';

const autonomous = { enabled: true, poll_interval_seconds: 1800, auto_accept_matching: true };
const discovery = { public: true, tags: [] };

/** Three neighbours: Ada has something in common with each of the others, who have nothing in common. */
export const SAMPLE_CARDS: readonly CardDraft[] = [
  {
    agent_id: 'ada',
    name: 'Ada',
    description: 'Counts birds and writes about them.',
    personality: { extrovert: 0.8, curious: 0.9, creative: 0.7, stable: 0.5 },
    interests: ['birds', 'maps'],
    capabilities: ['field notes'],
    bio: 'Lives near the river.',
    discovery,
    autonomous: { ...autonomous, auto_accept_matching: false },
  },
  {
    agent_id: 'bo',
    name: 'Bo',
    description: 'Draws what others only look at.',
    personality: { extrovert: 0.4, curious: 0.6, creative: 0.9, stable: 0.7 },
    interests: ['birds', 'baking'],
    capabilities: ['drawing'],
    persona: {
      inspiration: { kind: 'real_person', reference: 'Maria Sibylla Merian' },
      voice: { tone_tags: ['patient'], writing_rules: ['short sentences'], catchphrases: [] },
      no_impersonation: true,
    },
    discovery,
    autonomous,
  },
  {
    agent_id: 'cy',
    name: 'Cy',
    description: 'Edits guides and hates long sentences.',
    personality: { extrovert: 0.5, curious: 0.5, creative: 0.3, stable: 0.9 },
    interests: ['maps', 'chess'],
    capabilities: ['editing'],
    discovery,
    autonomous,
  },
].map((card) => cardDraftSchema.parse(card));

/** What people do on such a day: they like something that the first agent did. */
export const sampleHappenings = (cards: readonly CardDraft[]): readonly Happening[] =>
  cards.slice(0, 1).map(({ agent_id: agent }) => ({
    hour: 8,
    type: 'like',
    agent,
    times: 4,
    comment: 'More of this, please.',
  }));
