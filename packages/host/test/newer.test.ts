import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRegister, openRollingRegister, openStore, type Store } from '@cuebook/journal';
import { ok } from '@cuebook/prompt';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs } from '../../../test/runs.js';
import { openPeople, openQuotas, openSchedules, openWebhooks } from '../src/index.js';
import { must } from './stand.js';

let folder: string;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'newer-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const call = { target: 'agent:desk' };
const begin = async () => ok({ run: 'run_1' as never, diagnostics: [] });

/** What a newer version may write, by register: an event of a name that is not known, or a value of one. */
const STRANGE = {
  people: (word: string) => [
    { type: word, data: { person: 'ada' } },
    { type: 'person.changed', data: { person: 'ada', role: word, by: 'owner' } },
    { type: 'person.added', data: { person: 'bo', role: word, by: 'owner' } },
  ],
  schedules: (word: string) => [
    { type: word, data: { id: 'sch_1' } },
    {
      type: 'schedule.added',
      data: { id: 'sch_1', cron: '* * * * *', zone: 'UTC', missed: word, call, from: 0 },
    },
  ],
  hooks: (word: string) => [
    { type: word, data: { id: 'whk_1' } },
    { type: 'webhook.added', data: { id: 'whk_1', does: { act: word }, sealed: 'x', by: 'owner' } },
  ],
  quotas: (word: string) => [
    { type: word, data: { subject: 'project' } },
    { type: 'quota.set', data: { subject: 'project', limits: { [word]: 5 }, by: 'owner' } },
    { type: 'quota.set', data: { subject: `role:${word}`, limits: { runsPerDay: 5 }, by: 'owner' } },
  ],
} as const;

/** What asks each register. */
const ASKS: Readonly<
  Record<keyof typeof STRANGE, (store: Store, token: string) => readonly (() => Promise<unknown>)[]>
> = {
  people: (store, token) => {
    const people = openPeople(store);
    return [
      () => people.identify(token),
      () => people.isValid('ada', 'tok'),
      () => people.list(),
      () => people.add({ name: 'cy', role: 'owner' }, 'owner'),
      () => people.setRole('ada', 'owner', 'owner'),
    ];
  },
  schedules: (store) => {
    const schedules = openSchedules(store);
    return [
      () => schedules.tick(begin),
      () => schedules.list(),
      () => schedules.add({ cron: '* * * * *', zone: 'UTC', missed: 'all', call }, 'owner'),
    ];
  },
  hooks: (store) => {
    const hooks = openWebhooks(store);
    const delivery = { id: 'm', timestamp: '1', signature: 'v1,x', body: new Uint8Array() };
    return [() => hooks.verify('whk_1', delivery), () => hooks.list(), () => hooks.remove('whk_1', 'owner')];
  },
  quotas: (store) => {
    const quotas = openQuotas(store);
    return [
      () => quotas.uses(),
      () => quotas.read(),
      () => quotas.set('project', { runsPerDay: 1_000 }, 'owner'),
      () => quotas.reserve({ run: 'run_1', person: 'ada' } as never),
    ];
  },
};

const WORDS = fc
  .oneof(
    fc.stringMatching(/^[a-z]{1,10}(\.[a-z]{1,10})?$/),
    fc.constantFrom('constructor', 'person.muted', '__proto__'),
  )
  .filter((word) => !/^(owner|operator|reviewer|viewer|skip|last|all|start|answer)$/.test(word));

it.each(Object.keys(STRANGE) as readonly (keyof typeof STRANGE)[])(
  'what a newer version wrote into the register of %s: it is named, and nothing is read, granted, begun or changed',
  async (name) => {
    await fc.assert(
      fc.asyncProperty(WORDS, fc.nat(2), async (word, which) => {
        files += 1;
        const home = join(folder, `${files}`);
        const store = must(await openStore({ file: join(home, 'journal.db') }));
        const { token } = must(await openPeople(store).add({ name: 'ada', role: 'owner' }, 'owner'));
        const kinds = STRANGE[name](word);
        const event = JSON.parse(JSON.stringify(kinds[which % kinds.length])) as {
          type: string;
          data: never;
        };
        const open = { initial: null, project: () => null };
        const newer =
          name === 'quotas'
            ? openRollingRegister(store, name, { ...open, fold: { write: () => null, read: () => null } })
            : openRegister(store, name, open);
        must(await newer.change(() => ok({ events: [event], answer: null })));
        const head = (await store.readAll({ limit: 1_000 })).length;
        for (const ask of ASKS[name](store, token)) {
          const answer = await ask().catch((thrown: unknown) => ({
            error: (thrown as { error: unknown }).error,
          }));
          // A look at what is due says that something is left, and begins nothing.
          const isTick = typeof answer === 'object' && answer !== null && 'isLeft' in answer;
          if (isTick) expect(answer).toMatchObject({ isLeft: true });
          else expect(answer).toMatchObject({ error: { code: 'E_JOURNAL_NEWER' } });
          if (!isTick) expect(JSON.stringify(answer)).toContain(JSON.stringify(event.type).slice(1, -1));
        }
        expect((await store.readAll({ limit: 1_000 })).length).toBe(head);
        await store.close();
      }),
      runs(30, 600),
    );
  },
);

it('another field of a change that is known is ignored, and the change counts', async () => {
  await fc.assert(
    fc.asyncProperty(WORDS, fc.jsonValue(), async (word, value) => {
      fc.pre(!['person', 'role', 'subject', 'limits', 'by'].includes(word));
      files += 1;
      const store = must(await openStore({ file: join(folder, `${files}`, 'journal.db') }));
      const more = JSON.parse(`{${JSON.stringify(word)}:${JSON.stringify(value)}}`) as object;
      const open = { initial: null, project: () => null };
      const people = openRegister(store, 'people', open);
      const bo = { ...more, person: 'bo', role: 'viewer', by: 'owner' };
      must(await people.change(() => ok({ events: [{ type: 'person.added', data: bo }], answer: null })));
      expect(await openPeople(store).list()).toMatchObject([{ name: 'bo', role: 'viewer' }]);
      const fold = { write: () => null, read: () => null };
      const limits = openRollingRegister(store, 'quotas', { ...open, fold });
      const set = { ...more, subject: 'project', limits: { runsPerDay: 3 }, by: 'owner' };
      must(await limits.change(() => ok({ events: [{ type: 'quota.set', data: set }], answer: null })));
      expect(await openQuotas(store).list()).toEqual([{ subject: 'project', limits: { runsPerDay: 3 } }]);
      await store.close();
    }),
    runs(30, 600),
  );
});
