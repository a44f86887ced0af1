import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiAnswer, type Client, createClient, type ReportView } from '@cuebook/api';
import { SAMPLE_SCRIPT } from '@cuebook/resident';
import { findServer } from '@cuebook/server/find';
import { afterEach, expect } from 'vitest';
import { desk, tool } from '../../../../packages/thread/test/project.js';
import { packageTexts } from '../../../../packages/workflow/test/fixture.js';
import { ROOT } from '../../../../test/root.js';
import { itInTurn as it, sampled } from '../../../../test/runs.js';
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

/** A project with a target of every kind: an agent that lives here, and a kind of a stranger, among them. */
async function project() {
  const under = (folder: string, files: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
  const cwd = folderWith({
    'cuebook.yaml': `kinds: { ledger: ${join(ROOT, 'examples/kind-ledger/ledger.mjs')} }\n`,
    'ledgers/shop.md': 'You keep a ledger.\n',
    'sheets/once.yaml':
      'title: Once\nblocks: [{ name: rules, role: system, parts: [{ text: Say it once. }] }]\n',
    'agent.yaml': 'agent: ada\nstore: .cuebook/platform/objects\nlog: town\n',
    ...under('agents', desk("tools: ['note'],", { 'tools/note.ts': NOTE })),
    ...under('workflows/hb', packageTexts()),
    'team.yaml':
      'goal: Work.\nmode: INTERACTIVE\nprovider: rehearsal\nnodes: [{ alias: lead, role: orchestrator }]\n',
  });
  const card = 'card new ada --name Ada --public --personality 0.7,0.9,0.6,0.5';
  for (const line of [
    'platform init --rehearsal --name town',
    card,
    'card submit ada --by olga',
    'card approve ada@1 --by rosa',
    'bundle publish',
  ])
    expect(await cuebook(line.split(' '), { cwd })).toMatchObject({ code: 0 });
  const store = join(cwd, '.cuebook/platform/objects');
  copyFileSync(join(store, 'trust/shared/1.root.json'), join(cwd, 'root.json'));
  return { cwd, world: join(cwd, 'world.txt'), book: join(cwd, 'book.txt') };
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

function must<Value>(answer: ApiAnswer<Value>): Value {
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}

const isStill = ({ status }: ReportView): boolean => status !== 'running' && status !== 'new';

/**
 * Until the run stands still; whatever a crash left in doubt is told to be unknown, so that nothing is done twice. It
 * fails where the server is gone.
 */
async function settle(client: Client, run: string, dead?: AbortSignal): Promise<ReportView> {
  for (;;) {
    const stop = new AbortController();
    const signal = dead === undefined ? stop.signal : AbortSignal.any([stop.signal, dead]);
    let report = must(await client.getReport({ run }));
    if (!isStill(report))
      for await (const heard of client.follow({ run, after: report.seq, signal })) {
        if (heard.type !== 'event' && heard.type !== 'ready') continue;
        report = must(await client.getReport({ run }));
        if (isStill(report)) stop.abort();
      }
    const open = report.waits.filter((each) => each.for === 'outcome');
    if (open.length === 0 && isStill(report)) return report;
    for (const { id } of open)
      must(await client.answerWait({ run, wait: id, reply: { texts: ['unknown'] } }));
  }
}

interface Start {
  readonly target: string;
  readonly script: string;
  readonly input?: string;
}

/** Begins what has not begun, lives for so many events over all runs, and is killed; sooner where all stand still. */
async function life(cwd: string, starts: readonly Start[], events: number): Promise<void> {
  const client = await up(cwd);
  const dead = new AbortController();
  const following: Promise<void>[] = [];
  let seen = 0;
  const kill = async (): Promise<void> => {
    dead.abort();
    await end('SIGKILL');
  };
  const follow = async (run: string, after: number): Promise<void> => {
    for await (const heard of client.follow({ run, after, signal: dead.signal })) {
      if (heard.type === 'event') seen += 1;
      if (seen >= events) await kill();
    }
  };
  const live = async (start: Start): Promise<void> => {
    const { run } = must(await client.startRun({ id: start.target, ...start }));
    following.push(follow(run, must(await client.getReport({ run })).seq));
    await settle(client, run, dead.signal);
  };
  await Promise.all(
    starts.map((start) =>
      live(start).catch((error: unknown) => {
        // What the kill cut off is said again in the next life.
        if (!dead.signal.aborted) throw error;
      }),
    ),
  );
  await kill();
  await Promise.all(following);
}

const KILLS = 20;
const NOTES = ['a', 'b', 'c', 'd', 'e', 'f'];

it.each(sampled([...Array(10).keys()], 1))(
  'a server that is killed again and again loses nothing and does nothing twice, with one run of every kind (%i)',
  async (seed) => {
    const { cwd, world, book } = await project();
    const notes = NOTES.map((text) => calls('note', { text, file: world }));
    const writes = ['1', '2', '3'].map((name) =>
      calls('fs.write', { path: `@project/made${name}.md`, content: name }),
    );
    const remarks = NOTES.map((line) => calls('remark', { line }));
    const starts: readonly Start[] = [
      { target: 'agent:desk', script: script(...notes, { text: 'Noted.' }), input: 'Begin.' },
      { target: 'sheet:once', script: script({ text: 'Once.' }) },
      {
        target: 'workflow:workflows/hb',
        script: script(...writes, { text: 'What next?' }),
        input: 'Begin.',
      },
      { target: 'team:team.yaml', script: script({ text: 'One.' }), input: 'Begin.' },
      { target: 'resident:ada', script: JSON.stringify(SAMPLE_SCRIPT) },
      { target: 'ledger:shop', script: script(...remarks, { text: 'Kept.' }), input: 'Begin.' },
    ];
    for (let kill = 0; kill < KILLS; kill += 1) await life(cwd, starts, 1 + ((seed * 37 + kill * 11) % 17));

    const client = await up(cwd);
    const reports = await Promise.all(
      starts.map(async (start) => {
        const { run } = must(await client.startRun({ id: start.target, ...start }));
        return settle(client, run);
      }),
    );
    const [talk, once, flow, team, resident, ledger] = reports;
    expect(talk).toMatchObject({ kind: 'thread', status: 'done', text: 'Noted.', turns: NOTES.length + 1 });
    expect(once).toMatchObject({ kind: 'turn', status: 'done', text: 'Once.', turns: 1 });
    expect(flow).toMatchObject({ kind: 'workflow', status: 'waiting', text: 'What next?', turns: 4 });
    expect(team).toMatchObject({ kind: 'team', status: 'waiting', turns: 1 });
    expect(resident).toMatchObject({
      kind: 'resident',
      status: 'idle',
      detail: { today: { daily_goals: 1 } },
    });
    expect(ledger).toMatchObject({ kind: 'ledger', text: 'Kept.', turns: NOTES.length + 1 });
    // Each act was done once, or nobody knows: then it was asked about.
    for (const [file, run] of [
      [world, talk?.run],
      [book, ledger?.run],
    ] as const) {
      const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
      const { events } = must(await client.listEvents({ run: run ?? '', limit: 1_000 }));
      const asked = events.filter(({ type }) => type === 'effect.asked').length;
      expect(new Set(lines).size).toBe(lines.length);
      expect(lines.length + asked).toBeGreaterThanOrEqual(NOTES.length);
    }
    for (const name of ['1', '2', '3']) expect(readFileSync(join(cwd, `made${name}.md`), 'utf8')).toBe(name);
    const { waiting } = must(await client.listWaiting({}));
    expect(waiting.map(({ run, for: why }) => `${run} ${why}`).sort()).toEqual(
      [`${flow?.run} input`, `${team?.run} input`].sort(),
    );
    await end('SIGTERM');
    expect(await cuebook(['verify', '--all'], { cwd })).toMatchObject({ code: 0 });
  },
);
