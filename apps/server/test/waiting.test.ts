import { join } from 'node:path';
import { createAgentMachine, createEngine, type Machine } from '@cuebook/engine';
import { openStore, type RunId } from '@cuebook/journal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { must, type ServerStand, serverStand } from './server-stand.js';

let stand: ServerStand;
beforeAll(async () => {
  stand = await serverStand();
});
afterAll(() => stand?.remove());

type Begin = { readonly type: 'begin' };
type Begun = { readonly type: 'dream.started'; readonly data: null };

/** A run of a kind that the server does not have. It stands still for one thing. */
const still = (wait: object): Machine<boolean, Begin, Begun> => ({
  kind: 'still',
  initial: false,
  decide: () => ({ ok: true, events: [{ type: 'dream.started', data: null }] }),
  project: () => true,
  stand: (isBegun) =>
    isBegun
      ? { kind: 'dream', target: "dream:it's mine", status: 'waiting', wait: wait as never }
      : undefined,
});

async function begin(run: string, wait: object): Promise<void> {
  const store = await open();
  await createEngine({ store, machine: still(wait), drivers: {} }).submit(run as RunId, {
    id: 'a',
    type: 'begin',
  });
  await store.close();
}

async function open() {
  const opened = await openStore({ file: join(stand.home, 'journal.db') });
  if (!opened.ok) throw new Error(opened.error.code);
  return opened.value;
}

describe('what waits in runs of kinds that nobody here knows', () => {
  it('is listed with the command that goes on, and with no form of an answer, the oldest first', async () => {
    await begin('run_cut', {
      for: 'outcome',
      calls: [
        { effect: 'eff_1', tool: 'pay', input: '{"amount":5}' },
        { effect: 'turn_1', tool: '', input: '' },
      ],
    });
    await begin('run_loop', { for: 'loop', message: 'Nothing new came.' });
    await begin('run_spent', { for: 'budget', message: 'The budget is spent.' });
    await begin('run_asks', { for: 'approval' });
    const { approvals } = must(await stand.client.listApprovals({}));
    expect(approvals).toMatchObject([
      { run: 'run_cut', kind: 'dream', for: 'outcome', id: 'eff_1', tool: 'pay', input: { amount: 5 } },
      { run: 'run_cut', for: 'outcome', id: 'turn_1', tool: '', input: '' },
      { run: 'run_loop', for: 'loop', id: 'run_loop', reason: 'Nothing new came.' },
      { run: 'run_spent', for: 'budget', reason: 'The budget is spent.' },
    ]);
    expect(approvals.flatMap(({ answers }) => answers ?? [])).toEqual([]);
    expect(approvals[2]?.command).toBe("cuebook run 'dream:it'\\''s mine' --run run_loop");
    const stopped = await stand.client.stopRun({ run: 'run_loop', id: 'stop' } as never);
    expect(stopped).toMatchObject({ ok: false, error: { status: 503, code: 'E_RUN_KIND' } });
    const one = must(await stand.client.listApprovals({ run: 'run_loop' }));
    expect(one.approvals.map(({ id }) => id)).toEqual(['run_loop']);
  });

  it('a run that is older than the list of standings is known by its first event', async () => {
    const store = await open();
    const answer = {
      text: '',
      calls: [{ id: 'x', name: 'pay', input: { amount: 5 } }],
      end: { reason: 'done' },
    };
    const engine = createEngine({
      store,
      machine: createAgentMachine({
        rules: { tools: [{ name: 'pay', policy: 'ask' }] },
        priced: true,
        onTurnCrash: 'repeat',
      }),
      drivers: { 'model.turn': { perform: async () => ({ ok: true, output: answer }) } },
    });
    await engine.start();
    await engine.submit('run_old' as RunId, { id: 'a', type: 'agent.start', text: 'Pay.', by: 'ann' });
    await engine.drain();
    await engine.stop();
    await store.close();
    const { approvals } = must(await stand.client.listApprovals({ run: 'run_old' }));
    expect(approvals).toMatchObject([
      { kind: 'agent', target: null, for: 'approval', tool: 'pay', status: 'waiting' },
    ]);
    // Only teams are answered over HTTP.
    const answered = await stand.client.resolveApproval({
      run: 'run_old',
      approval: approvals[0]?.id ?? '',
      decision: 'allow',
    });
    expect(answered).toMatchObject({ ok: false, error: { status: 503, code: 'E_RUN_KIND' } });
  });
});
