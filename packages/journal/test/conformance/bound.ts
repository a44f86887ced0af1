import { expect, it } from 'vitest';
import { itInTurn } from '../../../../test/runs.js';
import type { Append } from '../../src/contract.js';
import { JournalFailure } from '../../src/error.js';
import { BOUNDS } from '../../src/store/bounds.js';
import { openForTest, type Places } from '../places.js';
import { batch, codeOf, eventsOf, RUN, rejection } from '../write.js';

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

const deep = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
};

const event = (data: unknown): Partial<Append> => ({ events: [{ type: 'thing.done', data: data as never }] });

/** What does not fit, and the code of the refusal. Functions: some values are large. */
const CASES: readonly (readonly [string, () => Partial<Append>, string])[] = [
  ['too many events', () => ({ events: eventsOf(BOUNDS.events + 1) }), 'E_JOURNAL_TOO_LARGE'],
  ['an event too large', () => event('x'.repeat(BOUNDS.value)), 'E_JOURNAL_TOO_LARGE'],
  [
    'a write too large as a whole',
    () => ({ events: Array.from({ length: 9 }, () => ({ type: 'a', data: 'x'.repeat(BOUNDS.value - 2) })) }),
    'E_JOURNAL_TOO_LARGE',
  ],
  ['a blob too large', () => ({ blobs: [new Uint8Array(BOUNDS.blob + 1)] }), 'E_JOURNAL_TOO_LARGE'],
  ['a name too long', () => ({ command: 'x'.repeat(BOUNDS.name + 1) }), 'E_JOURNAL_TOO_LARGE'],
  ['an empty name', () => ({ command: '' }), 'E_JOURNAL_INVALID'],
  ['a name with a NUL', () => ({ command: 'a\u0000b' }), 'E_JOURNAL_INVALID'],
  ['half a character in a name', () => ({ target: 'a\ud800' }), 'E_JOURNAL_INVALID'],
  ['a run id of another form', () => ({ run: 'run_../x' as Append['run'] }), 'E_JOURNAL_INVALID'],
  ['a name of the store itself', () => ({ command: 'cuebook:blob.delete:x' }), 'E_JOURNAL_INVALID'],
  ['a seq that is none', () => ({ expectedSeq: 0.5 }), 'E_JOURNAL_INVALID'],
  ['not a number', () => event(Number.NaN), 'E_JOURNAL_INVALID'],
  ['half a character in a value', () => event('\udc00'), 'E_JOURNAL_INVALID'],
  ['nothing at all', () => event(undefined), 'E_JOURNAL_INVALID'],
  ['a value that holds itself', () => event(cycle), 'E_JOURNAL_INVALID'],
  ['a value of a hundred thousand levels', () => event(deep(100_000)), 'E_JOURNAL_INVALID'],
  ['a blob name that is none', () => ({ keeps: ['sha256:xyz'] }), 'E_JOURNAL_INVALID'],
  ['a blob that is not there', () => ({ keeps: [`sha256:${'0'.repeat(64)}`] }), 'E_JOURNAL_BLOB_MISSING'],
];

export function boundCases(places: Places): void {
  itInTurn.each(CASES)('%s is refused and writes nothing', async (_name, changes, code) => {
    const store = await openForTest(await places.fresh());
    expect(codeOf(await store.append(batch(changes())))).toBe(code);
    expect(await store.runs()).toEqual([]);
    expect(await store.head(RUN)).toBeUndefined();
  });

  it('what just fits is taken', async () => {
    const store = await openForTest(await places.fresh());
    const changes = { command: 'x'.repeat(BOUNDS.name), events: eventsOf(BOUNDS.events) };
    expect(codeOf(await store.append(batch(changes)))).toBe('ok');
    expect((await store.read(RUN, { after: BOUNDS.events - 1 })).map(({ seq }) => seq)).toEqual([
      BOUNDS.events,
    ]);
    expect(codeOf(await store.append(batch({ ...event(deep(500)), expectedSeq: BOUNDS.events })))).toBe('ok');
  });

  it('a closed store says so', async () => {
    const store = await openForTest(await places.fresh());
    await store.close();
    expect(codeOf(await store.append(batch()))).toBe('E_JOURNAL_CLOSED');
    const failure = await rejection(store.read(RUN));
    expect(failure).toBeInstanceOf(JournalFailure);
    expect((failure as JournalFailure).error).toEqual({ code: 'E_JOURNAL_CLOSED' });
    await store.close();
  });
}
