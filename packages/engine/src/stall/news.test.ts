import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growth } from '../../../../test/growth.js';
import { itInTurn, runs } from '../../../../test/runs.js';
import { DEFAULT_STALL_RULES, findStall, NO_STALL, projectStall } from './stall.js';
import { type Numbers, type ObservedCall, traceTurn } from './trace.js';
import { dropEcho, dropVolatile } from './volatile.js';

/** The turn at which it stalls; 0: it does not. */
function stallsAt(callsOf: (at: number) => readonly ObservedCall[], turns: number): number {
  let state = NO_STALL;
  for (let at = 0; at < turns; at += 1) {
    const data = traceTurn({ turn: at + 1, text: 'Going on.', calls: callsOf(at) });
    state = projectStall(state, { type: 'stall.observed', data } as { type: string }, DEFAULT_STALL_RULES);
    if (findStall(state, DEFAULT_STALL_RULES)) return at + 1;
  }
  return 0;
}

/** Values that are others at every step, all from one seed. */
const SORTS = {
  uuid: (seed) => {
    const hex = hashOf(seed);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  },
  sha1: (seed) => hashOf(seed).slice(0, 40),
  sha256: (seed) => hashOf(seed),
  ulid: (seed) => `01J${bigOf(seed).toString(32).toUpperCase().slice(0, 23)}`,
  key: (seed) => `job_0${bigOf(seed).toString(36).slice(0, 20)}9z9`,
  number: (seed, at) => String((Number.parseInt(hashOf(seed).slice(0, 4), 16) % 90) + at * 90),
  float: (seed, at) => `${at}.${Number.parseInt(hashOf(seed).slice(0, 5), 16)}`,
  time: (seed, at) => new Date(1_790_000_000_000 + at * 61_007 + seed.length).toISOString(),
  epoch: (seed, at) => String(1_790_000_000_000 + at * 61_007 + seed.length),
  date: (seed, at) => new Date(1_790_000_000_000 + at * 61_007_000 + seed.length).toUTCString(),
} satisfies Record<string, (seed: string, at: number) => string>;
type Sort = keyof typeof SORTS;
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const bigOf = (text: string): bigint => BigInt(`0x${hashOf(text)}`);
const oneOf = (sort: Sort, seed: string, at: number): string =>
  (SORTS as Record<Sort, (seed: string, at: number) => string>)[sort](`${seed} ${at}`, at);

const aSort = fc.constantFrom(...(Object.keys(SORTS) as Sort[]));
const aWord = fc.string({ unit: fc.constantFrom(...'abcdefghijklmnop'), minLength: 2, maxLength: 8 });
const aForm = fc.constantFrom('json', 'pretty', 'text', 'lines', 'query');
const aTool = fc.constantFrom<Numbers>('answer', 'arguments');

type Fields = Readonly<Record<string, string>>;

/** The same fields as a tool may print them. */
function print(form: string, fields: Fields): string {
  const entries = Object.entries(fields);
  if (form === 'json') return JSON.stringify(fields);
  if (form === 'pretty') return JSON.stringify(fields, null, 2);
  if (form === 'query') return entries.map(([name, value]) => `${name}=${value}`).join('&');
  return entries.map(([name, value]) => `${name}: ${value}`).join(form === 'text' ? ', ' : '\n');
}

/** Names of things, and names of what only counts, measures or tells the time. */
const THINGS = [
  'id',
  'page',
  'cursor',
  'from',
  'offset',
  'commit',
  'day',
  'path',
  'batch',
  'owner',
  'amount',
];
const NOISE = [
  ...['attempt', 'retry', 'request_id', 'requestId', 'X-Request-Id', 'nonce', 'trace_id', 'timestamp'],
  ...['took_ms', 'elapsed', 'durationMs', 'latency', 'backoff', 'delay_ms', 'timeout', 'now', 'polls'],
];

