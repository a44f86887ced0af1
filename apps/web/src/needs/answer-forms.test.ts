import type { WaitView } from '@cuebook/api';
import { describe, expect, it } from 'vitest';
import { answerForms, textsOf } from './answer-forms.js';

const wait = (more: Partial<WaitView>): WaitView => ({
  ...{ id: 'w', run: 'run_1', kind: 'workflow', target: null, lane: null, name: null, for: 'question' },
  ...{ tool: '', input: null, reason: null, since: 0, expiresAt: null, answers: [], example: '', ...more },
});

describe('answerForms', () => {
  it('asks for a decision about an approval', () => {
    expect(answerForms(wait({ for: 'approval', answers: ['yes', 'no'] })).decides).toBe(true);
  });

  it('offers the options of a selection by their labels, also one that is called like a typed answer', () => {
    const input = { type: 'selection', options: [{ value: 'TEXT', label: 'As text' }, { value: 'eu' }] };
    expect(answerForms(wait({ input, answers: ['TEXT', 'eu'] }))).toEqual({
      decides: false,
      choices: [
        { text: 'TEXT', label: 'As text' },
        { text: 'eu', label: 'eu' },
      ],
      fields: [],
    });
  });

  it('makes a field of each field of a form, and sends all of them by name', () => {
    const input = {
      type: 'form',
      fields: [
        { name: 'n', kind: 'number' },
        { name: 'ok', kind: 'yes-no' },
      ],
    };
    const { fields } = answerForms(wait({ input, answers: ['n=NUMBER', 'ok=yes'] }));
    expect(fields.map(({ kind }) => kind)).toEqual(['number', 'yes-no']);
    expect(textsOf(fields, ['3', 'yes'])).toEqual(['n=3', 'ok=yes']);
  });

  it.each([
    ['budget', ['TURNS'], 'New limit of turns', []],
    ['loop', ['TEXT', 'resume'], 'Send a message that helps', ['Go on']],
    [
      'outcome',
      ['not-done', 'unknown'],
      undefined,
      ['It was not done: do it again', 'Nobody knows: tell the agent so'],
    ],
  ] as const)('reads what a %s can be answered with', (why, answers, field, choices) => {
    const forms = answerForms(wait({ for: why, answers: [...answers] }));
    expect(forms.fields[0]?.label).toBe(field);
    expect(forms.choices.map(({ label }) => label)).toEqual(choices);
  });
});
