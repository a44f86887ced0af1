import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { normalise } from './normalise.js';
import { DEFAULT_STALL_RULES, findStall, NO_STALL, projectStall, type StallRules } from './stall.js';
import { type Observed, type ObservedCall, traceTurn } from './trace.js';

type Turn = Omit<Observed, 'turn'>;

/** The verdict after each turn. */
function watch(turns: readonly Turn[], rules: StallRules = DEFAULT_STALL_RULES) {
  let state = NO_STALL;
  return turns.map((turn, index) => {
    const data = traceTurn({ turn: index + 1, ...turn });
    state = projectStall(state, { type: 'stall.observed', data } as { type: string }, rules);
    return findStall(state, rules);
  });
}
const kinds = (turns: readonly Turn[], rules?: StallRules) =>
  watch(turns, rules).map((verdict) => verdict?.kind);
const says = (...texts: readonly string[]): readonly Turn[] => texts.map((text) => ({ text }));
const call = (given: Partial<ObservedCall> = {}): ObservedCall => ({
  tool: 'run_tests',
  input: { suite: 'all' },
  output: 'boom',
  failed: true,
  ...given,
});
const none = (length: number) => Array.from({ length }, () => undefined);

describe('nothing moves', () => {
  it('the same words three times', () => {
    expect(kinds(says('Working on it.', 'Working on it.', 'Working on it.'))).toEqual([...none(2), 'repeat']);
  });

  it('the same words around a counter, a time and an id', () => {
    const texts = [
      'Try 1 at 2026-11-15T18:26:29Z, job 3f2a9bc17d: still waiting.',
      'try 2 at 2026-11-15T18:27:30.5Z,  job 99aa01bc4e: still waiting.',
      'Try 30 at 2026-11-15T19:00:00Z, job 0c0ffee123: still waiting.',
    ];
    expect(kinds(says(...texts))).toEqual([...none(2), 'repeat']);
  });

  it('new words alone are no progress', () => {
    expect(kinds(says('I will look.', 'Then I shall decide.', 'Soon it is done.'))).toEqual([
      ...none(2),
      'output',
    ]);
  });

  it('two files that are read in turn', () => {
    const turns = ['a', 'b', 'a', 'b', 'a'].map((name, at) => ({
      text: `Thought ${'uvwxy'[at]}`,
      calls: [call({ tool: 'read', input: { name }, output: `text of ${name}`, failed: false })],
    }));
    expect(kinds(turns)).toEqual([...none(4), 'cycle']);
    expect(watch(turns).at(-1)).toMatchObject({ cycle: 2, times: 2, turns: [2, 3, 4, 5] });
  });

  it('two nodes that hand the same thing to and fro', () => {
    const turns = ['a', 'b', 'a', 'b', 'a', 'b'].map((actor) => ({
      actor,
      text: 'please look at it',
      heard: ['your turn'],
      calls: [call({ tool: 'send', input: 'your turn', output: 'sent', failed: false })],
    }));
    expect(watch(turns).at(-1)).toMatchObject({ kind: 'cycle', cycle: 2, actors: ['a', 'b'] });
  });

  it('the same call that fails in the same way, whatever is said about it', () => {
    const turns = ['once more', 'maybe now', 'a third time'].map((text, index) => ({
      text,
      calls: [call({ output: `boom after ${index} ms` })],
    }));
    expect(kinds(turns)).toEqual([...none(2), 'failing-call']);
  });

  it('the same words over calls that bring nothing', () => {
    const turns = ['alpha', 'beta', 'gamma'].map((name) => ({
      text: 'Trying another way.',
      calls: [call({ input: { name }, output: `no ${name}` })],
    }));
    expect(kinds(turns)).toEqual([...none(2), 'output']);
  });

  it('the same change again and again', () => {
    const turns = ['first', 'second', 'third'].map((text) => ({ text, effect: 'sha256:aa' }));
    expect(kinds(turns)).toEqual([...none(2), 'effect']);
  });

  it('the same check that fails over the same change', () => {
    const turns = [12, 13, 14].map((ms) => ({
      text: `after ${ms}`,
      effect: 'sha256:aa',
      verification: `FAIL src/a.test.ts: expected 1, took ${ms} ms`,
    }));
    expect(kinds(turns)).toEqual([...none(2), 'verification']);
  });
});