describe('for all tools, in every form of arguments and answers', () => {
  it('a run whose every turn names something else and learns what it did not know never stalls', () => {
    fc.assert(
      fc.property(
        fc.record({ seed: aWord, form: aForm, numbers: aTool, named: aSort, learned: fc.array(aSort) }),
        fc.uniqueArray(fc.constantFrom(...THINGS), { minLength: 2, maxLength: 6 }),
        fc.option(fc.constantFrom(...NOISE), { nil: undefined }),
        ({ seed, form, numbers, named, learned }, [name = '', ...names], noise) => {
          const callsOf = (at: number): readonly ObservedCall[] => {
            const asked = oneOf(named, seed, at);
            const ticking = noise === undefined ? {} : { [noise]: String(at) };
            const known = names.map((field, index) => [
              field,
              oneOf(learned[index] ?? 'uuid', `${seed} ${field}`, at),
            ]);
            // A number may be that of the arguments by chance: what is told of it is one more thing.
            const output = print(form, {
              [name]: asked,
              ...Object.fromEntries(known),
              sum: SORTS.sha1(`${seed} ${at}`),
            });
            return [{ tool: 'look', input: { [name]: asked, ...ticking }, output, failed: false, numbers }];
          };
          expect(stallsAt(callsOf, 200)).toBe(0);
        },
      ),
      runs(20, 1_000),
    );
  });

  it('a run whose every turn writes something else never stalls, though it is told the same', () => {
    fc.assert(
      fc.property(aWord, aSort, fc.constantFrom(...THINGS), fc.boolean(), (seed, sort, name, isText) => {
        const input = (at: number) =>
          isText ? `put ${oneOf(sort, seed, at)}` : { [name]: oneOf(sort, seed, at), content: 'TODO' };
        const callsOf = (at: number): readonly ObservedCall[] => [
          { tool: 'put', input: input(at), output: '{"ok":true}', failed: false, numbers: 'arguments' },
        ];
        expect(stallsAt(callsOf, 200)).toBe(0);
      }),
      runs(20, 1_000),
    );
  });

  const anAct = fc.record({
    tool: aWord,
    input: fc.dictionary(aWord, aWord, { maxKeys: 2 }),
    form: aForm,
    numbers: fc.constantFrom<Numbers>('answer', 'arguments', 'none'),
    failed: fc.boolean(),
    words: aWord,
    noise: fc.constantFrom(...NOISE),
    sorts: fc.array(fc.tuple(aWord, aSort), { minLength: 1, maxLength: 4 }),
  });
  const aCycle = fc.array(anAct, { minLength: 1, maxLength: DEFAULT_STALL_RULES.maxCycle });

  it('any cycle up to the longest stalls, whatever numbers, times and ids its answers have', () => {
    fc.assert(
      fc.property(aCycle, aWord, fc.boolean(), (cycle, seed, isTicking) => {
        const callsOf = (at: number): readonly ObservedCall[] => {
          const act = cycle[at % cycle.length];
          if (act === undefined) return [];
          const { tool, form, numbers, failed, words, noise, sorts } = act;
          const found = sorts.map(([name, sort]) => [name, oneOf(sort, `${seed}${name}`, at)]);
          const output = print(form, { status: words, ...Object.fromEntries(found) });
          // The order of keys is nothing new.
          const entries = Object.entries(act.input);
          const input = Object.fromEntries([
            ...(at % 2 === 0 ? entries : entries.toReversed()),
            ...(isTicking ? [[noise, oneOf('number', seed, at)]] : []),
          ]);
          return [{ tool, input, output, failed, numbers }];
        };
        // A number that goes on in one way may count what is done: it is believed longer than figures that only move.
        const isCounting = cycle.some(
          ({ failed, numbers, sorts }) =>
            !failed &&
            numbers === 'answer' &&
            sorts.some(([, sort]) => sort === 'number' || sort === 'float'),
        );
        const found = stallsAt(callsOf, 270);
        expect(found).toBeGreaterThanOrEqual(DEFAULT_STALL_RULES.repeats);
        expect(found).toBeLessThanOrEqual(isCounting ? 260 : 20);
      }),
      runs(100, 20_000),
    );
  });

  const anIdleLook = fc.record({ seed: aWord, form: aForm, sort: aSort, words: aWord });
  const someNoise = fc.uniqueArray(fc.constantFrom(...NOISE), { maxLength: 3 });
  const asksAndRepeats =
    ({ seed, form, sort, words }: { seed: string; form: string; sort: Sort; words: string }) =>
    (named: Fields, names: readonly string[], at: number): readonly ObservedCall[] => {
      const ticks = names.map((one, index) => [one, oneOf('number', `${seed} ${index}`, at)]);
      const output = print(form, { ...named, status: words, ...Object.fromEntries(ticks) });
      const asked = Object.fromEntries(Object.keys(named).map((name) => [name, oneOf(sort, seed, at)]));
      return [{ tool: 'look', input: asked, output, failed: false, numbers: 'answer' }];
    };

  it('a new argument with an answer that only repeats it, counts, measures or tells the time is believed for a while', () => {
    fc.assert(
      fc.property(anIdleLook, fc.constantFrom(...THINGS), someNoise, (look, name, noise) => {
        const ask = asksAndRepeats(look);
        const found = stallsAt((at) => ask({ [name]: oneOf(look.sort, look.seed, at) }, noise, at), 270);
        expect(found).toBeGreaterThan(200);
        expect(found).toBeLessThanOrEqual(260);
      }),
      runs(20, 1_000),
    );
  });

  it('an argument that counts attempts, measures or tells the time names nothing', () => {
    fc.assert(
      fc.property(anIdleLook, fc.constantFrom(...NOISE), someNoise, (look, name, noise) => {
        const ask = asksAndRepeats({ ...look, sort: 'number' });
        const found = stallsAt((at) => ask({ [name]: oneOf('number', look.seed, at) }, noise, at), 40);
        expect(found).toBeGreaterThanOrEqual(DEFAULT_STALL_RULES.repeats);
        // A wait that grows is believed for some turns.
        expect(found).toBeLessThanOrEqual(11);
      }),
      runs(100, 20_000),
    );
  });
});

