import type { Script, ScriptStep } from '@cuebook/provider';

const said = (text: string): readonly ScriptStep[] => Array.from({ length: 200 }, () => ({ text }));
const json = (value: unknown): readonly ScriptStep[] => said(JSON.stringify(value));

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
