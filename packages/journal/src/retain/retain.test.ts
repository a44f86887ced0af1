import type { Block } from '@cuebook/prompt';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { openForTest, sqlitePlaces, tickingClock } from '../../test/places.js';
import { block, freshSigner, keysOf, must, piece, requestOf } from '../../test/turns.js';
import type { RunId, Store } from '../contract.js';
import { DELETED, rebuildTurn } from '../turn/rebuild.js';
import { createRecorder } from '../turn/recorder.js';
import { verifyRun } from '../verify/verify-run.js';
import { deletionNote, forgetContent } from './forget.js';
import { confidentialTexts, createMasker } from './mask.js';
import { pruneRuns } from './prune.js';
import { findRun, viewRuns } from './run-view.js';

const id = (name: string): RunId => `run_${name}` as RunId;
const DAY = 86_400_000;

async function append(
  store: Store,
  run: RunId,
  type: string,
  data: Record<string, string> = {},
): Promise<void> {
  const seq = (await store.head(run))?.seq ?? 0;
  must(
    await store.append({
      run,
      command: `${type} ${seq}`,
      target: 'x',
      expectedSeq: seq,
      events: [{ type, data }],
    }),
  );
}

async function turn(store: Store, run: RunId, name: string, { ends }: { ends: boolean }): Promise<void> {
  const recorder = createRecorder({ store, signer: freshSigner() });
  const request = requestOf([block('task', `${name} of ${run}: ${'words '.repeat(50)}`)]);
  must(await recorder.record({ run, turn: name, lane: 'l', request, provider: 'rehearsal' }));
  if (ends) must(await recorder.end({ run, turn: name, reason: 'done', text: 'Done.' }));
}

describe('the list of runs', () => {
  const cases: readonly { name: string; events: readonly [string, string][]; status: 'open' | 'ended' }[] = [
    { name: 'started', events: [['run.started', '']], status: 'open' },
    {
      name: 'completed',
      events: [
        ['run.started', ''],
        ['run.completed', ''],
      ],
      status: 'ended',
    },
    {
      name: 'failed',
      events: [
        ['run.started', ''],
        ['run.failed', ''],
      ],
      status: 'ended',
    },
    { name: 'waiting', events: [['effect.intended', 'e']], status: 'open' },
    {
      name: 'settled',
      events: [
        ['effect.intended', 'e'],
        ['effect.settled', 'e'],
      ],
      status: 'ended',
    },
    { name: 'timed', events: [['timer.set', 't']], status: 'open' },
    {
      name: 'fired',
      events: [
        ['timer.set', 't'],
        ['timer.fired', 't'],
      ],
      status: 'ended',
    },
    {
      name: 'cleared',
      events: [
        ['timer.set', 't'],
        ['timer.cleared', 't'],
      ],
      status: 'ended',
    },
  ];
  test.each(cases)('a run that is $name is $status', async ({ events, status }) => {
    const store = await openForTest(await sqlitePlaces.fresh());
    for (const [type, of] of events) await append(store, id('a'), type, of === '' ? {} : { id: of });
    expect(await viewRuns(store)).toMatchObject([{ run: 'run_a', status }]);
  });

  test('counts turns and names those without an end', async () => {
    const store = await openForTest(await sqlitePlaces.fresh());
    await turn(store, id('a'), 't1', { ends: true });
    await turn(store, id('a'), 't2', { ends: false });
    expect(await viewRuns(store)).toMatchObject([{ status: 'open', turns: 2, openTurns: ['t2'] }]);
  });

  test('an id is found by itself or by the beginning that only it has', () => {
    const all = [{ run: id('abc') }, { run: id('abd') }, { run: id('x') }, { run: id('xy') }];
    expect(findRun(all, 'run_x')).toEqual({ run: 'run_x' });
    expect(findRun(all, 'abc')).toEqual({ run: 'run_abc' });
    expect(findRun(all, 'run_ab')).toEqual({ candidates: ['run_abc', 'run_abd'] });
    expect(findRun(all, 'zz')).toEqual({ candidates: [] });
    expect(findRun(all.slice(0, 1), '')).toEqual({ candidates: [] });
  });
});

describe('retention', () => {
  async function threeRuns() {
    const clock = tickingClock();
    const store = await openForTest(await sqlitePlaces.fresh(), { clock });
    await turn(store, id('old'), 't', { ends: true });
    await turn(store, id('open'), 't', { ends: false });
    clock.add(40 * DAY);
    await turn(store, id('new'), 't', { ends: true });
    return { store, now: clock.now() };
  }

  test('takes old runs and never an open one', async () => {
    const { store, now } = await threeRuns();
    const rule = { olderThanMs: 30 * DAY, now };
    const dry = await pruneRuns(store, rule, { dryRun: true });
    expect(dry.runs.map(({ run }) => run)).toEqual(['run_old']);
    expect(await store.runs()).toHaveLength(3);
    const { runs, kept } = await pruneRuns(store, rule);
    expect(runs.map(({ run }) => run)).toEqual(['run_old']);
    expect(kept).toEqual(['run_open']);
    expect((await store.runs()).map(({ run }) => run)).toEqual(['run_open', 'run_new']);
  });

  test('leaves a run that the caller holds, and says so', async () => {
    const { store, now } = await threeRuns();
    const rule = { olderThanMs: 30 * DAY, now };
    const asked: string[] = [];
    const isHeld = async (run: string) => {
      asked.push(run);
      return run === 'run_old';
    };
    for (const dryRun of [true, false]) {
      expect(await pruneRuns(store, rule, { isHeld, dryRun })).toMatchObject({ runs: [], held: ['run_old'] });
    }
    // Of a run that stays anyway nobody is asked.
    expect(new Set(asked)).toEqual(new Set(['run_old']));
    expect(await store.runs()).toHaveLength(3);
  });

  test('takes the oldest until the store is small enough', async () => {
    const { store, now } = await threeRuns();
    const { runs } = await pruneRuns(store, { maxBytes: 1, now });
    expect(runs.map(({ run }) => run)).toEqual(['run_old', 'run_new']);
    expect((await store.runs()).map(({ run }) => run)).toEqual(['run_open']);
    const enough = await pruneRuns(store, { maxBytes: 1e9, now });
    expect(enough.runs).toEqual([]);
  });
});

