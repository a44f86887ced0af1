import { readFileSync } from 'node:fs';
import { manualClock } from '@cuebook/engine';
import type { RunId } from '@cuebook/journal';
import { afterEach, describe, expect, it } from 'vitest';
import ledger from '../../../examples/kind-ledger/ledger.mjs';
import { ROOT } from '../../../test/root.js';
import type { Host, StartCall } from '../src/index.js';
import { openPeople, openQuotas, openSchedules } from '../src/index.js';
import { hostStand, must, type Stand, type StandOptions, until } from './stand.js';

const DAY = 24 * 60 * 60_000;
let stand: Stand;
afterEach(() => stand.remove());

const open = async (more: Partial<StandOptions> = {}): Promise<Host> => {
  stand = await hostStand({
    kinds: () => [ledger],
    files: { 'ledgers/shop.md': readFileSync(`${ROOT}/examples/kind-ledger/ledgers/shop.md`, 'utf8') },
    ...more,
  });
  return stand.open();
};
const says = (...texts: readonly string[]): string =>
  JSON.stringify({ lanes: { '*': texts.map((text) => ({ text })) } });
const asks = JSON.stringify({
  lanes: { '*': [{ toolCalls: [{ id: 'c1', name: 'book', args: { line: 'Bob' } }] }, { text: 'Done.' }] },
});
const call = (id: string, more: Partial<StartCall> = {}): StartCall => ({
  ...{ id, by: 'ada', target: 'ledger:shop', input: 'Go.', script: says('One.', 'Two.', 'Three.') },
  ...more,
});
const stateOf = () => openQuotas(stand.store).read();
const set = async (subject: string, limits: object) =>
  must(await openQuotas(stand.store).set(subject, limits, 'owner'));
const isDone = ({ status }: { readonly status: string }): boolean => status === 'done';