describe('something moves', () => {
  it.each([
    [
      'a new answer of a tool',
      ['a', 'b', 'c'].map((name) => ({
        text: 'Next file.',
        calls: [call({ input: { name }, output: `text ${name}`, failed: false })],
      })),
    ],
    ['a new change', ['a', 'b', 'c'].map((name) => ({ text: 'Next file.', effect: `sha256:${name}` }))],
    [
      'a check that fails in another way',
      ['a', 'b', 'c'].map((name) => ({ text: name, verification: `FAIL ${name}` })),
    ],
    [
      'a change under a check that still fails',
      ['a', 'b', 'c'].map((name) => ({ text: 'x', effect: `sha256:${name}`, verification: 'FAIL' })),
    ],
    [
      'the next window of a file of numbers',
      [1, 201, 401].map((from) => ({
        text: 'On.',
        calls: [
          call({
            tool: 'read',
            input: { from, to: from + 199 },
            output: `${from * 7} 12:00:01`,
            failed: false,
          }),
        ],
      })),
    ],
    [
      'the next folder, whose files have its number',
      [1, 2, 3].map((at) => ({
        text: 'On.',
        calls: [
          call({ tool: 'list', input: { path: `part-${at}` }, output: `part-${at}.md`, failed: false }),
        ],
      })),
    ],
    [
      'the next page, written with the same answer',
      [1, 2, 3].map((page) => ({
        text: 'On.',
        calls: [call({ tool: 'save', input: { page }, output: 'ok', failed: false, numbers: 'arguments' })],
      })),
    ],
    [
      'new words of another',
      ['a', 'b', 'c'].map((name) => ({ text: 'I see.', heard: [`Look at ${name}.`] })),
    ],
    ['a check that passes', ['a', 'b', 'c'].map((text) => ({ text, verification: null }))],
  ] as readonly (readonly [string, readonly Turn[]])[])('%s is no stall', (_title, turns) => {
    expect(kinds(turns)).toEqual(none(3));
  });

  it('a success in between starts the count again', () => {
    const failing = { text: 'again', calls: [call()] };
    const success = { text: 'fixed', calls: [call({ tool: 'edit', output: 'done', failed: false })] };
    expect(kinds([failing, failing, success, failing, failing])).toEqual(none(5));
  });

  it('three equal failures in one answer are one try', () => {
    expect(kinds([{ text: 'all at once', calls: [call(), call(), call()] }])).toEqual(none(1));
  });
});

describe('waiting', () => {
  const poll = (text: string, output = 'not yet') => ({
    text,
    calls: [call({ tool: 'wait_for', output, failed: false, poll: 5 })],
  });

  it('has its own bound', () => {
    const turns = Array.from({ length: 6 }, () => poll('Waiting.'));
    expect(kinds(turns)).toEqual([...none(5), 'poll']);
  });

  it('starts again when the answer is another', () => {
    const turns = [
      ...Array.from({ length: 5 }, () => poll('Waiting.')),
      poll('Waiting.', 'half done'),
      poll('Waiting.', 'half done'),
    ];
    expect(kinds(turns)).toEqual(none(7));
  });

  it('that fails is no waiting', () => {
    const turns = Array.from({ length: 3 }, (_, index) => ({
      text: `look ${'abc'[index]}`,
      calls: [call({ tool: 'wait_for', poll: 5 })],
    }));
    expect(kinds(turns)).toEqual([...none(2), 'failing-call']);
  });
});

it('evidence names the turns, the hashes and short samples', () => {
  const long = 'x'.repeat(5_000);
  const verdict = watch(says('first', long, long, long)).at(-1);
  expect(verdict).toMatchObject({ kind: 'repeat', times: 3, turns: [2, 3, 4] });
  expect(verdict?.hashes).toHaveLength(1);
  expect(verdict?.samples.join('').length).toBeLessThan(500);
});

it('the number of repeats is set by the rules', () => {
  const rules = { repeats: 5, maxCycle: 2 };
  expect(kinds(says('a', 'a', 'a', 'a', 'a'), rules)).toEqual([...none(4), 'repeat']);
});

const aWord = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzäöüñ'),
  minLength: 1,
  maxLength: 10,
});
const someWords = fc.array(aWord, { minLength: 1, maxLength: 8 });
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const someNoise = fc.oneof(
  fc.nat().map(String),
  fc.double({ noNaN: true, min: 0, max: 1e6 }).map((value) => value.toFixed(3)),
  fc.uuid(),
  hex(40),
  hex(16),
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toUTCString()),
);

/** An id that differs at every turn. */
const id = (noise: string, at: number): string =>
  `${hashOf(noise, at)}-${hashOf(noise, at + 1)}-${hashOf(noise, at + 2)}`;
const hashOf = (text: string, at: number): string =>
  createHash('sha256').update(`${text} ${at}`).digest('hex').slice(0, 8);

