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

  it('two answers in turn, three times over', () => {
    expect(kinds(says('left', 'right', 'left', 'right', 'left', 'right'))).toEqual([...none(5), 'cycle']);
  });

  it('two nodes that hand the same thing to and fro', () => {
    const turns = ['a', 'b', 'a', 'b', 'a', 'b'].map((actor) => ({ actor, text: 'please look at it' }));
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

  it('the same check that fails, whatever is changed', () => {
    const turns = ['first', 'second', 'third'].map((text) => ({
      text,
      effect: `sha256:${text}`,
      verification: 'FAIL src/a.test.ts: expected 1, took 12 ms',
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
    ['a check that passes', ['a', 'b', 'c'].map((text) => ({ text, verification: null }))],
  ] as readonly (readonly [string, readonly Turn[]])[])('%s is no stall', (_title, turns) => {
    expect(kinds(turns)).toEqual(none(3));
  });

  it('a success in between starts the count again', () => {
    const failing = { text: 'again', calls: [call()] };
    const success = { text: 'mended', calls: [call({ tool: 'edit', output: 'done', failed: false })] };
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

  it('a cycle of any length up to the limit is found by the time it has come round three times', () => {
    fc.assert(
      fc.property(fc.uniqueArray(aWord, { minLength: 2, maxLength: 4 }), someWords, (cycle, start) => {
        const texts = [...start.map((word) => `start ${word}`), ...cycle, ...cycle, ...cycle];
        expect(watch(says(...texts)).some((verdict) => verdict !== undefined)).toBe(true);
      }),
      runs(200, 20_000),
    );
  });

  it('answers of different words are never a stall', () => {
    const someTurns = fc.uniqueArray(someWords, {
      minLength: 3,
      maxLength: 30,
      selector: (words) => words.join(' '),
    });
    fc.assert(
      fc.property(someTurns, fc.array(someNoise, { minLength: 30, maxLength: 30 }), (turns, noise) => {
        const texts = turns.map((words, index) => `${noise[index]}: ${words.join(' ')}`);
        expect(watch(says(...texts)).every((verdict) => verdict === undefined)).toBe(true);
      }),
      runs(200, 20_000),
    );
  });

  it('what is kept does not grow with the run', () => {
    let state = NO_STALL;
    for (let turn = 1; turn <= 200; turn += 1) {
      const data = traceTurn({ turn, text: `word${'x'.repeat(turn)}` });
      state = projectStall(state, { type: 'stall.observed', data } as { type: string }, DEFAULT_STALL_RULES);
    }
    expect(state.traces).toHaveLength(12);
  });
});