it.each([
  ['get_record', 'took 12 ms', 'took # ms'],
  ['poll', '{"took_ms": 12, "n": 3}', '{"took_ms": #, "n": 3}'],
  ['poll', 'GET /a?nonce=f00&page=2', 'GET /a?nonce=#&page=2'],
  ['poll', '{\\"requestId\\":\\"8f14\\"}', '{\\"requestId\\":#}'],
  ['poll', 'requests: 12, request body: 3', 'requests: 12, request body: 3'],
  ['poll', 'at 2026-11-15T18:26:29Z; date: 2026-11-15', 'at #; date: 2026-11-15'],
  ['get_trace', 'trace: 12', 'trace: 12'],
  ['poll', 'it took a while: 3 tries left', 'it took a while: 3 tries left'],
])('of %s, what is volatile in %j is known by its name', (tool, text, dropped) => {
  expect(dropVolatile(text, tool)).toBe(dropped);
});

it('figures that go to and fro are believed for some turns, those that count for many, times and ids for none', () => {
  const polling = (answer: (at: number) => string) =>
    stallsAt((at) => [{ tool: 'look', input: {}, output: answer(at), failed: false }], 200);
  expect(polling((at) => `${20 + ((at * 7) % 13)} degrees`)).toBe(12);
  const counted = stallsAt(
    (at) => [{ tool: 'look', input: {}, output: `${at * 3} rows`, failed: false }],
    700,
  );
  expect(counted).toBe(252);
  // What tells how much of something is done has an end: it is believed as long as it grows.
  expect(polling((at) => `${Math.min(at * 3, 100)} % done`)).toBe(37);
  expect(polling((at) => `${Math.min(at, 90)} of 90 files, 0 errors`)).toBe(93);
  expect(polling((at) => `done by ${oneOf('uuid', 'x', at)}`)).toBe(3);
  expect(polling((at) => `as of ${oneOf('time', 'x', at)}`)).toBe(3);
  expect(polling((at) => `as of ${oneOf('epoch', 'x', at)}`)).toBe(3);
  expect(polling(() => '12 % done')).toBe(3);
});

describe('takes time in proportion to the text', () => {
  itInTurn.each(['a:', 'at:', 'ts:', 'took 1 ', '"a":"', 'took:"', '\\"'])('%j', (unit) => {
    const drop = (size: number) => {
      const text = unit.repeat(size);
      return dropEcho(dropVolatile(text), text);
    };
    expect(growth(drop, 30_000, 3)).toBeLessThan(3.5);
  });
});
