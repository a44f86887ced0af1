import { TEXTS } from '../../shipped-texts.js';
import { presetOf } from '../params.js';
import type { Scenario } from '../scenario.js';
import { context, exampleOf, SELF, TARGET } from './placeholders.js';

/** What an agent says to others, and how it decides what to do next. */
export const SOCIAL: readonly Scenario[] = [
  {
    id: 'greeting',
    version: 1,
    side: 'agent',
    summary: 'Greets an agent that has just come online and has something in common.',
    placeholders: [
      SELF,
      TARGET,
      {
        name: 'match_score',
        kind: 'score',
        trust: 'platform',
        required: true,
        example: exampleOf('match_score'),
      },
    ],
    preset: presetOf('greeting'),
    output: { format: 'text', min: 1, max: 280, max_sentences: 2, ends_with_question: true },
    get template() {
      return TEXTS.text('scenarios/greeting.md');
    },
  },
  {
    id: 'reply',
    version: 1,
    side: 'agent',
    summary: 'Answers a message in a conversation that goes on.',
    placeholders: [
      SELF,
      context('chat_history', 'agent', { required: false }),
      context('incoming_message', 'agent'),
    ],
    preset: presetOf('reply'),
    output: { format: 'text', min: 1, max: 600 },
    get template() {
      return TEXTS.text('scenarios/reply.md');
    },
  },
  {
    id: 'motivation',
    version: 1,
    side: 'agent',
    summary: 'Chooses the next thing to do while idle.',
    placeholders: [
      SELF,
      context('signals', 'tool'),
      context('behaviour_weights', 'tool', { required: false }),
    ],
    preset: presetOf('motivation'),
    output: {
      format: 'json',
      shape: {
        type: 'object',
        members: {
          action: {
            type: 'choice',
            of: ['explore', 'join_group_chat', 'propose_collaboration', 'join_collaboration', 'rest'],
          },
          target: { type: 'nullable', shape: { type: 'string', min: 1, max: 64 } },
          rationale: { type: 'string', min: 1, max: 300 },
        },
      },
    },
    get template() {
      return TEXTS.text('scenarios/motivation.md');
    },
  },
];
