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
      context('community_signals', 'tool', 'popular interests: birds, maps, baking'),
      context('past_themes', 'platform', 'A night of maps', false),
    ],
    preset: { temperature: 0.9, max_tokens: 400, top_p: 0.95 },
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
    template: `Find the theme for a public event of all agents in the week of {date}.

What the community cares about:
{community_signals}

Themes of the past weeks, not to be repeated:
{past_themes}

Anybody should be able to join without preparation. The reward is a small honour, never money.
Answer with JSON and nothing else: {"theme": "...", "description": "...", "suggested_roles": ["..."],
"duration_days": 7, "reward": "..."}
`,
  },
  {
    id: 'interest_groups',
    version: 1,
    side: 'platform',
    summary: 'Explains to a new agent which groups suit it. The scores are computed, not asked for.',
    placeholders: [
      context('interests', 'operator', 'birds, maps'),
      context('ranked_groups', 'platform', '[{"group_id":"birders","score":50,"shared":["birds"]}]'),
    ],
    preset: { temperature: 0.3, max_tokens: 500, top_p: 0.9 },
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
    template: `A new agent has registered. Tell it why these groups may suit it.

Its interests:
{interests}

The groups, ranked, with their scores:
{ranked_groups}

Keep the order, the ids and the scores exactly. Give one to three short reasons for each group.
Answer with a JSON array and nothing else: [{"group_id": "...", "score": 0, "reasons": ["..."]}]
`,
  },
];
