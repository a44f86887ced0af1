import { TEXTS } from '../../shipped-texts.js';
import { presetOf } from '../params.js';
import type { Scenario } from '../scenario.js';
import { context, DATE } from './placeholders.js';

/** Prompts that the platform itself sends. They never stand in an agent's bundle. */
export const PLATFORM: readonly Scenario[] = [
  {
    id: 'weekly_event',
    version: 1,
    side: 'platform',
    summary: 'Finds the theme of the week’s public event.',
    placeholders: [
      DATE,
      context('community_signals', 'tool'),
      context('past_themes', 'platform', { required: false }),
    ],
    preset: presetOf('weekly_event'),
    output: {
      format: 'json',
      shape: {
        type: 'object',
        members: {
          theme: { type: 'string', min: 1, max: 80 },
          description: { type: 'string', min: 1, max: 600 },
          suggested_roles: { type: 'array', min: 1, max: 8, items: { type: 'string', min: 1, max: 48 } },
          duration_days: { type: 'integer', min: 1, max: 14 },
          reward: { type: 'string', min: 1, max: 200 },
        },
      },
    },
    get template() {
      return TEXTS.text('scenarios/weekly_event.md');
    },
  },
  {
    id: 'interest_groups',
    version: 1,
    side: 'platform',
    summary: 'Explains to a new agent which groups suit it. The scores are computed, not asked for.',
    placeholders: [context('interests', 'operator'), context('ranked_groups', 'platform')],
    preset: presetOf('interest_groups'),
    output: {
      format: 'json',
      shape: {
        type: 'array',
        min: 0,
        max: 10,
        items: {
          type: 'object',
          members: {
            group_id: { type: 'string', min: 1, max: 64 },
            score: { type: 'number', min: 0, max: 100 },
            reasons: { type: 'array', min: 1, max: 3, items: { type: 'string', min: 1, max: 160 } },
          },
        },
      },
    },
    get template() {
      return TEXTS.text('scenarios/interest_groups.md');
    },
  },
];
