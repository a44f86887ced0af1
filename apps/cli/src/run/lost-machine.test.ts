import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@cuebook/api';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { describePart } from '../../../../test/part.js';
import { itInTurn as it } from '../../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../../test/shared-postgres.js';
import { BIN, cuebook, folderWith } from '../../test/cuebook.js';

const NODES = ['anna', 'bert', 'cora'];
const PROJECT = {
  'cuebook.yaml': '{}\n',
  'a.txt': 'the text of a\n',
  'team.yaml': `goal: Work.
provider: rehearsal
nodes:
  - { alias: lead, role: orchestrator }
${NODES.map((alias) => `  - { alias: ${alias}, role: implementer }`).join('\n')}
edges: [${NODES.map((to) => `{ from: lead, to: ${to} }`).join(', ')}]
`,
};
const call = (name: string, args: object): string => JSON.stringify({ tool_call: { name, args } });
const SCRIPT = JSON.stringify({
  lanes: {
    lead: [
      { text: NODES.map((to) => call('send_handoff', { to, message: 'Write.' })).join('\n') },
      ...Array.from({ length: 9 }, (_, index) => ({ text: `I wait ${index}.` })),
    ],
    ...Object.fromEntries(
      NODES.map((alias) => [
        alias,
        [
          {
            text: `First.\n${call('read_file', { path: 'a.txt' })}`,
            edits: [{ path: `${alias}-1.txt`, content: 'one' }],
          },
          { text: 'Second.', delayMs: 5_000, edits: [{ path: `${alias}-2.txt`, content: 'two' }] },
        ],
      ]),
    ),
  },
});

describePart('postgres', 'a worker that is lost with its machine', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  it('leaves the files of three nodes to another one, and the person has them in the project', async () => {
    const databaseUrl = await server.createDatabase();
    const children: ChildProcess[] = [];
    onTestFinished(async () => {
      for (const child of children) await end(child, 'SIGKILL');
    });
    const shared = folderWith({});
    const workspaces = join(shared, 'workspaces.git');
    execFileSync('git', ['init', '--quiet', '--bare', workspaces]);
    let key: string | undefined;
    /** A clone of the project on a machine of its own. */
    const joinAs = async (args: readonly string[]) => {
      const cwd = folderWith(PROJECT);
      const home = join(cwd, '.cuebook');
      mkdirSync(home, { mode: 0o700 });
      const env = {
        ...{ PATH: process.env.PATH, HOME: cwd, CUEBOOK_HOME: home },
        ...{ CUEBOOK_DATABASE_URL: databaseUrl, CUEBOOK_WORKSPACES: workspaces, CUEBOOK_PROJECT_KEY: key },
      };
      const child = spawn(process.execPath, [BIN, ...args, '--json'], {
        ...{ cwd, env },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      children.push(child);
      const said = await new Promise<string>((resolve, reject) => {
        child.stdout.once('data', (data: Buffer) => resolve(data.toString()));
        child.once('exit', () => reject(new Error(`${args[0]} ended at its start`)));
      });
      return { cwd, home, env, child, link: (JSON.parse(said) as { readonly link?: string }).link };
    };
    const first = await joinAs(['up', '--parallel', '0']);
    key = readFileSync(join(first.home, 'keys/project.key'), 'utf8').trim();
    const [url = '', token = ''] = first.link?.split('/#token=') ?? [];
    const client = createClient({ url, token });
    const lost = await joinAs(['worker']);
    const begun = await client.startRun({ id: 'team', target: 'team:team.yaml', script: SCRIPT });
    if (!begun.ok) throw new Error(JSON.stringify(begun.error));
    const { run } = begun.value;
    /** Until so many turns of each of the three nodes have come so far. */
    const untilEach = async (type: string, count: number) => {
      const over = new AbortController();
      const nodes = await nodesOf();
      const seen = new Map<string, number>();
      for await (const each of client.follow({ run, after: 0, signal: over.signal })) {
        if (each.type !== 'event' || each.event.type !== type) continue;
        const { node = '' } = each.event.data as { readonly node?: string };
        seen.set(node, (seen.get(node) ?? 0) + 1);
        if (nodes.every((id) => (seen.get(id) ?? 0) >= count)) over.abort();
      }
    };
    const nodesOf = async (): Promise<readonly string[]> => {
      const report = await client.getReport({ run });
      const detail = (report.ok ? report.value.detail : {}) as {
        readonly nodes: readonly { readonly id: string; readonly alias: string }[];
      };
      return detail.nodes.filter(({ alias }) => NODES.includes(alias)).map(({ id }) => id);
    };
    await untilEach('turn.started', 2);
    await end(lost.child, 'SIGKILL');
    rmSync(lost.cwd, { recursive: true, force: true });
    const other = await joinAs(['worker', '--workspaces', workspaces]);
    await untilEach('turn.closed', 2);
    const report = await client.getReport({ run });
    expect(report.ok && report.value.waits.filter((wait) => wait.for === 'outcome')).toEqual([]);
    const files = NODES.flatMap((alias) => [`${alias}-1.txt`, `${alias}-2.txt`]);
    const applied = await cuebook(['runs', 'apply', run, '--json'], { cwd: first.cwd, env: first.env });
    expect(applied, applied.stderr).toMatchObject({ code: 0 });
    for (const file of files) expect(existsSync(join(first.cwd, file)), file).toBe(true);
    const verified = await cuebook(['verify', '--all'], { cwd: first.cwd, env: first.env });
    expect(verified, verified.stdout).toMatchObject({ code: 0 });
    await end(other.child, 'SIGTERM');
  });
});

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}
