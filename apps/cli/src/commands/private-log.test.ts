import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, createClient } from '@cuebook/api';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { desk, tool } from '../../../../packages/thread/test/project.js';
import { describePart } from '../../../../test/part.js';
import { itInTurn as it } from '../../../../test/runs.js';
import { type Databases, sharedPostgres, withClient } from '../../../../test/shared-postgres.js';
import { BIN, folderWith } from '../../test/cuebook.js';

/** Each is put into some place of a request, a run or an error, and no two are alike. */
const placed: string[] = [];
function word(): string {
  const made = `zq${placed.length}xjvkq`;
  placed.push(made);
  return made;
}

const THROWS = tool(
  'throw new Error(args.text + " " + process.cwd());',
  'args: z.object({ text: z.string() }),',
);
const script = (...steps: readonly object[]): string => JSON.stringify({ lanes: { '*': steps } });

describePart('postgres', 'the log of a server and a worker', () => {
  let postgres: Databases;
  beforeAll(async () => {
    postgres = await sharedPostgres();
  });

  it('is JSON line by line, and holds no word of a request, a run, an error or a header, and no real path', async () => {
    const databaseUrl = await postgres.createDatabase();
    const cwd = folderWith({
      'sheets/once.yaml':
        'title: Once\ninputs: { change: { trust: operator, secrecy: public, volatility: turn } }\nblocks: [{ name: rules, role: user, parts: [{ input: change }] }]\n',
      ...Object.fromEntries(
        Object.entries(desk("tools: ['note'],", { 'tools/note.ts': THROWS })).map(([path, text]) => [
          `agents/${path}`,
          text,
        ]),
      ),
      'team.yaml':
        'goal: Work.\nmode: INTERACTIVE\nprovider: rehearsal\nnodes: [{ alias: lead, role: orchestrator }]\n',
    });
    const home = join(cwd, '.cuebook');
    const children: ChildProcess[] = [];
    const lines: string[] = [];
    onTestFinished(() => {
      for (const child of children) child.kill('SIGKILL');
    });
    const begin = async (args: readonly string[], env: Readonly<Record<string, string>>) => {
      const child = spawn(process.execPath, [BIN, ...args, '--json', '--log-format', 'json'], {
        cwd,
        env: { PATH: process.env.PATH ?? '', HOME: cwd, CUEBOOK_DATABASE_URL: databaseUrl, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      children.push(child);
      let text = '';
      child.stderr.on('data', (bytes: Buffer) => {
        text += bytes.toString();
      });
      const ended = new Promise<void>((resolve) =>
        child.once('close', () => {
          lines.push(...text.split('\n').filter(Boolean));
          resolve();
        }),
      );
      const said = await new Promise<string>((resolve, reject) => {
        child.stdout.once('data', (data: Buffer) => resolve(data.toString()));
        child.once('exit', () => reject(new Error(`${args[0]} ended: ${text}`)));
      });
      return { said: JSON.parse(said) as { readonly link?: string }, child, ended };
    };
    const up = await begin(['up', '--port', '0', '--parallel', '0'], {});
    const CUEBOOK_PROJECT_KEY = readFileSync(join(home, 'keys/project.key'), 'utf8').trim();
    const worker = await begin(['worker'], { CUEBOOK_HOME: join(cwd, 'other'), CUEBOOK_PROJECT_KEY });
    const [url = '', token = ''] = up.said.link?.split('/#token=') ?? [];
    const client: Client = createClient({ url, token });
    const base = `${url}/api/v1`;

    // Words in each place of runs that go well, that throw, and that cannot begin.
    const call = { name: 'note', args: { text: word() } };
    const steps = script(
      { text: word(), reasoning: word(), toolCalls: [call] },
      { text: word(), toolCalls: [{ name: word(), args: { [word()]: word() } }] },
      { error: { status: 500 } },
    );
    const begun = [
      await client.startRun({ target: 'agent:desk', input: word(), script: steps }),
      await client.startRun({
        target: 'sheet:once',
        options: { set: { change: word() } },
        script: script({ text: word() }),
      }),
      await client.startRun({
        target: 'team:team.yaml',
        input: word(),
        script: script({ text: word() }, { error: { status: 400 } }),
      }),
      await client.startRun({ target: `agent:${word()}`, input: word() }),
      await client.startRun({ target: 'sheet:once', options: { set: { [word()]: word() } } }),
      await client.startRun({ target: 'agent:desk', input: word(), provider: word(), model: word() }),
      await client.startRun({ target: 'agent:desk', input: word(), script: `{${word()}` }),
    ];
    await client.addSchedule({ target: `agent:${word()}`, cron: '* * * * *', input: word() });
    await client.addSchedule({ target: 'agent:desk', cron: word() });
    await client.addPerson({ name: word(), role: 'viewer', email: `${word()}@example.com` });
    const hook = await client.addWebhook({
      target: 'sheet:once',
      takes: { change: `/${word()}` },
      script: `{${word()}`,
    });
    // Words in requests that are no requests.
    const authorization = `Bearer ${token}`;
    const json = { authorization, 'content-type': 'application/json' };
    for (const [path, init] of [
      [`/runs/${word()}/events?after=${word()}`, { headers: { authorization, cookie: word() } }],
      [`/runs?limit=${word()}`, { headers: { authorization, 'last-event-id': word() } }],
      ['/runs', { headers: { authorization: `Bearer ${word()}` } }],
      ['/runs', { method: 'POST', headers: { ...json, 'idempotency-key': word() }, body: `{"${word()}` }],
      ['/runs', { method: 'POST', headers: json, body: JSON.stringify({ [word()]: word() }) }],
      [`/${word()}`, { method: 'PUT', headers: { ...json, 'x-forwarded-for': word() }, body: word() }],
    ] as const)
      await fetch(`${base}${path}`, init).then((answer) => answer.body?.cancel());
    if (hook.ok) {
      const at = String(Math.floor(Date.now() / 1_000));
      const body = JSON.stringify({ [placed.at(-1) ?? '']: word() });
      const key = Buffer.from(hook.value.secret.replace('whsec_', ''), 'base64');
      for (const id of [word(), word()]) {
        const mac = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
        const headers = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${mac}` };
        await fetch(`${url}${hook.value.path}`, { method: 'POST', headers, body });
        await fetch(`${url}${hook.value.path}`, {
          method: 'POST',
          headers: { ...headers, 'webhook-signature': word() },
          body,
        });
      }
    }
    for (const each of begun.flatMap((answer) => (answer.ok ? [answer.value.run] : [])))
      for await (const heard of client.follow({ run: each, signal: AbortSignal.timeout(60_000) })) {
        if (heard.type !== 'event') continue;
        const report = await client.getReport({ run: each });
        if (report.ok && report.value.status !== 'running' && report.value.status !== 'new') break;
      }
    // All that they have open is cut, so that packages have something to print as well.
    for (let cut = 0; cut < 5; cut += 1) {
      await withClient(postgres.url, (admin) =>
        admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
          new URL(databaseUrl).pathname.slice(1),
        ]),
      );
      while (!(await client.ready()).ok);
    }
    for (const { child, ended } of [worker, up]) {
      child.kill('SIGTERM');
      await ended;
    }

    const entries = lines.map((line) => {
      try {
        return JSON.parse(line) as { readonly role?: string };
      } catch {
        throw new Error(`no JSON: ${line}`);
      }
    });
    expect(new Set(entries.map(({ role }) => role))).toEqual(new Set(['server', 'worker']));
    const all = lines.join('\n');
    const found = [...placed, cwd, token, CUEBOOK_PROJECT_KEY, new URL(databaseUrl).port].filter((each) =>
      all.includes(each),
    );
    expect(found).toEqual([]);
    expect(placed.length).toBeGreaterThan(45);
    console.log(`${placed.length} words, ${lines.length} lines`);
  });
});
