import { PassThrough, Writable } from 'node:stream';
import type { QuestionAnswer, Widget } from '@cuebook/workflow';
import { describe, expect, it } from 'vitest';
import { askPermission, askPerson, askWord } from './ask.js';

/** A terminal whose person presses these keys, each when the screen shows the words before it. */
type Keys = readonly (readonly [shown: string, keys: string])[];

function person(...script: Keys) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  let screen = '';
  let next = 0;
  let from = 0;
  const look = () => {
    const step = script[next];
    if (step === undefined || !screen.slice(from).includes(step[0])) return;
    next += 1;
    from = screen.length;
    setImmediate(() => input.write(step[1]));
  };
  const output = Object.assign(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        screen += chunk.toString();
        look();
        done();
      },
    }),
    { isTTY: true, columns: 80, rows: 24 },
  );
  return { terminal: { input, output }, screen: () => screen };
}

const ENTER = '\r';
const DOWN = '\u001b[B';
const base = { widgetId: 'w', message: 'Well then?' };
const options = [
  { value: 'red', label: 'Red' },
  { value: 'blue', description: 'like the sky' },
];

const CASES: readonly (readonly [Widget, Keys, QuestionAnswer])[] = [
  [{ ...base, type: 'confirmation' }, [['Well then?', 'y']], { confirmed: true }],
  [{ ...base, type: 'confirmation' }, [['Well then?', 'n']], { confirmed: false }],
  [{ ...base, type: 'selection', options }, [['Red', `${DOWN}${ENTER}`]], { selected: 'blue' }],
  [{ ...base, type: 'action_selection', options }, [['Red', ENTER]], { action: 'red' }],
  [{ ...base, type: 'feedback' }, [['Well then?', `fine${ENTER}`]], { text: 'fine' }],
  [{ ...base, type: 'plan_review', plan: '1. dig' }, [['Approve', 'y']], { approved: true }],
  [
    { ...base, type: 'plan_review', plan: '1. dig' },
    [
      ['Approve', 'n'],
      ['What should change?', `deeper${ENTER}`],
    ],
    { approved: false, feedback: 'deeper' },
  ],
  [
    {
      ...base,
      type: 'form',
      fields: [
        { name: 'who', kind: 'text' },
        { name: 'age', label: 'How old', kind: 'number' },
        { name: 'sure', kind: 'yes-no' },
      ],
    },
    [
      ['who', `Ann${ENTER}`],
      ['How old', `x${ENTER}`],
      ['A number is wanted', `\u007f41${ENTER}`],
      ['sure', 'y'],
    ],
    { values: { who: 'Ann', age: 41, sure: true } },
  ],
];

describe('at a terminal', () => {
  it.each(CASES)('%o is answered by keys', async (question, keys, answer) => {
    const { terminal, screen } = person(...keys);
    expect(await askPerson(question, terminal)).toEqual(answer);
    if (question.plan !== undefined) expect(screen()).toContain('1. dig');
  });

  it('a question can be left open', async () => {
    const { terminal } = person(['Well then?', '\u0003']);
    expect(await askPerson({ ...base, type: 'feedback' }, terminal)).toBeUndefined();
  });

  it('words of an agent cannot move the cursor', async () => {
    const { terminal, screen } = person(['Well', 'y']);
    await askPerson({ ...base, message: 'Well\u001b]0;title\u0007?', type: 'confirmation' }, terminal);
    expect(screen()).toContain('\\u001b]0;title\\u0007');
  });

  it('permission is a no unless it is a yes, and a word may be none', async () => {
    expect(await askPermission('Allow?', person(['Allow?', ENTER]).terminal)).toBe(false);
    expect(await askPermission('Allow?', person(['Allow?', 'y']).terminal)).toBe(true);
    expect(await askWord('Say', person(['Say', `go on${ENTER}`]).terminal)).toBe('go on');
    expect(await askWord('Say', person(['Say', ENTER]).terminal)).toBeUndefined();
  });
});
