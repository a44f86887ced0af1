import { correctiveNote } from '@cuebook/profile';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { DRAFT } from '../../test/platform.js';
import { must } from '../../test/scratch.js';
import { readDraft } from '../card/card.js';
import { findsImpersonation } from './impersonation.js';
import { SCENARIOS } from './library/library.js';
import { checkOutput, type OutputContext } from './output.js';

const check = (id: string, answer: unknown, context: OutputContext = {}) => {
  const scenario = SCENARIOS.get(id);
  if (scenario === undefined) throw new Error(id);
  return checkOutput(scenario, typeof answer === 'string' ? answer : JSON.stringify(answer), context);
};
const goal = { type: 'social', description: 'Say hello to Bo', difficulty: 'easy' };
const improvement = { issue: 'The end is abrupt', suggestion: 'Add a closing sentence about winter' };
const review = { strengths: ['Clear', 'Warm'], improvements: [improvement, improvement], verdict: 'accept' };
const proposal = {
  title: 'A map',
  description: 'Of birds',
  required_roles: [{ role: 'artist', why: 'to draw' }],
  estimated_output: 'One map',
};
const event = {
  theme: 'Owls',
  description: 'At night',
  suggested_roles: ['guide'],
  duration_days: 7,
  reward: 'A feather',
};
const task = {
  type: 'propose_task',
  title: 'x',
  summary: 'x',
  visibility: 'public',
  expected_outputs: ['x'],
  tags: [],
  timebox_hours: 5,
};
const policy = { allowed: true, quota_remaining: 1, allowed_types: ['propose_task'] };
const act = { action: 'rest', target: null, rationale: 'Nothing calls.' };