describe('limits of a project and its people', () => {
  it('a run reserves its budget, and has spent what it has spent when it is over', async () => {
    const host = await open();
    await set('person:ada', { tokensPerDay: 5_000 });
    const { run } = must(await host.begin(call('a', { budget: { tokens: 4_000 } })));
    expect((await stateOf()).open.get(run)).toMatchObject({ person: 'ada', tokens: 4_000, usd: 0 });
    const refused = await host.begin(call('b', { budget: { tokens: 4_000 } }));
    const { usage } = await until(host, run, isDone);
    // While the first one has not been looked at it may be reserved; then what it spent counts.
    if (!refused.ok) {
      expect(refused.error.code).toBe('E_QUOTA_REACHED');
      must(await host.begin(call('b', { budget: { tokens: 4_000 } })));
    }
    const [use] = await openQuotas(stand.store).usesOf('ada');
    expect(use).toMatchObject({ limit: 'tokensPerDay', max: 5_000, spent: usage?.tokens, reserved: 4_000 });
  });

  it('of a run whose budget is that of a day, each day counts what it spent, and a day without room ends the run', async () => {
    const clock = manualClock(Date.parse('2026-03-01T12:00:00Z'));
    const host = await open({ kinds: () => [{ ...ledger, daily: true }], clock });
    await set('person:ada', { tokensPerMonth: 5_000 });
    const { run } = must(await host.begin(call('a', { script: asks, budget: { tokens: 2_000 } })));
    const { usage } = await until(host, run, ({ status }) => status === 'waiting');
    const held = async () => (await stateOf()).open.get(run);
    clock.advance(DAY);
    await host.settleQuotas();
    // The day that is over counts what it spent, and the next one has all of its budget.
    expect(await held()).toMatchObject({ day: '2026-03-02', tokens: 2_000, base: { tokens: usage?.tokens } });
    await set('person:ada', { tokensPerMonth: 2_000 });
    clock.advance(DAY);
    await host.settleQuotas();
    await until(host, run, ({ status }) => status === 'stopped');
    await host.settleQuotas();
    expect(await held()).toBeUndefined();
    const uses = await openQuotas(stand.store, () => clock.now()).usesOf('ada');
    expect(uses).toMatchObject([{ limit: 'tokensPerMonth', spent: usage?.tokens, reserved: 0 }]);
  });

  it('says which limit, how far it is used, when it frees and who raises it; and a run without a budget gets what is left', async () => {
    const host = await open();
    await set('role:owner', { tokensPerDay: 900 });
    const { run } = must(await host.begin(call('a', { script: asks })));
    await until(host, run, ({ status }) => status === 'waiting');
    expect((await stateOf()).open.get(run)).toMatchObject({ tokens: 900 });
    const refused = await host.begin(call('b'));
    if (refused.ok) throw new Error('It has begun.');
    expect(refused.error).toMatchObject({ kind: 'conflict', code: 'E_QUOTA_REACHED' });
    for (const word of [
      'person:ada',
      '900 tokens a day',
      'role:owner',
      '0 spent',
      '900 reserved',
      'T00:00:00.000Z',
    ])
      expect(refused.error.message).toContain(word);
    expect(refused.error.message).toContain('cuebook quota set role:owner --tokens-day NUMBER');
    must(await host.begin(call('b', { by: 'bo' })));
  });

  it('a run that has come to the limit waits, and goes on when the limit and its budget are raised', async () => {
    const host = await open();
    await set('person:ada', { tokensPerDay: 40 });
    const { run } = must(await host.begin(call('a', { script: asks })));
    await until(host, run, ({ status }) => status === 'waiting');
    const [approval] = await host.waiting({ run });
    must(await host.answer(approval as never, { decision: 'allow' }, { id: 'yes', by: 'ada' }));
    await until(host, run, ({ reason }) => reason === 'budget');
    const [wait] = await host.waiting();
    expect(wait).toMatchObject({ run, for: 'budget', answers: ['TOKENS'] });
    const raise = (id: string) => host.answer(wait as never, { texts: ['9000'] }, { id, by: 'ada' });
    expect(await raise('r1')).toMatchObject({ ok: false, error: { code: 'E_QUOTA_REACHED' } });
    expect((await host.waiting()).map((each) => each.for)).toEqual(['budget']);
    await set('person:ada', { tokensPerDay: 10_000 });
    must(await raise('r2'));
    const { usage } = await until(host, run, isDone);
    must(await host.begin(call('b', { budget: { tokens: 10 } })));
    const [use] = await openQuotas(stand.store).usesOf('ada');
    expect(use).toMatchObject({ spent: usage?.tokens, reserved: 10 });
  });

  it('a word to a run that is over reserves again, no more than there is, and the run keeps to it', async () => {
    const host = await open();
    const { run } = must(await host.begin(call('a')));
    const { usage: before } = await until(host, run, isDone);
    await set('project', { tokensPerDay: 30 });
    must(await host.tell(run, { type: 'say', text: 'More.' }, { id: 'w', by: 'bo' }));
    await until(host, run, ({ status, turns }) => status === 'waiting' || turns === 2);
    expect((await stateOf()).open.get(run)).toMatchObject({
      person: 'bo',
      tokens: 30,
      base: { tokens: before?.tokens },
    });
    await until(host, run, ({ status }) => status === 'done' || status === 'waiting');
    const again = await host.tell(run, { type: 'say', text: 'And more.' }, { id: 'v', by: 'bo' });
    const isFull = !again.ok && again.error.code === 'E_QUOTA_REACHED';
    // One turn takes more than thirty tokens: the limit is used up by it.
    expect(isFull || (await host.waiting()).some((each) => each.for === 'budget')).toBe(true);
  });

  it.each([
    ['runsAtOnce', 1],
    ['runsPerDay', 1],
    ['tokensPerDay', 0],
    ['usdPerMonth', 0],
  ] as const)(
    '%s: every door is closed when it is reached, and open again when it is taken away',
    async (name, max) => {
      const host = await open();
      if (max === 1) {
        await set('project', { [name]: 1 });
        const { run } = must(await host.begin(call('first', { script: asks })));
        await until(host, run, ({ status }) => status === 'waiting');
      } else await set('project', { [name]: max });
      const schedules = openSchedules(stand.store, () => DAY);
      must(await schedules.add({ cron: '* * * * *', zone: 'UTC', missed: 'last', call: call('x') }, 'ada'));
      await schedules.tick(host.begin, DAY + 60_000);
      expect((await schedules.list())[0]?.last).toMatchObject({ code: 'E_QUOTA_REACHED' });
      expect(await host.begin(call('b'))).toMatchObject({ error: { code: 'E_QUOTA_REACHED' } });
      // What is refused leaves nothing behind.
      expect((await stateOf()).open.size).toBe(max);
      must(await openQuotas(stand.store).remove('project', 'owner'));
      must(await host.begin(call('b')));
    },
  );

  it('what a schedule begins counts for who made it, with the limits of their role', async () => {
    const host = await open();
    must(await openPeople(stand.store).add({ name: 'bo', role: 'operator' }, 'owner'));
    await set('role:operator', { runsPerDay: 1 });
    const schedules = openSchedules(stand.store, () => DAY);
    must(await schedules.add({ cron: '* * * * *', zone: 'UTC', missed: 'last', call: call('x') }, 'bo'));
    await schedules.tick(host.begin, DAY + 60_000);
    expect((await schedules.list())[0]?.last).toMatchObject({ run: expect.any(String) });
    expect(await host.begin(call('b', { by: 'bo' }))).toMatchObject({ error: { code: 'E_QUOTA_REACHED' } });
    must(await host.begin(call('c', { by: 'ada' })));
  });

  it('a limit begins anew with the day; what nobody began is given back after a while', async () => {
    const clock = manualClock(Date.UTC(2026, 10, 18, 23, 55));
    const host = await open({ clock });
    await set('project', { runsPerDay: 1, runsAtOnce: 1 });
    const dies = () => Promise.reject(new Error('killed'));
    const dying = await stand.open({ onReserved: dies });
    await expect(dying.begin(call('a'))).rejects.toThrow('killed');
    expect(await host.begin(call('b'))).toMatchObject({ error: { code: 'E_QUOTA_REACHED' } });
    // The same call again has the reservation.
    const { run } = must(await host.begin(call('a')));
    expect((await stateOf()).open.size).toBe(1);
    await until(host, run, isDone);
    expect(await host.begin(call('b'))).toMatchObject({
      error: { message: expect.stringContaining('1 begun') },
    });
    clock.advance(10 * 60_000);
    await expect(dying.begin(call('c'))).rejects.toThrow('killed');
    clock.advance(10 * 60_000 + 1);
    must(await host.begin(call('b')));
    expect((await stateOf()).open.size).toBe(1);
  });

  it('a begin that is refused, a word that is refused: nothing stays reserved', async () => {
    const host = await open();
    await set('project', { tokensPerDay: 9_000_000, runsPerDay: 2 });
    expect(await host.begin(call('a', { target: 'ledger:none' }))).toMatchObject({ ok: false });
    const { run } = must(await host.begin(call('b')));
    await until(host, run, isDone);
    const word = { type: 'approve', approval: 'none', decision: 'allow' } as const;
    expect(await host.tell(run as RunId, word, { id: 'w', by: 'ada' })).toMatchObject({ ok: false });
    const { run: last } = must(await host.begin(call('c')));
    expect([...(await stateOf()).open.keys()]).toEqual([last]);
    expect(await host.begin(call('d'))).toMatchObject({
      error: { message: expect.stringContaining('2 begun') },
    });
  });
});
