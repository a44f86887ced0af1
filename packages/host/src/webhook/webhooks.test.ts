import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type RunId, type Store } from '@cuebook/journal';
import { type JsonValue, ok } from '@cuebook/prompt';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { interleaved, STORE_STEPS } from '../../../../test/interleaved.js';
import { runs } from '../../../../test/runs.js';
import type { Host, StartCall } from '../contract.js';
import { runOf } from '../run-of.js';
import { signDelivery } from './signature.js';
import { callWith, takesProblem, valueAt } from './take.js';
import { openWebhooks, type ToldWebhook } from './webhooks.js';

let folder: string;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'webhooks-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NOW = 1_700_000_000_000;

async function openStores(count: number): Promise<readonly Store[]> {
  files += 1;
  const home = join(folder, `home${files}`);
  mkdirSync(home, { mode: 0o700 });
  return Promise.all(
    Array.from({ length: count }, async () => {
      const opened = await openStore({ file: join(home, 'journal.db') }, { home });
      if (!opened.ok) throw new Error(opened.error.code);
      return opened.value;
    }),
  );
}

const START = { act: 'start', call: { target: 'agent:desk' }, takes: { input: '/text' } } as const;

/** A delivery as a sender makes it. */
const signed = (secret: string, id: string, value: JsonValue, at = NOW) => {
  const delivery = { id, timestamp: String(at / 1_000), body: Buffer.from(JSON.stringify(value)) };
  return { ...delivery, signature: signDelivery(secret, delivery), value };
};

const added = async (store: Store, does: Parameters<ReturnType<typeof openWebhooks>['add']>[0] = START) => {
  const done = await openWebhooks(store, () => NOW).add(does, 'ada');
  if (!done.ok) throw new Error(done.error.code);
  return done.value;
};

const NO_HOST: Pick<Host, 'begin' | 'answer' | 'waiting' | 'report'> = {
  begin: () => Promise.reject(new Error('begun')),
  answer: () => Promise.reject(new Error('answered')),
  waiting: async () => [],
  report: () => Promise.reject(new Error('reported')),
};

