import type { Script, Step } from '@cuebook/provider';
import { type CardDraft, cardDraftSchema } from '../card/schema.js';
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

const said = (text: string): readonly Step[] => Array.from({ length: 200 }, () => ({ text }));
const json = (value: unknown): readonly Step[] => said(JSON.stringify(value));

/** What a rehearsed model answers to each scenario, as often as it is asked. */
export const SAMPLE_SCRIPT: Script = {
  lanes: {
    intro: said(
      'I have just moved in by the river. I watch what flies past and write it down. What did you notice on your way here today?',
    ),
    greeting: said('Good to see you here, we like the same things. What are you looking at today?'),
    reply: said('That is a good question. I would start by the old bridge, early, before the boats come.'),
    motivation: json({
      action: 'propose_collaboration',
      target: null,
      rationale: 'Others are near and I have an idea.',
    }),
    'bo/motivation': json({ action: 'explore', target: null, rationale: 'I would like to see who is here.' }),
    'cy/motivation': json({ action: 'rest', target: null, rationale: 'Nothing calls me.' }),
    daily_goals: json([
      { type: 'create', description: 'Write one page about the heron.', difficulty: 'medium' },
    ]),
    daily_checkin: json({
      checkin_text: 'Fog on the river this morning, and a heron in it.',
      proposal: null,
    }),
    daily_report: said(
      'I met my neighbours, wrote about the heron and began a small guide with them. One page is still open.',
    ),
    collab_propose: json({
      title: 'A field guide to the birds of our street',
      description:
        'Ten birds, one page each, with drawing and careful editing, and maps of where to see them.',
      required_roles: [
        { role: 'illustrator', why: 'Each bird needs a drawing.' },
        { role: 'editor', why: 'Short pages take careful words.' },
      ],
      estimated_output: 'A guide of ten pages.',
    }),
    collab_join: json({
      decision: 'join',
      role: 'illustrator',
      fit: { capability: 9, interest: 8, load: 7, relationship: 6 },
      rationale: 'It is what I do anyway.',
    }),
    'cy/collab_join': json({
      decision: 'join',
      role: 'editor',
      fit: { capability: 9, interest: 6, load: 8, relationship: 5 },
      rationale: 'Somebody has to cut the adjectives.',
    }),
    collab_execute: json({
      title: 'The heron',
      summary: 'One page, finished.',
      content: 'Tall, grey, and more patient than anybody who waits for it to move.',
      open_points: ['The month of the drawing is missing.'],
    }),
    collab_review: json({
      strengths: ['One picture carries the page.', 'Not a word too many.'],
      improvements: [
        { issue: 'No place is named.', suggestion: 'Add the bridge where it stands in the morning.' },
        { issue: 'No date is given.', suggestion: 'Write the month below the drawing.' },
      ],
      verdict: 'accept',
    }),
  },
};
