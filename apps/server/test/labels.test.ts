import { beforeAll, expect } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as it, sampled } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { isStill, machine, must, script, TARGETS, until } from './machines.js';

describePart('postgres', 'workers with labels', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  it('a run that wants a label waits for a worker that has it, and the list says so; one that wants none does not', async () => {
    const databaseUrl = await server.createDatabase();
    const first = machine(databaseUrl);
    const { client } = await first.up({ take: { parallel: 0 } });
    await machine(databaseUrl, first.key()).work({ take: { labels: ['eu'] } });
    const steps = script({ text: 'One.' });
    const targets = sampled(TARGETS, 2);
    const begin = async (target: string, label?: string) => {
      const input = target === 'sheet:once' ? {} : { input: 'Go.' };
      const wanted = label === undefined ? {} : { label };
      return must(
        await client.startRun({ id: `${target}-${label}`, target, ...input, ...wanted, script: steps }),
      ).run;
    };
    const held: string[] = [];
    for (const target of targets) held.push(await begin(target, 'gpu'));
    for (const target of targets)
      for (const label of [undefined, 'eu'])
        expect((await until(client, await begin(target, label), isStill)).turns).toBe(1);
    const { waiting } = must(await client.listWaiting({}));
    for (const run of held)
      expect(waiting.find((each) => each.run === run)).toMatchObject({
        for: 'left',
        reason: expect.stringContaining('the label gpu'),
      });
    await machine(databaseUrl, first.key()).work({ take: { labels: ['gpu'] } });
    for (const run of held) expect((await until(client, run, isStill)).turns).toBe(1);
  });

  it('the project says by target or by kind what is wanted, and a label is a plain name', async () => {
    const databaseUrl = await server.createDatabase();
    const first = machine(databaseUrl, undefined, {
      'cuebook.yaml': 'labels: { "agent:desk": gpu, turn: big }\n',
    });
    const { client } = await first.up({ take: { parallel: 0 } });
    for (const [target, label] of [
      ['agent:desk', 'gpu'],
      ['sheet:once', 'big'],
    ] as const) {
      const input = target === 'sheet:once' ? {} : { input: 'Go.' };
      const { run } = must(
        await client.startRun({ id: target, target, ...input, script: script({ text: 'One.' }) }),
      );
      let reason: string | null | undefined;
      // Who begins a run lets go of it a moment later.
      while (reason === undefined) reason = must(await client.getReport({ run })).waits[0]?.reason;
      expect(reason).toContain(`the label ${label}`);
    }
    const bad = await client.startRun({ id: 'bad', target: 'agent:desk', label: 'a b' });
    expect(bad).toMatchObject({ ok: false, error: { status: 400 } });
  });
});