describe('webhooks', () => {
  it('each delivery is one run, however often and wherever it is sent and whoever dies', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          sends: fc.array(
            fc.record({
              delivery: fc.nat(3),
              server: fc.nat(1),
              body: fc.nat(1),
              fate: fc.constantFrom('live', 'live', 'before', 'after'),
            }),
            { minLength: 1, maxLength: 12 },
          ),
          together: fc.boolean(),
        }),
        async ({ sends, together }) => {
          const stores = await openStores(2);
          try {
            const [store] = stores as [Store];
            const { webhook, secret } = await added(store);
            const calls = new Map<string, Set<string>>();
            const answers = new Map<string, Set<string>>();
            const send = async ({ delivery, server, body, fate }: (typeof sends)[number]) => {
              const hooks = openWebhooks(stores[server] as Store, () => NOW);
              const asked = signed(secret, `msg_${delivery}`, { text: `words ${body}` });
              expect(await hooks.verify(webhook.id, asked)).toEqual(webhook);
              const begin: Host['begin'] = async (call: StartCall) => {
                if (fate === 'before') throw new Error('killed');
                const run = runOf(call.id);
                calls.set(run, (calls.get(run) ?? new Set()).add(call.input ?? ''));
                if (fate === 'after') throw new Error('killed');
                return ok({ run, diagnostics: [] });
              };
              const done = await hooks.deliver(webhook, asked, { ...NO_HOST, begin }).catch(() => undefined);
              if (done === undefined) return;
              if (!done.ok) expect(done.error.code).toBe('E_WEBHOOK_DELIVERY');
              else answers.set(asked.id, (answers.get(asked.id) ?? new Set()).add(done.value.run));
            };
            if (together) await Promise.all(sends.map(send));
            else for (const each of sends) await send(each);
            // One run for a delivery, with the body that came first, whichever it was.
            for (const inputs of calls.values()) expect(inputs.size).toBe(1);
            for (const told of answers.values()) expect(told.size).toBe(1);
            expect(calls.size).toBeLessThanOrEqual(new Set(sends.map(({ delivery }) => delivery)).size);
          } finally {
            await Promise.all(stores.map((store) => store.close()));
          }
        },
      ),
      runs(40, 400),
    );
  });

  it('its runs get a credential in its words, which is in no record and in no list, and goes with it', async () => {
    const [store] = (await openStores(1)) as [Store];
    const hooks = openWebhooks(store, () => NOW);
    const token = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const call = { target: 'agent:desk', input: `Use ${token}.`, model: token };
    const { webhook } = await added(store, { act: 'start', call, takes: {} });
    const calls: StartCall[] = [];
    const begin: Host['begin'] = async (each) => {
      calls.push(each);
      return ok({ run: runOf(each.id), diagnostics: [] });
    };
    const delivery = { ...signed('x', 'msg_1', {}), value: {} };
    const held = await hooks.list();
    expect((await hooks.deliver(webhook, delivery, { ...NO_HOST, begin })).ok).toBe(true);
    expect(JSON.stringify([webhook, held, await store.readAll({ limit: 1_000 })])).not.toContain(token);
    expect((await hooks.remove(webhook.id, 'bo')).ok).toBe(true);
    expect(await store.vault?.entries('run_registerhooks' as RunId)).toEqual([]);
    await store.close();
  });

  it('in whatever order several servers rotate, remove and hear: what cannot sign any more is not kept, and what counts is', async () => {
    const acts = fc.array(
      fc.constantFrom('rotate now' as const, 'rotate later' as const, 'remove' as const),
      {
        minLength: 2,
        maxLength: 5,
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), acts, async (order, all) => {
        const [store] = (await openStores(1)) as [Store];
        const { webhook, secret } = await added(store);
        const vault = store.vault && interleaved(order, store.vault, ['seal', 'open', 'erase']);
        const slow = { ...interleaved(order, store, STORE_STEPS), vault } as Store;
        const told = new Set([secret]);
        const act = async (what: (typeof all)[number]) => {
          const hooks = openWebhooks(slow, () => NOW);
          if (what === 'remove') return hooks.remove(webhook.id, 'bo');
          const endsAt = what === 'rotate now' ? NOW : NOW + 1;
          const done = await hooks.rotate(webhook.id, 'bo', { endsAt });
          if (done.ok) told.add(done.value.secret);
          return done;
        };
        const hear = openWebhooks(slow, () => NOW).verify(webhook.id, signed(secret, 'msg_1', {}));
        await order.waitFor(Promise.all([...all.map(act), hear]));
        const hooks = openWebhooks(store, () => NOW);
        const left = await hooks.list();
        const sealed = left.flatMap(({ secrets }) =>
          secrets.filter(({ expiresAt }) => (expiresAt ?? NOW + 1) > NOW).map((each) => each.sealed),
        );
        const kept = (await store.vault?.entries('run_registerhooks' as RunId)) ?? [];
        expect(kept.map(({ id }) => id).sort()).toEqual([...sealed].sort());
        let counting = 0;
        for (const each of told)
          counting += Number((await hooks.verify(webhook.id, signed(each, 'msg_2', {}))) !== undefined);
        expect(counting).toBe(sealed.length);
        await store.close();
      }),
      runs(60, 600),
    );
  });

  it('two secrets count while one is replaced; a secret is in no record, and goes with its webhook', async () => {
    const [store] = (await openStores(1)) as [Store];
    let now = NOW;
    const hooks = openWebhooks(store, () => now);
    const { webhook, secret: first } = await added(store);
    const told = (done: Awaited<ReturnType<typeof hooks.rotate>>): ToldWebhook => {
      if (!done.ok) throw new Error(done.error.code);
      return done.value;
    };
    const counts = async (secret: string) =>
      (await hooks.verify(webhook.id, signed(secret, 'msg_1', {}, now))) !== undefined;
    const { secret: second } = told(await hooks.rotate(webhook.id, 'bo', { endsAt: now + 60_000 }));
    expect([await counts(first), await counts(second)]).toEqual([true, true]);
    now += 60_000;
    expect([await counts(first), await counts(second)]).toEqual([false, true]);
    const { secret: third } = told(await hooks.rotate(webhook.id, 'bo', { endsAt: now }));
    expect([await counts(first), await counts(second), await counts(third)]).toEqual([false, false, true]);
    const record = JSON.stringify(await store.readAll({ limit: 1_000 }));
    for (const secret of [first, second, third]) expect(record).not.toContain(secret.slice(6, 30));
    const RUN = 'run_registerhooks' as RunId;
    expect(await store.vault?.entries(RUN)).toHaveLength(1);
    expect(await hooks.verify('whk_0000000000000000', signed(third, 'msg_1', {}, now))).toBeUndefined();
    expect((await hooks.remove(webhook.id, 'bo')).ok).toBe(true);
    expect(await counts(third)).toBe(false);
    expect(await store.vault?.entries(RUN)).toEqual([]);
    expect(await hooks.rotate(webhook.id, 'bo', { endsAt: now })).toMatchObject({
      ok: false,
      error: { code: 'E_WEBHOOK_UNKNOWN' },
    });
    await store.close();
  });

  it('answers what it may in runs of its target, once, and tells of nothing else', async () => {
    const [store] = (await openStores(1)) as [Store];
    const { webhook } = await added(store, { act: 'answer', target: 'agent:desk', answers: ['question'] });
    const run = 'run_1' as RunId;
    let waits = [
      { id: 'q', run, for: 'question' },
      { id: 'a', run, for: 'approval' },
    ];
    const given: unknown[] = [];
    const host = {
      ...NO_HOST,
      report: async (of: string) => ok({ target: of === 'run_2' ? 'agent:other' : 'agent:desk' }),
      waiting: async () => waits,
      answer: async (wait: { id: string }, reply: unknown, { id, by }: { id: string; by: string }) => {
        given.push([wait.id, reply, by]);
        const done = {
          run,
          command: id,
          target: 'x',
          events: [{ type: 'x.answered', data: null }],
          expectedSeq: 0,
        };
        await store.append(done);
        waits = waits.filter((each) => each.id !== wait.id);
        return ok(null);
      },
    } as unknown as typeof NO_HOST;
    const hooks = openWebhooks(store, () => NOW);
    const send = async (id: string, value: JsonValue) => {
      const done = await hooks.deliver(
        webhook,
        { id, body: Buffer.from(JSON.stringify(value)), value },
        host,
      );
      return done.ok ? done.value : [done.error.kind, done.error.code];
    };
    expect(await send('m1', { run, wait: 'a', text: 'yes' })).toEqual(['notFound', 'E_WEBHOOK_ANSWER']);
    expect(await send('m2', { run: 'run_2', text: 'Blue.' })).toEqual(['notFound', 'E_WEBHOOK_ANSWER']);
    expect(await send('m3', { run, text: 'Blue.' })).toEqual({ run, wait: 'q' });
    expect(await send('m3', { run, text: 'Blue.' })).toEqual({ run });
    expect(await send('m3', { run, text: 'Red.' })).toEqual(['conflict', 'E_WEBHOOK_DELIVERY']);
    expect(given).toEqual([['q', { texts: ['Blue.'] }, `hook:${webhook.id}`]]);
    for (const [index, body] of [
      null,
      [],
      {},
      { run: 1 },
      { run: '../x', text: 'x' },
      { run, text: '' },
      { run, text: 'x', decision: 'allow' },
      { run, decision: 'grant' },
      { run, decision: 'allow', message: 'x' },
      { run, text: 'x', more: 1 },
      { run, wait: '', text: 'x' },
    ].entries())
      expect(await send(`bad${index}`, body as JsonValue), JSON.stringify(body)).toEqual([
        'invalid',
        'E_WEBHOOK_BODY',
      ]);
    await store.close();
  });
});

