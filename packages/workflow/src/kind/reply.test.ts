import type { Reply, Wait } from '@cuebook/host';
import type { JsonValue } from '@cuebook/prompt';
import { describe, expect, it } from 'vitest';
import { workflowWord } from './reply.js';

const BASE: Wait = {
  ...{ run: 'run_1', kind: 'workflow', target: 'workflow:w', for: 'question', id: 'apr_1', lane: null },
  ...{ name: null, tool: 'ui.ask_user', input: null, reason: null, since: 0, expiresAt: null },
  ...{ answers: ['yes', 'no'], example: 'yes' },
};
const question = (args: { readonly [key: string]: JsonValue }): Wait => ({
  ...BASE,
  input: { widgetId: 'q', message: 'Well?', ...args },
});
const answer = (...texts: readonly string[]): Reply => ({ texts });
const ALLOW: Reply = { decision: 'allow' };
const DENY: Reply = { decision: 'deny' };

const GO = question({ type: 'confirmation' });
const SIZE: Wait = {
  ...question({ type: 'selection', options: [{ value: 'small' }, { value: 'very large' }] }),
  answers: ['small', 'very large'],
};
const ACT = question({ type: 'action_selection', options: [{ value: 'retry' }] });
const FORM = question({
  type: 'form',
  fields: [{ name: 'name' }, { name: 'age', kind: 'number' }, { name: 'new one', kind: 'yes-no' }],
});
const PLAN = question({ type: 'plan_review', plan: '1. Go' });
const WORDS = question({ type: 'feedback' });
const PERMIT: Wait = { ...BASE, for: 'approval', tool: 'fs.apply_patch', input: {} };
const CUT: Wait = {
  ...BASE,
  for: 'outcome',
  tool: 'terminal.run',
  id: 'eff_1',
  answers: ['not-done', 'unknown'],
};
const TALK: Wait = { ...BASE, for: 'input', tool: '', id: 'run_1', answers: ['TEXT'], example: 'TEXT' };
const SPENT: Wait = {
  ...BASE,
  for: 'budget',
  tool: '',
  reason: 'The budget is spent: 3 turns.',
  answers: ['TURNS'],
  example: '6',
};

describe('what a person says', () => {
  it.each<readonly [string, Wait, Reply, object]>([
    ['yes', GO, answer('yes'), { confirmed: true }],
    ['no', GO, answer('n'), { confirmed: false }],
    ['allow to a question of yes or no', GO, ALLOW, { confirmed: true }],
    ['deny to a question of yes or no', GO, DENY, { confirmed: false }],
    ['an option', SIZE, answer('small'), { selected: 'small' }],
    ['an option of two words', SIZE, answer('very', 'large'), { selected: 'very large' }],
    ['an action', ACT, answer('retry'), { action: 'retry' }],
    [
      'a form',
      FORM,
      answer('age=7', 'name=Ada L', 'new one=yes'),
      { values: { age: 7, name: 'Ada L', 'new one': true } },
    ],
    ['approve', PLAN, answer('approve'), { approved: true }],
    ['allow to a plan', PLAN, ALLOW, { approved: true }],
    ['what should change', PLAN, answer('Go', 'slower.'), { approved: false, feedback: 'Go slower.' }],
    [
      'deny to a plan',
      PLAN,
      { decision: 'deny', message: 'Slower.' },
      { approved: false, feedback: 'Slower.' },
    ],
    ['the words', WORDS, answer('Quite', 'well.'), { text: 'Quite well.' }],
  ])('%s is an answer', (_, row, said, value) => {
    expect(workflowWord(row, said)).toMatchObject({
      ok: true,
      value: {
        ...{ type: 'approve', approval: 'apr_1', decision: 'change' },
        input: { widgetId: 'q', answer: value },
      },
    });
  });

  it.each<readonly [string, Wait, Reply, object]>([
    [
      'a question is turned down',
      WORDS,
      { decision: 'deny', message: 'Ask Bo.' },
      { decision: 'deny', message: 'Ask Bo.' },
    ],
    [
      'a no with a reason is told',
      GO,
      { decision: 'deny', message: 'Later.' },
      { decision: 'deny', message: 'Later.' },
    ],
    ['a permission is given', PERMIT, ALLOW, { decision: 'allow' }],
    ['a permission is given by yes', PERMIT, answer('yes'), { decision: 'allow' }],
    ['a permission is not given', PERMIT, DENY, { decision: 'deny' }],
    [
      'a call was not done',
      CUT,
      answer('not-done'),
      { type: 'settle', effect: 'eff_1', outcome: 'not-done' },
    ],
    ['nobody knows of a call', CUT, answer('unknown'), { type: 'settle', outcome: 'unknown' }],
    ['a word goes on', TALK, answer('At', 'nine.'), { type: 'say', text: 'At nine.' }],
  ])('%s', (_, row, said, word) => {
    expect(workflowWord(row, said)).toMatchObject({ ok: true, value: word });
  });

  it.each<readonly [string, Wait, Reply, string]>([
    ['neither yes nor no', GO, answer('maybe'), 'Answer with yes or no, such as: yes'],
    [
      'no option',
      SIZE,
      answer('huge'),
      '"huge" is none of the options: small, very large. Answer with one of',
    ],
    ['no answer at all', SIZE, answer(), 'Answer with small or very large'],
    ['allow to a choice', SIZE, ALLOW, 'a question, not a permission. Answer with small or very large'],
    ['allow for the rest of the run', GO, { decision: 'allow', grant: true }, 'leave --grant out'],
    ['a change of a question', GO, { decision: 'change', input: {} }, 'change is for teams and threads'],
    [
      'a field too few',
      FORM,
      answer('name=Ada'),
      'The field "age" is missing. Answer with name=TEXT age=NUMBER',
    ],
    ['no field', FORM, answer('Ada'), 'Write NAME=VALUE for each field of the form: name, age, new one'],
    ['words to a permission', PERMIT, answer('perhaps'), 'wants your permission. Answer with yes or no'],
    ['allow to a call that was cut off', CUT, ALLOW, 'not-done does it again, unknown tells the model'],
    ['silence', TALK, answer(' '), 'The agent waits for a word'],
    ['allow to words', TALK, ALLOW, 'The agent waits for a word'],
    [
      'anything to a spent budget',
      SPENT,
      answer('more'),
      'The budget is spent: 3 turns. Answer with TURNS, such as: 6',
    ],
  ])('%s is refused with what fits', (_, row, said, says) => {
    expect(workflowWord(row, said)).toMatchObject({
      error: { code: 'E_REPLY', kind: 'invalid', message: expect.stringContaining(says) },
    });
  });
});
