import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { itInTurn, runs } from '../../../../test/runs.js';
import { openForTest, scratchFolder, sqlitePlaces } from '../../test/places.js';
import { block, conversation, freshSigner, keysOf, must, requestOf } from '../../test/turns.js';
import type { RunId, Store } from '../contract.js';
import { verifyRun } from '../verify/verify-run.js';
import { digest } from './digest.js';
import { rebuildTurn } from './rebuild.js';
import { createRecorder } from './recorder.js';

const RUN = 'run_a' as RunId;

const missing = { ok: false, error: { code: 'none' } } as never;

const freshStore = async (): Promise<Store> => openForTest(await sqlitePlaces.fresh());

const sending = (text: string, ordinal = 1) => ({ channel: 'http' as const, hash: digest(text), ordinal });
const to = { provider: 'rehearsal', model: 'm-1', sessionId: 's-1' };

describe('the recorder', () => {
  test('what was recorded is given back byte for byte, by another process too', async () => {
    const store = await freshStore();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(conversation, fc.nat(3), async (turns, restart) => {
        run += 1;
        const id = `run_${run}` as RunId;
        const signer = freshSigner();
        let recorder = createRecorder({ store, signer });
        for (const [index, turn] of turns.entries()) {
          if (index === restart) recorder = createRecorder({ store, signer });
          must(
            await recorder.record({ run: id, turn: `t${index}`, lane: `lane ${index % 2}`, ...turn, ...to }),
          );
        }
        for (const [index, { request, delta }] of turns.entries()) {
          const rebuilt = must(await rebuildTurn(store, id, `t${index}`));
          expect(rebuilt.request).toEqual({
            prompt: request.prompt,
            tools: request.tools,
            params: request.params,
            removed: request.removed,
          });
          expect(rebuilt.delta?.prompt).toEqual(delta?.prompt);
          expect(rebuilt.to).toEqual({ provider: 'rehearsal', model: 'm-1', session: 's-1' });
        }
      }),
      runs(20, 500),
    );
  });

  itInTurn('a late turn of a late lane is read in few steps', async () => {
    const store = await freshStore();
    const recorder = createRecorder({ store, signer: freshSigner() });
    const blocks = [block('task', 'Plan the work.')];
    const record = (turn: string, lane: string) =>
      recorder.record({ run: RUN, turn, lane, request: requestOf(blocks), ...to });
    for (let lane = 1; lane <= 20; lane += 1) must(await record(`first ${lane}`, `lane ${lane}`));
    for (let turn = 1; turn <= 200; turn += 1) {
      blocks.push(block(`said ${turn}`, `What was said in turn ${turn}.`));
      must(await record(`late ${turn}`, 'lane 20'));
    }
    for (const turn of [7, 63, 64, 127, 199, 200]) {
      let steps = 0;
      const read: Store['read'] = (...asked) => {
        steps += 1;
        return store.read(...asked);
      };
      const { request } = must(await rebuildTurn({ ...store, read }, RUN, `late ${turn}`));
      expect(request.prompt.blocks.map(({ name }) => name)).toHaveLength(turn + 1);
      expect(steps).toBeLessThan(24);
    }
  });

  test('receipts fit the run whoever appended in between: this process, or another one', async () => {
    const move = fc.record({
      by: fc.nat(1),
      what: fc.constantFrom('turn', 'end', 'events', 'nothing'),
      count: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 14 }), async (moves) => {
        const file = join(scratchFolder(), 'home', 'journal.db');
        const stores = [await openForTest({ file }), await openForTest({ file })] as const;
        const signer = freshSigner();
        const recorders = stores.map((store) => createRecorder({ store, signer }));
        const open: string[] = [];
        for (const [index, { by, what, count }] of moves.entries()) {
          const store = stores[by] ?? stores[0];
          const turn = `t${index}`;
          const request = requestOf([block('task', `Plan ${index}.`)]);
          if (what === 'turn') {
            must((await recorders[by]?.record({ run: RUN, turn, lane: 'a', request, ...to })) ?? missing);
            open.push(turn);
          }
          const last = what === 'end' ? open.pop() : undefined;
          if (last !== undefined)
            must((await recorders[by]?.end({ run: RUN, turn: last, reason: 'done' })) ?? missing);
          if (what !== 'events' && what !== 'nothing') continue;
          const events =
            what === 'events' ? Array.from({ length: count }, () => ({ type: 'x', data: index })) : [];
          const expectedSeq = (await store.head(RUN))?.seq ?? 0;
          must(await store.append({ run: RUN, command: turn, target: turn, events, expectedSeq }));
        }
        if (!moves.some(({ what }) => what === 'turn')) return;
        const { problems } = await verifyRun(stores[0], RUN, { publicKeys: keysOf(signer), states: [] });
        expect(problems).toEqual([]);
      }),
      runs(30, 1_000),
    );
  });

  test('the newest refusal counts: what another process did meanwhile is read before anything is refused', async () => {
    const file = join(scratchFolder(), 'home', 'journal.db');
    const [mine, theirs] = [await openForTest({ file }), await openForTest({ file })];
    const signer = freshSigner();
    const [one, other] = [mine, theirs].map((store) => createRecorder({ store, signer }));
    const request = requestOf([block('task', 'Plan the work.')]);
    const input = { run: RUN, lane: 'planner', request, ...to };
    must((await one?.record({ ...input, turn: 't1' })) ?? missing);
    must((await other?.record({ ...input, turn: 't2' })) ?? missing);
    // The first one has not heard of it, and can end it all the same.
    must((await one?.end({ run: RUN, turn: 't2', reason: 'done' })) ?? missing);
    expect(await other?.end({ run: RUN, turn: 't2', reason: 'done', command: 'again' })).toMatchObject({
      error: { code: 'E_TURN_ENDED' },
    });
  });

  test('a turn is recorded once, and the same call again answers the same', async () => {
    const store = await freshStore();
    const recorder = createRecorder({ store, signer: freshSigner() });
    const request = requestOf([block('task', 'Plan the work.')]);
    const input = { run: RUN, turn: 't1', lane: 'planner', request, ...to, sent: sending('body') };
    expect(must(await recorder.record(input))).toEqual({ seq: 1, repeated: false });
    expect(must(await recorder.record(input))).toEqual({ seq: 1, repeated: true });
    expect((await store.head(RUN))?.seq).toBe(1);
  });

  test('the same turn with another prompt is a conflict', async () => {
    const recorder = createRecorder({ store: await freshStore(), signer: freshSigner() });
    const first = {
      run: RUN,
      turn: 't1',
      lane: 'planner',
      request: requestOf([block('task', 'One.')]),
      ...to,
    };
    must(await recorder.record(first));
    const other = await recorder.record({ ...first, request: requestOf([block('task', 'Two.')]) });
    expect(other).toMatchObject({ ok: false, error: { code: 'E_JOURNAL_CONFLICT' } });
    const renamed = await recorder.record({ ...first, command: 'another' });
    expect(renamed).toMatchObject({ ok: false, error: { code: 'E_TURN_EXISTS' } });
  });

  test('the same turn sent again in other bytes gets one more link', async () => {
    const store = await freshStore();
    const recorder = createRecorder({ store, signer: freshSigner() });
    const input = {
      run: RUN,
      turn: 't1',
      lane: 'planner',
      request: requestOf([block('task', 'One.')]),
      ...to,
    };
    must(await recorder.record({ ...input, sent: sending('first') }));
    must(await recorder.record({ ...input, sent: sending('second') }));
    const { sends } = must(await rebuildTurn(store, RUN, 't1'));
    expect(sends).toEqual([sending('first'), sending('second')]);
  });

  test('retries and answers in mid-turn are further links, and the end says how it came out', async () => {
    const store = await freshStore();
    const recorder = createRecorder({ store, signer: freshSigner() });
    const request = requestOf([block('task', 'One.')]);
    must(
      await recorder.record({ run: RUN, turn: 't1', lane: 'planner', request, ...to, sent: sending('a') }),
    );
    must(await recorder.sent({ run: RUN, turn: 't1', sent: sending('b', 2) }));
    const long = 'All is done. '.repeat(30);
    const outcome = {
      reason: 'done' as const,
      stop: 'stop',
      usage: { inputTokens: 5, outputTokens: 2 },
      text: long,
      reasoning: 'Short.',
      calls: [
        {
          id: 'c1',
          name: 'read',
          by: 'caller' as const,
          input: { path: 'a.md' },
          output: long,
          isError: false,
        },
        { id: 'c2', name: 'bad', by: 'agent' as const, badInput: '{' },
      ],
    };
    must(await recorder.end({ run: RUN, turn: 't1', ...outcome }));
    const rebuilt = must(await rebuildTurn(store, RUN, 't1'));
    expect(rebuilt.sends).toEqual([sending('a'), sending('b', 2)]);
    expect(rebuilt.end).toMatchObject(outcome);
    expect(must(await recorder.end({ run: RUN, turn: 't1', ...outcome })).repeated).toBe(true);
  });

  const refusals = [
    { name: 'an end without a turn', turn: 't9', code: 'E_TURN_UNKNOWN' },
    { name: 'another end of a turn that has ended', turn: 't1', code: 'E_JOURNAL_CONFLICT' },
  ];
  test.each(refusals)('$name is refused', async ({ turn, code }) => {
    const recorder = createRecorder({ store: await freshStore(), signer: freshSigner() });
    must(
      await recorder.record({
        run: RUN,
        turn: 't1',
        lane: 'l',
        request: requestOf([block('a', 'b')]),
        ...to,
      }),
    );
    must(await recorder.end({ run: RUN, turn: 't1', reason: 'aborted' }));
    expect(await recorder.end({ run: RUN, turn, reason: 'done' })).toMatchObject({
      ok: false,
      error: { code },
    });
  });

  test('nothing more is sent in a turn that has ended', async () => {
    const recorder = createRecorder({ store: await freshStore(), signer: freshSigner() });
    must(
      await recorder.record({
        run: RUN,
        turn: 't1',
        lane: 'l',
        request: requestOf([block('a', 'b')]),
        ...to,
      }),
    );
    must(await recorder.end({ run: RUN, turn: 't1', reason: 'aborted' }));
    const more = await recorder.sent({ run: RUN, turn: 't1', sent: sending('late', 2) });
    expect(more).toMatchObject({ ok: false, error: { code: 'E_TURN_ENDED' } });
  });

  test('a turn without an end is given back without one', async () => {
    const store = await freshStore();
    const recorder = createRecorder({ store, signer: freshSigner() });
    must(
      await recorder.record({
        run: RUN,
        turn: 't1',
        lane: 'l',
        request: requestOf([block('a', 'b')]),
        ...to,
      }),
    );
    expect(must(await rebuildTurn(store, RUN, 't1')).end).toBeUndefined();
    expect(await rebuildTurn(store, RUN, 't2')).toMatchObject({
      ok: false,
      error: { code: 'E_TURN_UNKNOWN' },
    });
  });

  test('receipts of many lanes and other events at once keep one chain', async () => {
    const store = await freshStore();
    const signer = freshSigner();
    const recorders = [createRecorder({ store, signer }), createRecorder({ store, signer })];
    const lanes = Array.from({ length: 8 }, (_, lane) => lane);
    await Promise.all(
      lanes.map(async (lane) => {
        const recorder = recorders[lane % 2] ?? createRecorder({ store, signer });
        for (let turn = 0; turn < 3; turn += 1) {
          const id = `t${lane}.${turn}`;
          const request = requestOf([block('shared', 'The same.'), block('own', id)]);
          must(await recorder.record({ run: RUN, turn: id, lane: `l${lane}`, request, ...to }));
          must(await recorder.end({ run: RUN, turn: id, reason: 'done', text: id }));
        }
      }),
    );
    expect((await store.head(RUN))?.seq).toBe(48);
    for (const lane of lanes) {
      expect(must(await rebuildTurn(store, RUN, `t${lane}.2`)).request.prompt.text).toBe(
        `The same.\n\nt${lane}.2`,
      );
    }
  });

  test('a half character in an answer is kept as U+FFFD', async () => {
    const store = await freshStore();
    const recorder = createRecorder({ store, signer: freshSigner() });
    must(
      await recorder.record({
        run: RUN,
        turn: 't1',
        lane: 'l',
        request: requestOf([block('a', 'b')]),
        ...to,
      }),
    );
    const calls = [{ id: '\ud800', name: 'x', by: 'agent' as const, input: { '\udc00': 'a\\ud800\ud800' } }];
    must(await recorder.end({ run: RUN, turn: 't1', reason: 'done', text: 'x\ud800', calls }));
    const { end } = must(await rebuildTurn(store, RUN, 't1'));
    expect(end?.text).toBe('x\ufffd');
    expect(end?.calls?.[0]?.input).toEqual({ '\ufffd': 'a\\ud800\ufffd' });
  });
});
