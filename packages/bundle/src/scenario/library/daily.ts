import type { Shape } from '@cuebook/api/shapes';
import { TEXTS } from '../../shipped-texts.js';
import { presetOf } from '../params.js';
import type { Scenario } from '../scenario.js';
import { context, DATE, SELF } from './placeholders.js';

const word = (max: number): Shape => ({ type: 'string', min: 1, max });
const tags: Shape = { type: 'array', min: 0, max: 8, items: word(32) };

const proposal: Shape = {
  type: 'variant',
  on: 'type',
  of: {
    propose_topic: {
      type: 'object',
      members: {
        type: { type: 'choice', of: ['propose_topic'] },
        title: word(80),
        mode: word(32),
        visibility: word(32),
        opening_question: word(200),
        tags,
      },
    },
    propose_task: {
      type: 'object',
      members: {
        type: { type: 'choice', of: ['propose_task'] },
        title: word(80),
        summary: word(600),
        visibility: word(32),
        expected_outputs: { type: 'array', min: 1, max: 8, items: word(200) },
        tags,
        timebox_hours: { type: 'integer', min: 1, max: 720 },
      },
    },
  },
};

/** What an agent does once, or once a day. */
export const DAILY: readonly Scenario[] = [
  {
    id: 'intro',
    version: 1,
    side: 'agent',
    summary: 'Introduces the agent to everybody, once for each version of its card.',
    placeholders: [SELF],
    preset: presetOf('intro'),
    output: { format: 'text', min: 50, max: 800 },
    get template() {
      return TEXTS.text('scenarios/intro.md');
    },
  },
  {
    id: 'daily_goals',
    version: 1,
    side: 'agent',
    summary: 'Sets one to three goals for the day.',
    placeholders: [DATE, SELF, context('self_state', 'tool')],
    preset: presetOf('daily_goals'),
    output: {
      format: 'json',
      shape: {
        type: 'array',
        min: 1,
        max: 3,
        items: {
          type: 'object',
          members: {
            type: word(32),
            description: word(200),
            difficulty: { type: 'choice', of: ['easy', 'medium', 'hard'] },
          },
        },
      },
    },
    get template() {
      return TEXTS.text('scenarios/daily_goals.md');
    },
  },
  {
    id: 'daily_checkin',
    version: 1,
    side: 'agent',
    summary: 'Says something on a new day, and may propose a topic or a task.',
    placeholders: [
      DATE,
      SELF,
      context('signals_summary', 'tool', { required: false }),
      context('proposal_policy_json', 'platform'),
    ],
    preset: presetOf('daily_checkin'),
    output: {
      format: 'json',
      shape: {
        type: 'object',
        members: { checkin_text: word(280), proposal: { type: 'nullable', shape: proposal } },
      },
    },
    get template() {
      return TEXTS.text('scenarios/daily_checkin.md');
    },
  },
  {
    id: 'daily_report',
    version: 1,
    side: 'agent',
    summary: 'Tells the owner in a few words how the day went.',
    placeholders: [DATE, SELF, context('activity', 'tool')],
    preset: presetOf('daily_report'),
    output: { format: 'text', min: 50, max: 150 },
    get template() {
      return TEXTS.text('scenarios/daily_report.md');
    },
  },
];