/** A turn that brings something, in the ways that look most like nothing. */
function somethingNew(sort: string, at: number, step: number): Turn {
  const text = 'Going on.';
  const read = (input: NonNullable<ObservedCall['input']>, output: string): Turn => ({
    text,
    calls: [{ tool: 'read', input, output, failed: false }],
  });
  const write = (input: NonNullable<ObservedCall['input']>): Turn => ({
    text,
    calls: [{ tool: 'write', input, output: '{"ok":true}', failed: false, numbers: 'arguments' }],
  });
  const from = at * step + 1;
  switch (sort) {
    case 'window':
      return read({ path: 'a.md', from, to: from + step - 1 }, `chapter ${at * 3 + 7} begins`);
    case 'numbers':
      return read({ path: 'a.csv', from }, `${at * 31 + 5},${at * 17 + 3}`);
    case 'page':
      return write({ path: `page-${at}.md`, content: 'TODO' });
    case 'variable':
      return write({ set: { batch: at } });
    case 'words':
      return read({ path: `${at}` }, 'x'.repeat(at + 1));
    default:
      return { text, effect: `sha256:${at}` };
  }
}

describe('for all turns', () => {
  it('a counter, a time, an id or a hash that varies does not hide a repeat', () => {
    fc.assert(
      fc.property(
        someWords,
        someWords,
        fc.array(someNoise, { minLength: 3, maxLength: 3 }),
        (before, behind, noise) => {
          const kind = (one: string) => normalise(one);
          fc.pre(new Set(noise.map(kind)).size === 1);
          const texts = noise.map((one) => `${before.join(' ')} ${one} ${behind.join(' ')}`);
          expect(kinds(says(...texts))).toEqual([...none(2), 'repeat']);
        },
      ),
      runs(300, 30_000),
    );
  });

  it('every kind of noise is folded to one mark', () => {
    fc.assert(
      fc.property(someNoise, (noise) => {
        expect(normalise(`at ${noise} it ended`)).toBe('at # it ended');
      }),
      runs(500, 50_000),
    );
  });

  it('a cycle of acts of any length up to the limit stalls in its second round, whatever is said', () => {
    const anAct = fc.record({ tool: aWord, arg: aWord, output: fc.array(aWord), failed: fc.boolean() });
    const aCycle = fc.array(anAct, { minLength: 1, maxLength: DEFAULT_STALL_RULES.maxCycle });
    const endless = fc.infiniteStream(fc.tuple(someWords, someNoise, someNoise));
    fc.assert(
      fc.property(
        aCycle,
        endless,
        fc.constantFrom('answer', 'arguments', 'none'),
        (cycle, words, numbers) => {
          const turns = [...cycle, ...cycle, ...cycle].map((act, at) => {
            const [said, noise, other] = words.next().value;
            const input = { [act.arg]: 'x', request: id(noise, at) };
            const output = `${act.output.join(' ')} at ${new Date(1e12 + at * 61_000).toISOString()}, ${id(other, at)}`;
            return {
              text: said.join(' '),
              calls: [{ tool: act.tool, input, output, failed: act.failed, numbers }],
            };
          });
          const found = watch(turns).findIndex((verdict) => verdict !== undefined);
          expect(found).toBeGreaterThanOrEqual(2);
          expect(found).toBeLessThan(cycle.length + DEFAULT_STALL_RULES.repeats);
        },
      ),
      runs(100, 20_000),
    );
  });

  it('a run whose every turn reads or writes something new never stalls', () => {
    const sorts = ['window', 'numbers', 'page', 'variable', 'effect', 'words'] as const;
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...sorts), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 500 }),
        (mix, step) => {
          const turns = Array.from({ length: 200 }, (_, at) =>
            somethingNew(mix[at % mix.length] ?? 'effect', at, step),
          );
          expect(kinds(turns)).toEqual(none(200));
        },
      ),
      runs(20, 1_000),
    );
  });

  it('words alone stall in three turns, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 3, maxLength: 10 }), (texts) => {
        expect(watch(says(...texts))[2]).toBeDefined();
      }),
      runs(100, 10_000),
    );
  });

  it('what is kept does not grow with the run', () => {
    let state = NO_STALL;
    for (let turn = 1; turn <= 200; turn += 1) {
      const data = traceTurn({ turn, text: `word${'x'.repeat(turn)}` });
      state = projectStall(state, { type: 'stall.observed', data } as { type: string }, DEFAULT_STALL_RULES);
    }
    expect(state.traces).toHaveLength(15);
  });
});
