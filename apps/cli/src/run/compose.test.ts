import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createClient } from '@cuebook/api';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { describePart } from '../../../../test/part.js';
import { ROOT } from '../../../../test/root.js';
import { itInSoak } from '../../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../../test/shared-postgres.js';
import { BIN, folderWith } from '../../test/cuebook.js';

interface Service {
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly unknown[] };
}

const { services } = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<'postgres' | 'workspaces' | 'server' | 'worker' | 'proxy', Service>>;
};

describePart('postgres', 'what compose.yaml runs', () => {
  let database: Databases;
  beforeAll(async () => {
    database = await sharedPostgres();
  });

  it('is made of texts: no line of it reads as something else', () => {
    for (const { command = [], environment = {}, healthcheck } of Object.values(services))
      for (const each of [...command, ...Object.values(environment), ...(healthcheck?.test ?? [])])
        expect(typeof each, JSON.stringify(each)).toBe('string');
  });

  itInSoak(
    'outside of containers: a server that is well, a worker that joins with its key, runs, and the work of a team in its repository',
    async () => {
      const databaseUrl = await database.createDatabase();
      const cwd = folderWith({
        'cuebook.yaml': '{}\n',
        'sheets/once.yaml':
          'title: Once\nblocks: [{ name: rules, role: system, parts: [{ text: Say it once. }] }]\n',
        'team.yaml':
          'goal: Work.\nmode: INTERACTIVE\nprovider: rehearsal\nnodes: [{ alias: dev, role: implementer }]\n',
      });
      const port = await freePort();
      const given: Record<string, string> = { POSTGRES_PASSWORD: 'x', CUEBOOK_NAME: 'cuebook.example' };
      /** As compose fills it in, with the address, the port and the folder of this machine. */
      const filled = (text: string): string =>
        text
          .replace(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (_, name: string, other = '') => given[name] ?? other)
          .replace(/^postgres:.*/, databaseUrl)
          .replaceAll('4400', String(port))
          .replace(/^\/workspaces\//, `${cwd}/workspaces/`)
          .replace('0.0.0.0', '127.0.0.1');
      const begin = async (name: 'server' | 'worker') => {
        const { command = [], environment = {} } = services[name];
        const home = join(cwd, `state-${name}`);
        mkdirSync(home);
        const env: Record<string, string | undefined> = { PATH: process.env.PATH, HOME: home };
        for (const [key, value] of Object.entries(environment)) env[key] = filled(value);
        env.CUEBOOK_HOME = join(home, 'home');
        const child = spawn(process.execPath, [BIN, ...command.map(filled), '--json'], {
          ...{ cwd, env, stdio: ['ignore', 'pipe', 'inherit'] },
        }) as ChildProcess;
        onTestFinished(() => end(child, 'SIGKILL'));
        const said = await new Promise<string>((resolve, reject) => {
          child.stdout?.once('data', (data: Buffer) => resolve(data.toString()));
          child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
        });
        return {
          child,
          env,
          said: JSON.parse(said) as { readonly link?: string; readonly parallel?: number },
        };
      };
      const [git = '', ...words] = [
        ...(services.workspaces.entrypoint ?? []),
        ...(services.workspaces.command ?? []),
      ].map(filled);
      // As often as it is started.
      for (const _ of [1, 2]) expect(spawnSync(git, words)).toMatchObject({ status: 0 });
      const server = await begin('server');
      const [, ...check] = (services.server.healthcheck?.test ?? []).map((each) => filled(String(each)));
      const [program = '', ...args] = check;
      const isWell = (): boolean =>
        spawnSync(program, args, { env: { PATH: process.env.PATH } }).status === 0;
      expect(isWell()).toBe(true);
      const shared = spawnSync(process.execPath, [BIN, 'keys', 'share'], { cwd, env: server.env as never });
      given.CUEBOOK_PROJECT_KEY = shared.stdout.toString().trim();
      const worker = await begin('worker');
      expect(worker.said.parallel).toBe(16);
      const token = server.said.link?.split('#token=')[1] ?? '';
      const client = createClient({ url: `http://127.0.0.1:${port}`, token });
      const runTo = async (status: string, target: string, step: object) => {
        const script = JSON.stringify({ lanes: { '*': [step] } });
        const input = target.startsWith('team:') ? { input: 'Begin.' } : {};
        const started = await client.startRun({ id: target, target, script, ...input });
        const run = started.ok ? started.value.run : '';
        const stop = new AbortController();
        for await (const heard of client.follow({ run, after: 0, signal: stop.signal })) {
          const report = heard.type === 'event' ? await client.getReport({ run }) : undefined;
          if (report?.ok && report.value.status === status) stop.abort();
        }
        return client.getReport({ run });
      };
      expect(await runTo('done', 'sheet:once', { text: 'Once.' })).toMatchObject({
        ok: true,
        value: { status: 'done', text: 'Once.' },
      });
      await runTo('waiting', 'team:team.yaml', {
        text: 'Made.',
        edits: [{ path: 'made.txt', content: 'x' }],
      });
      const kept = spawnSync(git, ['--git-dir', words.at(-1) ?? '', 'for-each-ref']).stdout.toString();
      expect(kept).not.toBe('');
      for (const { child } of [worker, server]) await end(child, 'SIGTERM');
      expect(isWell()).toBe(false);
    },
  );
});

async function freePort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}
