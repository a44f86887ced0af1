import type { ApprovalView, JsonValue } from '@cuebook/api';
import { describe, expect, it } from 'vitest';
import { type PersonAnswer, wordFor } from './word.js';

const BASE: ApprovalView = {
  ...{ run: 'run_1', kind: 'workflow', target: 'workflow:w', for: 'question', id: 'apr_1', node: null },
  ...{ alias: null, about: 'call_1', tool: 'ui.ask_user', input: null, reason: null, askedAt: 0 },
  ...{ expiresAt: null, command: 'cuebook approvals answer apr_1 x', status: 'waiting', by: null },
};
const question = (args: { readonly [key: string]: JsonValue }): ApprovalView => ({
  ...BASE,
  input: { widgetId: 'q', message: 'Well?', ...args },
});
const answer = (...texts: readonly string[]): PersonAnswer => ({ kind: 'answer', texts });
const ALLOW: PersonAnswer = { kind: 'allow' };
const DENY: PersonAnswer = { kind: 'deny' };

const GO = question({ type: 'confirmation' });
const SIZE = question({ type: 'selection', options: [{ value: 'small' }, { value: 'very large' }] });
const ACT = question({ type: 'action_selection', options: [{ value: 'retry' }] });
const FORM = question({
  type: 'form',
  fields: [{ name: 'name' }, { name: 'age', kind: 'number' }, { name: 'new one', kind: 'yes-no' }],
});
const PLAN = question({ type: 'plan_review', plan: '1. Go' });
const WORDS = question({ type: 'feedback' });
const PERMIT: ApprovalView = { ...BASE, for: 'approval', tool: 'fs.apply_patch', input: {} };
const CUT: ApprovalView = { ...BASE, for: 'outcome', tool: 'terminal.run', id: 'eff_1' };
const TALK: ApprovalView = { ...BASE, for: 'input', tool: '', id: 'run_1' };
const SPENT: ApprovalView = { ...BASE, for: 'budget', tool: '', reason: 'The budget is spent: 3 turns.' };

describe('what a person says', () => {
  it.each<readonly [string, ApprovalView, PersonAnswer, object]>([
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
    ['deny to a plan', PLAN, { kind: 'deny', message: 'Slower.' }, { approved: false, feedback: 'Slower.' }],
    ['the words', WORDS, answer('Quite', 'well.'), { text: 'Quite well.' }],
  ])('%s is an answer', (_, row, said, value) => {
    expect(wordFor(row, said)).toMatchObject({
      type: 'approval.resolve',
      approval: 'apr_1',
      decision: 'change',
      input: { widgetId: 'q', answer: value },
    });
  });

  it.each<readonly [string, ApprovalView, PersonAnswer, object]>([
    [
      'a question is turned down',
      WORDS,
      { kind: 'deny', message: 'Ask Bo.' },
      { decision: 'deny', message: 'Ask Bo.' },
    ],
    [
      'a no with a reason is told',
      GO,
      { kind: 'deny', message: 'Later.' },
      { decision: 'deny', message: 'Later.' },
    ],
    ['a permission is given', PERMIT, ALLOW, { decision: 'allow' }],
    ['a permission is given by yes', PERMIT, answer('yes'), { decision: 'allow' }],
    ['a permission is not given', PERMIT, DENY, { decision: 'deny' }],
    [
      'a call was not done',
      CUT,
      answer('not-done'),
      { type: 'effect.resolve', effect: 'eff_1', outcome: 'not-done' },
    ],
    ['nobody knows of a call', CUT, answer('unknown'), { type: 'effect.resolve', outcome: { ok: false } }],
    ['a word goes on', TALK, answer('At', 'nine.'), { type: 'agent.say', text: 'At nine.' }],
  ])('%s', (_, row, said, word) => {
    expect(wordFor(row, said)).toMatchObject(word);
  });

  it.each<readonly [string, ApprovalView, PersonAnswer, string]>([
    ['neither yes nor no', GO, answer('maybe'), 'Answer with yes or no, such as: cuebook approvals answer'],
    [
      'no option',
      SIZE,
      answer('huge'),
      '"huge" is none of the options: small, very large. Answer with one of',
    ],
    ['no answer at all', SIZE, answer(), 'Answer with one of small, very large'],
    ['allow to a choice', SIZE, ALLOW, 'a question, not a permission. Answer with one of small, very large'],
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
    ['anything to a spent budget', SPENT, answer('more'), 'The budget is spent: 3 turns. Raise it: `cuebook'],
  ])('%s is a wrong call that names what fits', (_, row, said, says) => {
    expect(() => wordFor(row, said)).toThrow(
      expect.objectContaining({ code: 'E_USAGE', message: expect.stringContaining(says) }),
    );
  });
});
