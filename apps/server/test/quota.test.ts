import { createClient } from '@cuebook/api';
import fc from 'fast-check';
import { beforeAll, expect } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn, runs } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { isStill, machine, must, script, TARGETS, until } from './machines.js';

describePart('postgres', 'limits and commands at several servers', () => {
  let postgres: Databases;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });
  const pair = async () => {
    const first = machine(await postgres.createDatabase());
    const { server, client } = await first.up();
    const second = await machine(first.databaseUrl, first.key()).up();
    return { server, clients: [client, second.client] as const };
  };
  const call = (id: string, target: string) => ({
    ...{ id, target, ...(target.startsWith('sheet:') ? {} : { input: 'Begin.' }) },
    script: script({ text: 'One.' }, { text: 'Two.' }),
  });

  itInTurn(
    'a command that is sent many times at once to two servers is one run of any kind, and all answers are equal; another call under its id is refused',
    async () => {
      const { clients } = await pair();
      let count = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...TARGETS),
          fc.array(fc.constantFrom(0, 1), { minLength: 2, maxLength: 6 }),
          async (target, at) => {
            count += 1;
            const asked = call(`cmd_${count}`, target);
            const answers = await Promise.all(at.map((each) => clients[each as 0 | 1].startRun(asked)));
            const [first] = answers;
            expect(answers, JSON.stringify(answers)).toEqual(answers.map(() => first));
            const { run } = must(first as NonNullable<typeof first>);
            await until(clients[0], run, isStill);
            for (const client of clients) {
              expect(must(await client.startRun(asked)).run).toBe(run);
              const other = await client.startRun({ ...asked, script: script({ text: 'Other.' }) });
              expect(other).toMatchObject({ ok: false, error: { status: 409 } });
            }
          },
        ),
        runs(40, 200),
      );
    },
  );

  itInTurn(
    'two servers that begin at once never let through more than the limits have, and all of it comes back',
    async () => {
      const { clients } = await pair();
      const [one, two] = clients;
      must(await one.setQuota({ subject: 'project', limits: { runsAtOnce: 3, tokensPerDay: 3_000_000 } }));
      let count = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ at: fc.nat({ max: 1 }), tokens: fc.integer({ min: 1, max: 1_500_000 }) }), {
            minLength: 4,
            maxLength: 8,
          }),
          async (calls) => {
            const begun = await Promise.all(
              calls.map(({ at, tokens }) => {
                count += 1;
                const asked = call(`cmd_${count}`, 'agent:desk');
                return clients[at as 0 | 1].startRun({ ...asked, budget: { tokens } });
              }),
            );
            const { uses } = must(await two.listQuotas({}));
            for (const { spent, reserved, max } of uses) expect(spent + reserved).toBeLessThanOrEqual(max);
            const refused = begun.flatMap((each) => (each.ok ? [] : [each.error.code]));
            expect(new Set(refused)).toEqual(new Set(refused.length === 0 ? [] : ['E_QUOTA_REACHED']));
            expect(begun.some(({ ok }) => ok)).toBe(true);
            await Promise.all(
              begun.map(async (each) => {
                if (!each.ok) return;
                const { run } = each.value;
                must(await one.stopRun({ run }));
                await until(two, run, isStill);
              }),
            );
            const after = must(await one.listQuotas({})).uses;
            expect(after.map(({ reserved }) => reserved)).toEqual([0, 0]);
          },
        ),
        runs(30, 200),
      );
    },
  );

  itInTurn(
    'only an owner sets limits; everybody sees what counts for them, and nothing of others',
    async () => {
      const { server, clients } = await pair();
      const [owner, other] = clients;
      const { token } = must(await owner.addPerson({ name: 'ada', role: 'operator' }));
      const ada = createClient({ url: server.url, token });
      must(await other.setQuota({ subject: 'role:operator', limits: { runsPerDay: 1 } }));
      must(await other.setQuota({ subject: 'project', limits: { usdPerDay: 99 } }));
      for (const answer of [
        await ada.setQuota({ subject: 'person:ada', limits: { runsPerDay: 9 } }),
        await ada.removeQuota({ subject: 'role:operator' }),
        await ada.listQuotas({}),
      ])
        expect(answer).toMatchObject({ ok: false, error: { status: 403 } });
      must(await ada.startRun(call('cmd_a', 'team:team.yaml')));
      expect(must(await ada.ownQuota({})).uses).toMatchObject([
        { subject: 'person:ada', setFor: 'role:operator', limit: 'runsPerDay', spent: 1, left: 0 },
      ]);
      for (const target of TARGETS)
        expect(await ada.startRun(call(`cmd_${target}`, target))).toMatchObject({
          error: { status: 409, code: 'E_QUOTA_REACHED' },
        });
      const team = { team: { file: 'team.yaml' }, goal: 'Work.' };
      expect(await ada.startRun({ id: 'cmd_b', ...team })).toMatchObject({
        error: { code: 'E_QUOTA_REACHED' },
      });
      must(await owner.setQuota({ subject: 'person:ada', limits: { runsPerDay: 2 } }));
      must(await ada.startRun({ id: 'cmd_b', ...team }));
      expect(await ada.startRun({ id: 'cmd_c', ...team })).toMatchObject({
        error: { code: 'E_QUOTA_REACHED' },
      });
    },
  );
});
