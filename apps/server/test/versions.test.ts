import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { desk, tool } from '../../../packages/thread/test/project.js';
import { describePart } from '../../../test/part.js';
import { itInTurn as it } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { isStill, machine, must, problemsOf, script, until } from './machines.js';

/** A version of the project: its agent has a tool that answers with the name of the version. */
const version = (name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(
      desk("tools: ['tell'],", {
        'tools/tell.ts': tool(`return { status: 'success', result: 'I am ${name}' };`),
      }),
    ).map(([path, text]) => [`agents/${path}`, text]),
  );

describePart('postgres', 'machines with other versions of a project', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  it('a worker does each run with the definitions and the code that it began with, side by side, whatever its own clone has', async () => {
    const databaseUrl = await server.createDatabase();
    const first = machine(databaseUrl, undefined, version('old'));
    const { client: old } = await first.up({ take: { parallel: 0 } });
    const second = machine(databaseUrl, first.key(), version('new'));
    const { client: young } = await second.up({ take: { parallel: 0 } });
    await machine(databaseUrl, first.key(), version('another')).work();
    const steps = script({ toolCalls: [{ name: 'tell', args: {} }] }, { text: 'Told.' });
    for (const [client, name] of [
      [old, 'old'],
      [young, 'new'],
    ] as const) {
      const { run } = must(
        await client.startRun({ id: name, target: 'agent:desk', input: 'Go.', script: steps }),
      );
      expect(await until(client, run, isStill)).toMatchObject({ text: 'Told.', turns: 2 });
      const { events } = must(await client.listEvents({ run, limit: 1_000 }));
      const told = [...JSON.stringify(events).matchAll(/I am (\w+)/g)].map(([, each]) => each);
      expect([...new Set(told)].filter((each) => each !== 'clerk')).toEqual([name]);
      expect(Object.keys(Object(Object(events[0]?.data).sources.files)).length).toBeGreaterThan(3);
      expect(await problemsOf(client, run)).toEqual([]);
    }
  });

  it('a worker without the commit of a run leaves it, the list says why, and one that can fetch it goes on with its files', async () => {
    const databaseUrl = await server.createDatabase();
    const first = machine(databaseUrl, undefined, { 'notes.md': 'the notes of then\n' });
    const project = join(first.root, 'project');
    const commit = commitAll(project);
    const { client } = await first.up({ take: { parallel: 0 } });
    const poor = machine(databaseUrl, first.key(), { 'notes.md': 'other notes\n' });
    await poor.work();
    const steps = script(
      { toolCalls: [{ name: 'fs.read', args: { path: '@project/notes.md' } }] },
      { text: 'Read.' },
    );
    const target = 'workflow:workflows/hb';
    const { run } = must(await client.startRun({ id: 'a', target, input: 'Go.', script: steps }));
    let reason = '';
    while (!reason.includes('E_WORKSPACE_VERSION'))
      reason = must(await client.getReport({ run })).waits.find((each) => each.for === 'left')?.reason ?? '';
    expect(reason).toContain(commit.slice(0, 12));
    expect(reason).not.toContain(poor.root);
    const before = must(await client.listEvents({ run, limit: 1_000 })).events;
    expect(before.map(({ type }) => type)).not.toContain('turn.recorded');
    // The clone goes on; the run does not.
    writeFileSync(join(project, 'notes.md'), 'the notes of now\n');
    commitAll(project);
    const rich = machine(databaseUrl, first.key(), { 'cuebook.yaml': `source: ${project}\n` });
    await rich.work();
    expect(await until(client, run, isStill)).toMatchObject({ text: 'Read.', turns: 2 });
    const { events } = must(await client.listEvents({ run, limit: 1_000 }));
    expect(Object(events[0]?.data).sources).toMatchObject({ commit });
    expect(JSON.stringify(events)).toContain('the notes of then');
    expect(JSON.stringify(events)).not.toContain('.versions');
    expect(await problemsOf(client, run)).toEqual([]);
    expect(readdirSync(join(rich.root, 'home/workspaces/.versions'))).toContain(`${commit}.json`);
  });
});

function commitAll(folder: string): string {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'A version');
  return git('rev-parse', 'HEAD');
}
