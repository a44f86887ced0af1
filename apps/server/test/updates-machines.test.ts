import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as it, runs } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { goOn, isStill, machine, must, PROJECT, problemsOf, script, until } from './machines.js';
import { asTold, firstClone, gitIn, nextClone, projectOf, told, UPDATED_KINDS, words } from './updating.js';

/** Somebody at the server of one machine moves the run; the worker of one machine goes on with it. */
interface Move {
  readonly at: 0 | 1;
  readonly how: 'folder' | 'commit';
  readonly works: 0 | 1;
}
const side = fc.constantFrom(0 as const, 1 as const);
const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.record({ at: side, how: fc.constantFrom('folder' as const, 'commit' as const), works: side }),
  { minLength: 2, maxLength: 4 },
);

describePart('postgres', 'a run that is moved where machines share it', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  /** Two clones of a project, each with a server that takes no runs. The work of teams is kept where both reach it. */
  async function twoMachines() {
    const first = firstClone(await server.createDatabase());
    const { client: one } = await first.up({ take: { parallel: 0 } });
    const second = nextClone(first);
    const { client: two } = await second.up({ take: { parallel: 0 } });
    return { machines: [first, second], clients: [one, two] } as const;
  }

  it.each(UPDATED_KINDS.map((kind) => [kind.target, kind] as const))(
    '%s: whoever moves it, and whichever machine goes on, each turn is told from what the run was moved to last, and all verify',
    async (target, { file, from, to, lacking: [gone, change] }) => {
      const { machines, clients } = await twoMachines();
      const text = PROJECT[file] ?? '';
      const label = (version: number): string => `${to}-${version}-`;
      const write = (at: 0 | 1, path: string, version: string): void =>
        writeFileSync(join(projectOf(machines[at]), path), version);
      let count = 0;
      const working = async <Value>(at: 0 | 1, work: () => Promise<Value>): Promise<Value> => {
        const worker = await machines[at].work();
        try {
          return await work();
        } finally {
          await worker.drain();
        }
      };
      await fc.assert(
        fc.asyncProperty(side, side, moves, async (begun, first, all) => {
          count += 1;
          const steps = script(...[...all, null].map((_, turn) => ({ text: `Turn ${turn}.` })));
          for (const each of [0, 1] as const) write(each, file, text);
          const { run } = must(
            await clients[begun].startRun({ id: `a${count}`, target, ...words(target), script: steps }),
          );
          await working(first, () => until(clients[first], run, (each) => isStill(each) && each.turns === 1));
          for (const [index, { at, how, works }] of all.entries()) {
            const version = label(count * 100 + index);
            write(at, file, text.replace(from, version));
            if (how === 'commit') gitIn(projectOf(machines[at]))('commit', '-qam', version);
            const asked = { id: `u${count}-${index}`, run, ...(how === 'commit' && { to: 'HEAD' }) };
            const moved = must(await clients[at].updateRun(asked));
            if (how === 'commit') write(at, file, text.replace(from, 'neither'));
            expect(must(await clients[at].updateRun(asked))).toEqual(moved);
            await working(works, async () => {
              await goOn(clients[works], run);
              await until(clients[at], run, (each) => isStill(each) && each.turns === index + 2);
            });
          }
          const versions = [from, ...all.map((_, index) => label(count * 100 + index))].map(asTold);
          for (const client of clients) {
            const prompts = await told(client, run);
            expect(prompts.map((each) => versions.map((version) => each.includes(version)))).toEqual(
              versions.map((_, turn) => versions.map((__, index) => index === turn)),
            );
            expect(prompts.join('\n')).not.toContain('neither');
            expect(await problemsOf(client, run)).toEqual([]);
          }
          const { seq } = must(await clients[0].getReport({ run }));
          for (const each of [0, 1] as const) {
            write(each, file, text);
            write(each, gone, change(PROJECT[gone] ?? ''));
            expect(await clients[each].updateRun({ run })).toMatchObject({ ok: false });
            const none = await clients[each].updateRun({ run, to: 'no-such-branch' });
            expect(none).toMatchObject({ error: { status: 400, code: 'E_REVISION' } });
            write(each, gone, PROJECT[gone] ?? '');
          }
          expect(must(await clients[1].getReport({ run })).seq).toBe(seq);
        }),
        runs(2, 30),
      );
    },
  );

  it('is gone on with by a worker of another machine, with the files of the new commit', async () => {
    const databaseUrl = await server.createDatabase();
    const first = machine(databaseUrl, undefined, { 'notes.md': 'the notes of then\n' });
    const project = join(first.root, 'project');
    const git = gitIn(project);
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'One');
    const { client } = await first.up({ take: { parallel: 0 } });
    const worker = machine(databaseUrl, first.key(), { 'cuebook.yaml': `source: ${project}\n` });
    await worker.work();
    const reads = { toolCalls: [{ name: 'fs.read', args: { path: '@project/notes.md' } }] };
    const asks = script(reads, { text: 'One.' }, reads, { text: 'Two.' });
    const target = 'workflow:workflows/hb';
    const { run } = must(await client.startRun({ id: 'a', target, input: 'Go.', script: asks }));
    await until(client, run, (each) => isStill(each) && each.turns === 2);
    execFileSync('sh', ['-c', 'printf "the notes of now\\n" > notes.md'], { cwd: project });
    git('commit', '--quiet', '--all', '--message', 'Two');
    must(await client.updateRun({ run, to: 'HEAD' }));
    await goOn(client, run);
    await until(client, run, (each) => isStill(each) && each.turns === 4);
    const { events } = must(await client.listEvents({ run, limit: 1_000 }));
    const types = events.map(({ type }) => type);
    const at = types.indexOf('run.updated');
    expect(JSON.stringify(events.slice(0, at))).toContain('the notes of then');
    expect(JSON.stringify(events.slice(0, at))).not.toContain('the notes of now');
    expect(JSON.stringify(events.slice(at))).toContain('the notes of now');
    expect(await problemsOf(client, run)).toEqual([]);
  });
});
