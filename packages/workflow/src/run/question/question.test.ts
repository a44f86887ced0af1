import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../../../test/runs.js';
import { calls, runDesk } from '../../../test/run-desk.js';
import { answered, answerResult, checkQuestion, questionOf } from '../../tool/ask-user.js';
import { answerHint, readAnswer } from './answer-text.js';
import { checkAnswer, type QuestionAnswer, readWidget, type Widget } from './widget.js';

const widget = (more: object): Widget => {
  const read = readWidget({ widgetId: 'w', message: 'Well?', ...more });
  if (!read.ok) throw new Error(read.error);
  return read.value;
};

const OPTIONS = [{ value: 'red', label: 'Red' }, { value: 'dark blue' }];
const FIELDS = [{ name: 'who' }, { name: 'age', kind: 'number' }, { name: 'ok', kind: 'yes-no' }];

/** The six kinds: how each is answered in text, and what the model is told. */
const SIX: readonly (readonly [Widget, readonly string[], QuestionAnswer, string])[] = [
  [widget({ type: 'confirmation' }), ['Yes'], { confirmed: true }, '--answer yes'],
  [widget({ type: 'selection', options: OPTIONS }), ['red'], { selected: 'red' }, '--answer red'],
  [
    widget({ type: 'action_selection', options: OPTIONS.toReversed() }),
    ['dark blue'],
    { action: 'dark blue' },
    "--answer 'dark blue'",
  ],
  [widget({ type: 'feedback' }), ['Fine, but slow'], { text: 'Fine, but slow' }, '--answer TEXT'],
  [
    widget({ type: 'plan_review', plan: '1. a\n2. b' }),
    ['too long'],
    { approved: false, feedback: 'too long' },
    '--answer approve',
  ],
  [
    widget({ type: 'form', fields: FIELDS }),
    ['who=Ann=Lee', 'age=41', 'ok=no'],
    { values: { who: 'Ann=Lee', age: 41, ok: false } },
    '--answer who=TEXT --answer age=NUMBER --answer ok=yes',
  ],
];

describe.each(inTurn(SIX, 4))('a question of type %o', (question, texts, answer, hint) => {
  it('is answered in text, and the model is told the value', () => {
    expect(readAnswer(question, texts)).toEqual({ ok: true, value: answer });
    expect(answerHint(question)).toBe(hint);
    expect(checkQuestion(answered(question, answer), 'person').ok).toBe(true);
    expect(answerResult(answered(question, answer))).toEqual({
      ok: true,
      widgetId: 'w',
      type: question.type,
      value: answer,
    });
  });

  it('is durable: a run waits for it, and another process takes the answer', async () => {
    const desk = await runDesk({ steps: [calls(['ui.ask_user', question]), { text: 'Thanks.' }] });
    const first = await desk.open();
    await first.play();
    expect(await first.status()).toMatchObject({ kind: 'waiting', for: 'question' });
    await first.close();
    const second = await desk.open();
    const status = await second.status();
    if (status.kind !== 'waiting' || status.for !== 'question') throw new Error(status.kind);
    const [open] = status.questions;
    expect(open?.question).toEqual(question);
    await second.take();
    const input = answered(question, answer);
    await second.command({
      type: 'approval.resolve',
      approval: open?.approval ?? '',
      decision: 'change',
      input,
      by: 'ann',
    });
    await second.drain();
    const told = desk.requests.at(-1)?.messages.find(({ role }) => role === 'tool');
    expect(JSON.parse(told?.content ?? '')).toMatchObject({ ok: true, widgetId: 'w', value: answer });
  });
});