describe('deleting content', () => {
  test('takes the words, leaves the record, and says on whose request', async () => {
    const store = await openForTest(await sqlitePlaces.fresh());
    const signer = freshSigner();
    const recorder = createRecorder({ store, signer });
    const run = id('a');
    const private_ = 'My address is 12 Long Lane. '.repeat(5);
    const request = requestOf([block('rules', 'Be brief.'), block('mail', private_)]);
    must(await recorder.record({ run, turn: 't1', lane: 'l', request, provider: 'rehearsal' }));
    must(await recorder.end({ run, turn: 't1', reason: 'done', text: `You wrote: ${private_}` }));
    must(await recorder.record({ run, turn: 't2', lane: 'l', request, provider: 'rehearsal' }));
    const forget = { run, turn: 't1', blocks: ['mail'], response: true, by: 'Ada', reason: 'asked to' };
    const { blobs } = must(await forgetContent(store, forget));
    expect(blobs).toHaveLength(2);
    expect(must(await forgetContent(store, forget)).blobs).toEqual(blobs);
    const rebuilt = must(await rebuildTurn(store, run, 't1'));
    expect(rebuilt.request.prompt.text).toBe(`Be brief.\n\n${DELETED}`);
    expect(rebuilt.end?.text).toBe(DELETED);
    expect(rebuilt.forgotten.map(({ part }) => part)).toEqual(['mail', 'response']);
    const [first] = rebuilt.forgotten;
    expect(await deletionNote(store, first?.blob ?? '')).toEqual({
      by: 'Ada',
      reason: 'asked to',
      run,
      turn: 't1',
      part: 'mail',
    });
    // Every turn that says the same loses it, and all of it still verifies.
    expect(must(await rebuildTurn(store, run, 't2')).forgotten.map(({ part }) => part)).toEqual(['mail']);
    expect(await verifyRun(store, run, { publicKeys: keysOf(signer) })).toMatchObject({
      ok: true,
      problems: [],
    });
    must(await recorder.end({ run, turn: 't2', reason: 'done' }));
    expect(await verifyRun(store, run, { publicKeys: keysOf(signer) })).toMatchObject({
      ok: true,
      problems: [],
    });
  });

  test('of a block that is not there is refused, with those that are', async () => {
    const store = await openForTest(await sqlitePlaces.fresh());
    await turn(store, id('a'), 't', { ends: true });
    const result = await forgetContent(store, { run: id('a'), turn: 't', blocks: ['mail'], by: 'Ada' });
    expect(result).toEqual({ ok: false, error: { code: 'E_FORGET_PART', part: 'mail', known: ['task'] } });
  });
});

describe('masking', () => {
  const request = requestOf([
    block('a', '', {
      pieces: [
        piece('Be kind. '),
        piece('The house rule is\nnever to name the client.', { secrecy: 'confidential' }),
      ],
    }),
  ]);
  const masker = createMasker(confidentialTexts(request.prompt.blocks));

  const cases: readonly [string, string][] = [
    ['The house rule is\nnever to name the client.', '[confidential]'],
    ['It says: never to name the client. Fine.', 'It says: [confidential] Fine.'],
    ['Be kind.', 'Be kind.'],
    ['', ''],
  ];
  test.each(cases)('%j is shown as %j', (text, shown) => {
    expect(masker.text(text)).toBe(shown);
  });

  test('reaches every string of a value', () => {
    const value = { a: ['never to name the client.', 1, null], 'The house rule is': { b: true } };
    expect(masker.value(value)).toEqual({ a: ['[confidential]', 1, null], '[confidential]': { b: true } });
  });

  test('gives a block spans that cover exactly what is shown, and shows none of the words', () => {
    const words = ['Ünd öffentlich. ', 'never to name the client.', 'x', '\n', '🙂 ok', 'The house rule is'];
    const secrecy = fc.constantFrom('public', 'confidential') as fc.Arbitrary<'public' | 'confidential'>;
    const pieces = fc.array(fc.tuple(fc.constantFrom(...words), secrecy), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(pieces, (made) => {
        const [given] = requestOf([
          block('a', '', { pieces: made.map(([text, each]) => piece(text, { secrecy: each })) }),
        ]).prompt.blocks as [Block];
        const own = createMasker([...confidentialTexts([given]), 'never to name the client.']);
        const { text, spans } = own.block(given);
        const bytes = Buffer.from(text);
        expect(spans.map(({ start }) => start)).toEqual([0, ...spans.slice(0, -1).map(({ end }) => end)]);
        expect(spans.at(-1)?.end).toBe(bytes.length);
        for (const span of spans) {
          const shown = bytes.toString('utf8', span.start, span.end);
          expect(shown).not.toMatch(/^$|\uFFFD/);
          if (span.secrecy !== 'public') expect(shown).toBe('[confidential]');
        }
        expect(text).not.toContain('never to name');
      }),
      runs(50, 2_000),
    );
  });
});
