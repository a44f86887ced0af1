import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Answer, type Client, createClient, type ReportView } from '@cuebook/api';
import { findServer } from '@cuebook/server';
import { afterEach, expect, it } from 'vitest';
import { desk, tool } from '../../../../packages/thread/test/project.js';
import { packageTexts } from '../../../../packages/workflow/test/fixture.js';
import { sampled } from '../../../../test/runs.js';
import { BIN, cuebook, folderWith } from '../../test/cuebook.js';

/** Leaves a line in the world for each time that it is called. */
const NOTE = tool(
  `const { appendFile } = await import('node:fs/promises');
   await appendFile(args.file, args.text + '\\n');
   return { status: 'success', result: 'noted ' + args.text };`,
  'args: z.object({ text: z.string(), file: z.string() }),',
);
const script = (...steps: readonly object[]): string => JSON.stringify({ lanes: { '*': steps } });
const calls = (name: string, args: object) => ({ toolCalls: [{ name, args }] });

function project() {
  const under = (folder: string, files: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
  const cwd = folderWith({
    'cuebook.yaml': '{}\n',
    ...under('agents', desk("tools: ['note'],", { 'tools/note.ts': NOTE })),
    ...under('workflows/hb', packageTexts()),
    'team.yaml':
      'goal: Work.\nmode: INTERACTIVE\nprovider: rehearsal\nnodes: [{ alias: lead, role: orchestrator }]\n',
  });
  return { cwd, world: join(cwd, 'world.txt') };
}

let child: ChildProcess | undefined;
afterEach(() => end('SIGKILL'));

async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const ending = child;
  child = undefined;
  if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
  const gone = new Promise((resolve) => ending.once('exit', resolve));
  ending.kill(signal);
  await gone;
}

async function up(cwd: string): Promise<Client> {
  const started = spawn(process.execPath, [BIN, 'up', '--json'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child = started;
  await new Promise((resolve) => started.stdout.once('data', resolve));
  const found = await findServer(join(cwd, '.cuebook'));
  if (found === undefined) throw new Error('No server is up.');
  return createClient({ url: found.url, token: found.token });
}

function must<Value>(answer: Answer<Value>): Value {
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}

const isStill = ({ status }: ReportView): boolean => status !== 'running' && status !== 'new';

/** Until the run stands still; whatever a crash left in doubt is told to be unknown, so that nothing is done twice. */
async function settle(client: Client, run: string): Promise<{ report: ReportView; doubts: number }> {
  let doubts = 0;
  for (;;) {
    const stop = new AbortController();
    let report = must(await client.getReport({ run }));
    if (!isStill(report))
      for await (const heard of client.follow({ run, after: report.seq, signal: stop.signal })) {
        if (heard.type !== 'event' && heard.type !== 'ready') continue;
        report = must(await client.getReport({ run }));
        if (isStill(report)) stop.abort();
      }
    const open = report.waits.filter((each) => each.for === 'outcome');
    if (open.length === 0) return { report, doubts };
    doubts += open.length;
    for (const { id } of open)
      must(await client.answerWait({ run, wait: id, reply: { texts: ['unknown'] } }));
  }
}

/** How many events, over all runs, the server lives for. */
const MOMENTS = Array.from({ length: 200 }, (_, index) => 1 + ((index * 37) % 90));

it.each(sampled(MOMENTS, 2))(
  'a server that is killed after %i events loses nothing and does nothing twice, with one run of every kind',
  async (moment) => {
    const { cwd, world } = project();
    const first = await up(cwd);
    const starts = [
      [
        'agent:desk',
        script(calls('note', { text: 'a', file: world }), calls('note', { text: 'b', file: world }), {
          text: 'Noted.',
        }),
      ],
      ['prompt:clerk', script({ text: 'Once.' })],
      [
        'workflow:workflows/hb',
        script(calls('fs.write', { path: '@project/made.md', content: 'made' }), { text: 'What next?' }),
      ],
      ['team:team.yaml', script({ text: 'One.' })],
    ] as const;
    const end9 = new AbortController();
    let seen = 0;
    const runs: string[] = [];
    const following: Promise<void>[] = [];
    for (const [target, steps] of starts) {
      const { run } = must(await first.startRun({ id: `${target}`, target, input: 'Begin.', script: steps }));
      runs.push(run);
      following.push(
        (async () => {
          for await (const heard of first.follow({ run, signal: end9.signal })) {
            if (heard.type === 'event') seen += 1;
            if (seen >= moment) end9.abort();
          }
        })(),
      );
    }
    // A server whose runs stand still before the moment has come is killed as well.
    await Promise.race([Promise.all(following), Promise.all(runs.map((run) => settle(first, run)))]);
    end9.abort();
    await Promise.all(following);
    await end('SIGKILL');

    const client = await up(cwd);
    const [talk, once, flow, team] = await Promise.all(runs.map((run) => settle(client, run)));
    const lines = existsSync(world) ? readFileSync(world, 'utf8').trimEnd().split('\n') : [];
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines.length + (talk?.doubts ?? 0)).toBeGreaterThanOrEqual(2);
    expect(talk?.report).toMatchObject({ kind: 'thread', status: 'done', text: 'Noted.', turns: 3 });
    expect(once?.report).toMatchObject({ kind: 'thread', status: 'done', text: 'Once.' });
    expect(flow?.report).toMatchObject({ kind: 'workflow', status: 'waiting', text: 'What next?', turns: 2 });
    expect(team?.report).toMatchObject({ kind: 'team', status: 'waiting', turns: 1 });
    const { waiting } = must(await client.listWaiting({}));
    expect(waiting.map(({ run, for: why }) => `${run} ${why}`).sort()).toEqual(
      [`${runs[2]} input`, `${runs[3]} input`].sort(),
    );
    await end('SIGTERM');
    expect(await cuebook(['verify', '--all'], { cwd })).toMatchObject({ code: 0 });
  },
);
