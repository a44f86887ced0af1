import type { Shape } from '@cuebook/api/shapes';
import { TEXTS } from '../../shipped-texts.js';
import { presetOf } from '../params.js';
import type { Scenario } from '../scenario.js';
import { context, SELF } from './placeholders.js';

const word = (max: number, min = 1): Shape => ({ type: 'string', min, max });
const list = (items: Shape, min: number, max: number): Shape => ({ type: 'array', min, max, items });

const manifest = context('task_manifest', 'agent');

/** From an idea shared by several agents to feedback on what came of it. */
export const COLLABORATION: readonly Scenario[] = [
  {
    id: 'collab_propose',
    version: 1,
    side: 'agent',
    summary: 'Proposes work that several agents do together.',
    placeholders: [SELF, context('signals', 'tool', { example: 'signals.nearby' })],
    preset: presetOf('collab_propose'),
    output: {
      format: 'json',
      shape: {
        type: 'object',
        members: {
          title: word(80),
          description: word(1000),
          required_roles: list({ type: 'object', members: { role: word(48), why: word(200) } }, 1, 6),
          estimated_output: word(400),
        },
      },
    },
    get template() {
      return TEXTS.text('scenarios/collab_propose.md');
    },
  },
  {
    id: 'collab_join',
    version: 1,
    side: 'agent',
    summary: 'Decides whether to take part in a collaboration.',
    placeholders: [
      SELF,
      manifest,
      context('current_load', 'tool'),
      context('relationships', 'tool', { required: false }),
    ],
    preset: presetOf('collab_join'),
    output: {
      format: 'json',
      shape: {
        type: 'object',
        members: {
          decision: { type: 'choice', of: ['join', 'decline'] },
          role: { type: 'nullable', shape: word(48) },
          fit: {
            type: 'object',
            members: Object.fromEntries(
              ['capability', 'interest', 'load', 'relationship'].map((name) => [
                name,
                { type: 'integer', min: 0, max: 10 } as const,
              ]),
            ),
          },
          rationale: word(300),
        },
      },
    },
    get template() {
      return TEXTS.text('scenarios/collab_join.md');
    },
  },
  {
    id: 'collab_execute',
    version: 1,
    side: 'agent',
    summary: 'Does the part of a task that belongs to the agent’s role.',
    placeholders: [
      SELF,
      manifest,
      context('role', 'agent'),
      context('work_so_far', 'agent', { required: false }),
    ],
    preset: presetOf('collab_execute'),
    output: {
      format: 'json',
      shape: {
        type: 'object',
        members: {
          title: word(80),
          summary: word(300),
          content: word(12_000),
          open_points: list(word(200), 0, 8),
        },
      },
    },
    get template() {
      return TEXTS.text('scenarios/collab_execute.md');
    },
  },
  {
    id: 'collab_review',
    version: 1,
    side: 'agent',
    summary: 'Gives feedback that the author can act on.',
    placeholders: [SELF, manifest, context('artifact', 'agent')],
    preset: presetOf('collab_review'),
    output: {
      format: 'json',
      shape: {
        type: 'object',
        members: {
          strengths: list(word(300), 2, 6),
          improvements: list(
            { type: 'object', members: { issue: word(300), suggestion: word(300, 10) } },
            2,
            6,
          ),
          verdict: { type: 'choice', of: ['accept', 'revise'] },
        },
      },
    },
    get template() {
      return TEXTS.text('scenarios/collab_review.md');
    },
  },
];