describe('an answer', () => {
  test.each<[string, unknown, boolean, OutputContext?]>([
    ['intro', 'a'.repeat(49), false],
    ['intro', '鳥'.repeat(50), true],
    ['intro', '👍'.repeat(49), false],
    ['intro', `${'a'.repeat(49)}${'\u200b'.repeat(9)}`, false],
    ['intro', `a${'\u2060\u{e0041}\u2800\u3164 '.repeat(30)}b`, false],
    ['intro', `${'a'.repeat(25)}${' '.repeat(30)}${'b'.repeat(23)}`, false],
    ['intro', `a${'\u0301'.repeat(60)}`, false],
    ['intro', 'मैं समुद्र के किनारे रहती हूँ और पक्षियों को देखना पसंद करती हूँ, आप भी आइए?', true],
    ['daily_report', 'a'.repeat(49), false],
    ['daily_report', `${'a'.repeat(150)}\u200b`, false],
    ['daily_report', 'a'.repeat(50), true],
    ['daily_report', '👍'.repeat(150), true],
    ['daily_report', 'a'.repeat(151), false],
    ['greeting', 'Hello Bo! Which owl do you like?', true],
    ['greeting', 'Hello Bo! 你好？', true],
    ['greeting', 'Hello Bo! Nice owl.', false],
    ['greeting', 'Hello. You there. Which owl?', false],
    ['greeting', '', false],
    ['motivation', act, true],
    ['motivation', { ...act, action: 'sleep' }, false],
    ['motivation', [act], false],
    ['motivation', { ...act, rationale: '' }, false],
    ['motivation', { ...act, extra: 1 }, false],
    ['daily_goals', [goal], true],
    ['daily_goals', [goal, goal, goal], true],
    ['daily_goals', [], false],
    ['daily_goals', [goal, goal, goal, goal], false],
    ['daily_goals', { goals: [goal] }, false],
    ['daily_goals', [{ type: 'x', description: 'y' }], false],
    ['daily_goals', `Here: ${JSON.stringify([goal])}`, false],
    ['daily_goals', `\`\`\`json\n${JSON.stringify([goal])}\n\`\`\``, false],
    ['daily_goals', `\n${JSON.stringify([goal])}\n`, true],
    ['daily_goals', '[{"type":"a","type":"b","description":"x","difficulty":"easy"}]', false],
    ['collab_propose', proposal, true],
    ['collab_propose', { ...proposal, required_roles: [] }, false],
    ['collab_propose', { ...proposal, estimated_output: undefined }, false],
    [
      'collab_join',
      {
        decision: 'join',
        role: 'artist',
        fit: { capability: 9, interest: 9, load: 3, relationship: 5 },
        rationale: 'x',
      },
      true,
    ],
    [
      'collab_join',
      {
        decision: 'maybe',
        role: null,
        fit: { capability: 9, interest: 9, load: 3, relationship: 5 },
        rationale: 'x',
      },
      false,
    ],
    [
      'collab_join',
      {
        decision: 'join',
        role: 'artist',
        fit: { capability: 11, interest: 9, load: 3, relationship: 5 },
        rationale: 'x',
      },
      false,
    ],
    ['collab_execute', { title: 'x', summary: 'x', content: 'x', open_points: [] }, true],
    ['collab_review', review, true],
    ['collab_review', { ...review, strengths: ['Clear'] }, false],
    ['collab_review', { ...review, improvements: [improvement] }, false],
    ['collab_review', { ...review, improvements: [improvement, { issue: 'x', suggestion: 'Fix' }] }, false],
    ['weekly_event', event, true],
    ['weekly_event', { ...event, duration_days: 1.5 }, false],
    ['weekly_event', { ...event, reward: undefined }, false],
    ['daily_checkin', { checkin_text: 'Hi', proposal: null }, true],
    ['daily_checkin', { checkin_text: 'Hi', proposal: task }, false],
    ['daily_checkin', { checkin_text: 'Hi', proposal: task }, true, { policy }],
    [
      'daily_checkin',
      { checkin_text: 'Hi', proposal: task },
      false,
      { policy: { ...policy, quota_remaining: 0 } },
    ],
    [
      'daily_checkin',
      { checkin_text: 'Hi', proposal: task },
      false,
      { policy: { ...policy, allowed: false } },
    ],
    [
      'daily_checkin',
      { checkin_text: 'Hi', proposal: task },
      false,
      { policy: { ...policy, allowed_types: [] } },
    ],
    ['daily_checkin', { checkin_text: 'Hi', proposal: { ...task, type: 'toString' } }, false, { policy }],
    [
      'interest_groups',
      [{ group_id: 'a', score: 50, reasons: ['x'] }],
      true,
      { scores: new Map([['a', 50]]) },
    ],
    [
      'interest_groups',
      [{ group_id: 'a', score: 51, reasons: ['x'] }],
      false,
      { scores: new Map([['a', 50]]) },
    ],
    [
      'interest_groups',
      [{ group_id: 'z', score: 50, reasons: ['x'] }],
      false,
      { scores: new Map([['a', 50]]) },
    ],
    ['reply', 'x\ud800', false],
    ['collab_execute', 'x'.repeat(70_000), false],
  ])('to %s: %j is taken: %s', (id, answer, expected, context) => {
    expect(check(id, answer, context).ok).toBe(expected);
  });

  test('that is not taken gets a note with every reason and none of its words', () => {
    const result = check('motivation', { action: 'STEAL', target: 5, rationale: '' });
    if (result.ok) throw new Error();
    const note = correctiveNote(result.error.problems);
    expect(note.split('\n').filter((line) => line.startsWith('- '))).toHaveLength(3);
    expect(note).toContain('explore, join_group_chat');
    expect(note).not.toContain('STEAL');
  });

  test('for all texts: a check answers and does not throw', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SCENARIOS.keys()), fc.oneof(fc.string(), fc.json()), (id, answer) => {
        expect(typeof check(id, answer).ok).toBe('boolean');
      }),
      runs(300, 5_000),
    );
  });
});

describe('impersonation', () => {
  const persona = must(readDraft(DRAFT)).persona;
  test.each<[string, boolean]>([
    ['I am Rachel Carson, and I love birds.', true],
    ["I'm RACHEL  CARSON!", true],
    ['My name is Rachel Carson', true],
    ['I am the real Rachel-Carson.', true],
    ['Hello, this is Ráchel Cärson speaking', true],
    ['我是 Rachel Carson', true],
    ['Ｉ am Ｒachel Carson', true],
    ['I am not Rachel Carson, but I read her books.', false],
    ['I am fond of Rachel Carson.', false],
    ['Rachel Carson wrote about the sea.', false],
    ['I am Rachel Carsonova', false],
    ['I am Ada', false],
  ])('%s: %s', (text, expected) => {
    expect(findsImpersonation(text, persona)).toBe(expected);
  });

  test('is refused in text and in JSON', () => {
    const padded = `I am Rachel Carson. ${'x'.repeat(60)}`;
    expect(check('intro', padded, { persona }).ok).toBe(false);
    expect(check('intro', padded).ok).toBe(true);
    const checkin = { checkin_text: 'I am Rachel Carson', proposal: null };
    expect(check('daily_checkin', checkin, { persona }).ok).toBe(false);
  });
});
