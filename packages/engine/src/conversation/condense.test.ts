import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { condenseHistory, LEAST_TOLD, LEFT_OUT_BYTES, type SizedMessage, type ToldAs } from './condense.js';

const result = (whole: number): SizedMessage => ({ role: 'tool', whole, reference: 400 });
const answer = (whole: number): SizedMessage => ({ role: 'assistant', whole });
const person = (whole: number): SizedMessage => ({ role: 'user', whole, isPerson: true });

/** A history as runs have them: a person, then answers with results and more words. */
const history = fc
  .array(
    fc.oneof(
      fc.nat(6_000).map((size) => [person(100 + size)]),
      fc.nat(2_000).map((size): SizedMessage[] => [{ role: 'user', whole: 100 + size }]),
      fc
        .tuple(fc.nat(4_000), fc.array(fc.nat(9_000), { maxLength: 5 }))
        .map(([size, results]) => [answer(100 + size), ...results.map((each) => result(100 + each))]),
    ),
    { minLength: 1, maxLength: 25 },
  )
  .map((units) => units.flat());

const sizeOf = (messages: readonly SizedMessage[], told: readonly ToldAs[]): number =>
  (told.some(({ kind }) => kind === 'left-out') ? LEFT_OUT_BYTES : 0) +
  messages.reduce((sum, message, index) => {
    const as = told[index];
    if (as?.kind === 'whole') return sum + message.whole;
    if (as?.kind === 'reference') return sum + (message.reference ?? Number.NaN);
    return as?.kind === 'clipped' ? sum + as.bytes : sum;
  }, 0);

/** What must be told: the newest message, which is an answer with all its results where it is one. */
const newestOf = (messages: readonly SizedMessage[]): number =>
  Math.max(
    0,
    messages.findLastIndex(({ role }) => role !== 'tool'),
  );

describe('a history that has to fit', () => {
  it('for all histories and every room that holds the newest message: it fits, with answers and results together', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 0, max: 60_000 }), (messages, extra) => {
        const newest = newestOf(messages);
        const least = LEFT_OUT_BYTES + LEAST_TOLD * (messages.length - newest);
        const room = least + extra;
        const told = condenseHistory(messages, room);
        expect(told).toBeDefined();
        if (told === undefined) return;
        expect(told).toHaveLength(messages.length);
        expect(sizeOf(messages, told)).toBeLessThanOrEqual(room);
        const kinds = told.map(({ kind }) => kind);
        expect(kinds.slice(newest)).not.toContain('left-out');
        // A result is told exactly where its answer is.
        messages.forEach(({ role }, index) => {
          if (role === 'tool' && messages[index - 1] !== undefined)
            expect(kinds[index] === 'left-out').toBe(kinds[index - 1] === 'left-out');
        });
        // Oldest first: what is told behind the first that is told is never left out, but for words of a person.
        const first = kinds.findIndex((kind, index) => kind !== 'left-out' && !messages[index]?.isPerson);
        const isNewer = kinds.slice(first).some((kind, at) => kind === 'left-out' && first + at < newest);
        if (first < newest) expect(isNewer).toBe(false);
        expect(condenseHistory(messages, room)).toEqual(told);
      }),
      runs(120, 30_000),
    );
  });

  it('is left as it is while it fits', () => {
    expect(condenseHistory([person(100), answer(50), result(5_000)], 5_150)).toEqual(
      Array(3).fill({ kind: 'whole' }),
    );
  });

  it('two large results in a small room: the older by reference, the newer cut, the question kept', () => {
    const messages = [person(300), answer(200), result(7_200), answer(200), result(7_200)];
    const told = condenseHistory(messages, 3_000)?.map(({ kind }) => kind);
    expect(told).toEqual(['whole', 'left-out', 'left-out', 'whole', 'clipped']);
  });

  it('the same messages stay cut while it grows a little', () => {
    const boundary = (count: number) =>
      condenseHistory(
        Array.from({ length: count }, () => [answer(300), result(700)]).flat(),
        20_000,
      )?.findIndex(({ kind }) => kind === 'whole');
    const ends = Array.from({ length: 12 }, (_, n) => boundary(60 + n));
    expect(new Set(ends).size).toBeLessThanOrEqual(5);
  });

  it('a room without place for the newest message is told as such', () => {
    expect(condenseHistory([person(5_000)], LEAST_TOLD - 1)).toBeUndefined();
    expect(condenseHistory([person(5_000)], LEAST_TOLD)).toEqual([{ kind: 'clipped', bytes: LEAST_TOLD }]);
  });
});