describe('what is taken of a body', () => {
  it('for all bodies: a value is had by its pointer, and nothing that is not its own', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 3, withNullPrototype: false }), (made) => {
        const body = JSON.parse(JSON.stringify(made)) as JsonValue;
        const walk = (value: JsonValue, pointer: string): void => {
          expect(valueAt(body, pointer)).toEqual(value);
          expect(takesProblem('sheet:x', { x: pointer }) === undefined || pointer.length > 500).toBe(true);
          if (typeof value === 'object' && value !== null)
            for (const [key, each] of Object.entries(value))
              walk(each as JsonValue, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
        };
        walk(body, '');
        for (const name of ['constructor', 'toString', '__proto__', 'length'])
          if (!Object.hasOwn(body as object, name)) expect(valueAt(body, `/${name}`)).toBeUndefined();
      }),
      runs(200, 2_000),
    );
  });

  it.each<readonly [string, Readonly<Record<string, string>>, boolean]>([
    ['sheet:x', { a: '/a', b: '' }, true],
    ['agent:x', { input: '/a' }, true],
    ['agent:x', { env: '/a' }, false],
    ['resident:x', {}, true],
    ['resident:x', { input: '/a' }, false],
    ['sheet:x', { a: 'a' }, false],
    ['sheet:x', { a: '/~2' }, false],
    ['sheet:x', Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`a${at}`, ''])), false],
  ])('%s takes %j: %s', (target, takes, fits) => {
    expect(takesProblem(target, takes) === undefined).toBe(fits);
  });

  it('text is taken as it is and the rest as JSON; what is missing is left out; too much is refused', () => {
    const takes = { a: '/a', b: '/b', c: '/c', d: '/d' };
    const call = { target: 'sheet:x', provider: 'p', options: { set: { e: 'own' } } };
    expect(callWith(call, takes, { a: 'A', b: { n: [1] }, d: '' })).toEqual(
      ok({ ...call, options: { set: { e: 'own', a: 'A', b: '{"n":[1]}' } } }),
    );
    expect(callWith({ target: 'agent:x', input: 'own' }, { input: '/t' }, {})).toEqual(
      ok({ target: 'agent:x', input: 'own' }),
    );
    expect(callWith({ target: 'agent:x' }, { input: '/t' }, { t: 'x'.repeat(64_001) })).toMatchObject({
      ok: false,
      error: { code: 'E_WEBHOOK_BODY' },
    });
  });
});
