import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@cuebook/api';
import type { RunId, Store } from '@cuebook/journal';
import { createRedactor } from '@cuebook/prompt';
import { startServer } from '@cuebook/server';

// The server in a process of its own: 100,000 events to 20 followers, the memory with 1,000 finished runs on the
// disk, and the time until it answers. The followers are a process of their own too, so that only the server counts.

// The three numbers can be made smaller for a quick look: `SERVER_BENCH=5000,20,100`.
const [EVENTS = 100_000, FOLLOWERS = 20, RUNS = 1_000] = (process.env.SERVER_BENCH ?? '')
  .split(',')
  .filter(Boolean)
  .map(Number);
const MAX_MB = 300;
const STARTS = 7;
/** Of what Node takes to start and to do nothing. */
const MAX_START = 5;
const BIN = join(process.cwd(), 'apps', 'cli', 'bin', 'cuebook.js');

const SELF = fileURLToPath(import.meta.url);
const [mode, ...args] = process.argv.slice(2);
if (mode === 'serve') await serve(args[0] ?? '');
else if (mode === 'follow') await followAll(args[0] ?? '', args[1] ?? '', args[2] ?? '', Number(args[3]));
else await main();

async function main(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'bench-server-'));
  mkdirSync(join(root, 'project'));
  writeFileSync(join(root, 'project', 'cuebook.yaml'), '');
  try {
    await measureStart(root);
    await measureEvents(root);
    await measureMemory(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The command as people start it, from the call until the server answers. */
async function measureStart(root: string): Promise<void> {
  const times: { readonly bare: number; readonly ready: number }[] = [];
  for (let round = 0; round < STARTS; round += 1) {
    const home = join(root, 'command-home');
    // Both have the same surroundings: certificates that a variable names are read by every Node.
    const env = { PATH: process.env.PATH, HOME: home, CUEBOOK_HOME: join(home, '.cuebook') };
    const before = performance.now();
    spawnSync(process.execPath, ['-e', '0'], { env });
    const bare = performance.now() - before;
    times.push({ bare, ready: await untilAnswers(root, env) });
  }
  const middle = (of: 'bare' | 'ready') =>
    times.map((each) => each[of]).sort((a, b) => a - b)[STARTS >> 1] ?? 0;
  const ratio = middle('ready') / middle('bare');
  console.log(`until it answers, median of ${STARTS}`);
  console.log(`  node -e 0                                    ${middle('bare').toFixed(0).padStart(6)} ms`);
  console.log(
    `  cuebook up                                   ${middle('ready').toFixed(0).padStart(6)} ms, ${ratio.toFixed(1)} times  (goal: at most ${MAX_START} times)`,
  );
  if (ratio > MAX_START) process.exitCode = 1;
}

async function untilAnswers(root: string, env: NodeJS.ProcessEnv): Promise<number> {
  const before = performance.now();
  const child = spawn(process.execPath, [BIN, 'up', '--port', '0'], {
    cwd: join(root, 'project'),
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let url: string | undefined;
  for await (const line of linesOf(child)) {
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url !== undefined) break;
  }
  await (await fetch(`${url}/api/v1/health`)).text();
  const ready = performance.now() - before;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGINT');
  await ended;
  return ready;
}

async function measureEvents(root: string): Promise<void> {
  const server = await startChild(root);
  const client = createClient(server);
  const text = JSON.stringify({ nodes: [{ alias: 'a', role: 'planner', provider: 'rehearsal' }] });
  const runs: string[] = [];
  for (const _ of ['alone', 'followed']) {
    const started = await client.startRun({ team: { text } });
    if (!started.ok) throw new Error(started.error.message);
    runs.push(started.value.run);
  }
  const [alone = '', followed = ''] = runs;
  const written = await server.ask({ append: alone, count: EVENTS });
  const total = EVENTS + written.before;
  const followers = spawn(
    process.execPath,
    [SELF, 'follow', server.url, server.token, followed, String(total)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const lines = linesOf(followers);
  await lines.next();
  const began = performance.now();
  const sent = await server.ask({ append: followed, count: EVENTS, followed: true });
  const heard = JSON.parse(String((await lines.next()).value)) as {
    readonly counts: readonly number[];
    readonly orders: readonly boolean[];
  };
  const wallMs = performance.now() - began;
  const cpu = await server.ask({ cpu: true });
  await server.end();
  const perEvent = (sent.cpuUs + cpu.cpuUs - written.cpuUs) / (EVENTS * FOLLOWERS);
  console.log(`${EVENTS} events to ${FOLLOWERS} followers`);
  console.log(
    `  writing them alone                           ${(written.cpuUs / EVENTS).toFixed(1).padStart(6)} us of CPU per event`,
  );
  console.log(
    `  and sending them                             ${perEvent.toFixed(2).padStart(6)} us of CPU per event and follower, ${(perEvent * FOLLOWERS).toFixed(1)} us per event`,
  );
  console.log(`  wall time                                    ${(wallMs / 1000).toFixed(1).padStart(6)} s`);
  const isWhole = heard.counts.every((count) => count === total) && heard.orders.every(Boolean);
  console.log(
    `  lost or out of order                         ${isWhole ? '  none' : `  ${JSON.stringify(heard.counts)}`}`,
  );
  if (!isWhole) process.exitCode = 1;
}

async function measureMemory(root: string): Promise<void> {
  const maker = await startChild(root);
  const client = createClient(maker);
  const team = {
    text: JSON.stringify({
      goal: 'One of many.',
      nodes: [{ alias: 'lead', role: 'orchestrator', provider: 'rehearsal', workspace: 'shared' }],
    }),
  };
  const finish = JSON.stringify({ tool_call: { name: 'finish_run', args: { ok: true, summary: 'Done.' } } });
  const script = JSON.stringify({ lanes: { lead: [{ text: `Well.\n${finish}` }] } });
  for (let made = 0; made < RUNS; made += 20) {
    await Promise.all(Array.from({ length: 20 }, () => client.startRun({ team, script })));
    await maker.ask({ drain: true });
  }
  await maker.end();
  const server = await startChild(root);
  const atStart = (await server.ask({ memory: true })).rssMb;
  const reader = createClient(server);
  let finished = 0;
  let before: string | undefined;
  for (;;) {
    const page = await reader.listRuns({ limit: 200, ...(before && { before }) });
    if (!page.ok) throw new Error(page.error.message);
    finished += page.value.runs.filter(({ status }) => status === 'completed').length;
    for (const { run } of page.value.runs) {
      await reader.getRun({ run });
      await reader.listTurns({ run });
    }
    if (page.value.next === null) break;
    before = page.value.next;
  }
  const { rssMb } = await server.ask({ memory: true });
  await server.end();
  console.log(`memory with ${finished} finished runs on the disk`);
  console.log(`  when it answers                              ${atStart.toFixed(0).padStart(6)} MB`);
  console.log(
    `  after all of them were listed and read       ${rssMb.toFixed(0).padStart(6)} MB  (goal: under ${MAX_MB})`,
  );
  if (rssMb > MAX_MB || finished < RUNS) process.exitCode = 1;
}

interface Asked {
  readonly cpuUs: number;
  readonly before: number;
  readonly rssMb: number;
}

/** A server in a child, and the time from its start to its first answer. */
async function startChild(root: string) {
  const child = spawn(process.execPath, [SELF, 'serve', root], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = linesOf(child);
  const { url, token } = JSON.parse(String((await lines.next()).value)) as { url: string; token: string };
  return {
    url,
    token,
    async ask(what: object): Promise<Asked> {
      child.stdin?.write(`${JSON.stringify(what)}\n`);
      return JSON.parse(String((await lines.next()).value)) as Asked;
    },
    async end() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin?.end();
      await ended;
    },
  };
}

/** The server itself: it says where it is, then does what it is told on its standard input. */
async function serve(root: string): Promise<void> {
  let store: Store | undefined;
  const context = { roots: [['@project', join(root, 'project')]] as const, private: [], names: [] };
  const started = await startServer({
    folder: join(root, 'project'),
    home: join(root, 'home'),
    env: { PATH: process.env.PATH },
    redactor: createRedactor(context),
    context,
    log: (line) => console.error(line),
    groups: (project) => {
      store = project.store;
      return [];
    },
  });
  if (!started.ok) throw new Error(JSON.stringify(started.error));
  const server = started.value;
  console.log(JSON.stringify({ url: server.url, token: server.token }));
  let cpu = process.cpuUsage();
  for await (const line of linesOf(process)) {
    const what = JSON.parse(line) as {
      append?: string;
      count?: number;
      cpu?: true;
      memory?: true;
      drain?: true;
    };
    let before = 0;
    if (what.append !== undefined && store) {
      cpu = process.cpuUsage();
      before = await append(store, what.append as RunId, what.count ?? 0);
    }
    if (what.drain) await server.drain();
    if (what.memory) globalThis.gc?.();
    const used = process.cpuUsage(cpu);
    cpu = process.cpuUsage();
    console.log(
      JSON.stringify({
        cpuUs: used.user + used.system,
        before,
        rssMb: process.memoryUsage.rss() / 2 ** 20,
      }),
    );
  }
  await server.close();
  process.exit(0);
}

/** Events of ordinary size, a hundred at a time. Answers how many were there before. */
async function append(store: Store, run: RunId, count: number): Promise<number> {
  const before = (await store.head(run))?.seq ?? 0;
  for (let done = 0; done < count; done += 100) {
    const events = Array.from({ length: 100 }, (_, index) => ({
      type: 'node.woken',
      data: { node: 'node_1', words: `This is number ${done + index} of many, as long as most are.` },
    }));
    const written = await store.append({
      run,
      command: `bench ${done}`,
      target: 'bench',
      events,
      expectedSeq: before + done,
    });
    if (!written.ok) throw new Error(written.error.code);
  }
  return before;
}

/** Follows with 20 connections and counts; says when all are open, and at the end what each has heard. */
async function followAll(url: string, token: string, run: string, total: number): Promise<void> {
  const responses = await Promise.all(
    Array.from({ length: FOLLOWERS }, () =>
      fetch(`${url}/api/v1/runs/${run}/events?after=0`, { headers: { authorization: `Bearer ${token}` } }),
    ),
  );
  console.log('open');
  const heard = await Promise.all(
    responses.map(async ({ body }) => {
      let [count, isInOrder, rest] = [0, true, ''];
      const decoder = new TextDecoder();
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
        const text = rest + decoder.decode(chunk, { stream: true });
        const end = text.lastIndexOf('\n\n');
        for (const [, id] of text.slice(0, Math.max(0, end)).matchAll(/^id: (\d+)$/gm)) {
          count += 1;
          isInOrder &&= Number(id) === count;
        }
        rest = end < 0 ? text : text.slice(end);
        if (count >= total) break;
      }
      return { count, isInOrder };
    }),
  );
  console.log(
    JSON.stringify({
      counts: heard.map(({ count }) => count),
      orders: heard.map(({ isInOrder }) => isInOrder),
    }),
  );
  process.exit(0);
}

/** The lines that a child says, or that this process is told. */
async function* linesOf(from: ChildProcess | NodeJS.Process): AsyncGenerator<string, void, void> {
  const stream = 'spawnfile' in from ? from.stdout : from.stdin;
  let rest = '';
  for await (const chunk of stream ?? []) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