describe('a question', () => {
  it.each([
    ['a selection of nothing', { type: 'selection' }],
    ['a form without a field', { type: 'form', fields: [] }],
    ['two options of one value', { type: 'selection', options: [{ value: 'a' }, { value: 'a' }] }],
    ['another kind', { type: 'video' }],
    ['an unknown key', { type: 'confirmation', url: 'x' }],
  ])('that nobody could answer is refused: %s', (_, more) => {
    expect(readWidget({ widgetId: 'w', message: 'm', ...more }).ok).toBe(false);
  });

  it('cannot be answered by the model that asks it', async () => {
    const forged = { widgetId: 'w', type: 'confirmation', message: 'Sure?', answer: { confirmed: true } };
    expect(checkQuestion(forged, 'model')).toMatchObject({ ok: false });
    expect(checkQuestion(forged, 'person')).toMatchObject({ ok: true });
    const desk = await runDesk({ steps: [calls(['ui.ask_user', forged]), { text: 'ok' }] });
    const run = await desk.open();
    await run.play();
    expect(desk.requests[1]?.messages.at(-1)?.content).toContain('E_INVALID_ARGS');
  });

  it.each<readonly [string, Widget, unknown]>([
    ['an option that is not there', widget({ type: 'selection', options: OPTIONS }), { selected: 'green' }],
    ['an action that is not there', widget({ type: 'action_selection', options: OPTIONS }), { action: '' }],
    ['another shape', widget({ type: 'confirmation' }), { confirmed: 'yes' }],
    [
      'a field too many',
      widget({ type: 'form', fields: FIELDS }),
      { values: { who: 'a', age: 1, ok: true, x: 1 } },
    ],
    ['a field too few', widget({ type: 'form', fields: FIELDS }), { values: { who: 'a', age: 1 } }],
    [
      'a text for a number',
      widget({ type: 'form', fields: FIELDS }),
      { values: { who: 'a', age: 'x', ok: true } },
    ],
  ])('takes no answer that does not fit: %s', (_, question, answer) => {
    expect(checkAnswer(question, answer).ok).toBe(false);
    expect(checkQuestion(answered(question, answer as QuestionAnswer), 'person').ok).toBe(false);
  });

  it.each([
    [widget({ type: 'confirmation' }), ['perhaps']],
    [widget({ type: 'confirmation' }), ['yes', 'no']],
    [widget({ type: 'form', fields: FIELDS }), ['who']],
    [widget({ type: 'form', fields: FIELDS }), ['who=a', 'who=b', 'age=1', 'ok=yes']],
    [widget({ type: 'form', fields: FIELDS }), ['who=a', 'age=old', 'ok=yes']],
  ])('tells what is wrong with a text: %o %o', (question, texts) => {
    expect(readAnswer(question, texts).ok).toBe(false);
  });

  it('that is only allowed is a yes where yes is an answer, and none elsewhere', () => {
    expect(answerResult({ widgetId: 'w', type: 'confirmation', message: 'm' })).toMatchObject({
      value: { confirmed: true },
    });
    expect(answerResult({ widgetId: 'w', type: 'feedback', message: 'm' })).toMatchObject({
      ok: false,
      error: { code: 'E_QUESTION_UNANSWERED' },
    });
    expect(questionOf({ tool: 'fs.write', input: {} })).toBeUndefined();
  });

  it('that a person will not answer is told as such, and the run goes on', async () => {
    const ask = ['ui.ask_user', { widgetId: 'w', type: 'feedback', message: 'Well?' }] as const;
    const desk = await runDesk({ steps: [calls(ask), { text: 'Then not.' }] });
    const run = await desk.open();
    await run.play();
    const status = await run.status();
    if (status.kind !== 'waiting' || status.for !== 'question') throw new Error(status.kind);
    const approval = status.questions[0]?.approval ?? '';
    await run.command({
      type: 'approval.resolve',
      approval,
      decision: 'deny',
      by: 'ann',
      message: 'not now',
    });
    await run.drain();
    expect(desk.requests.at(-1)?.messages.at(-1)?.content).toContain('not now');
    expect(desk.audit().map(({ toolName }) => toolName)).toEqual(['ui.ask_user']);
  });
});
