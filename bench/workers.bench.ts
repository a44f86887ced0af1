import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiAnswer, type Client, createClient } from '@cuebook/api';
import pg from 'pg';

// Machines that share the runs of a project. First what a turn costs a process with a database, against one with a file:
// processor time of the server, without that of the database itself. Then how many turns of one second 1, 2 and 4 workers
// do in the same time, with how busy the processors were meanwhile: a share says something of the workers only while the
// processors last. Needs CUEBOOK_DATABASE_URL, a server whose user may make databases.

const BIN = join(process.cwd(), 'apps', 'cli', 'bin', 'cuebook.js');
/** Turns at a time in each worker. */
const PARALLEL = Number(process.env.BENCH_PARALLEL ?? 2);
/** Rounds of turns that each worker does. */
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 8);
const COST_TURNS = Number(process.env.BENCH_TURNS ?? 120);
const COST_BAR = 3;
const SHARE_BAR = 0.9;
const TICK_MS = 10;
/** Beyond this share of the processors the workers wait for them, and not for each other. */
const BUSY = 0.9;

const { CUEBOOK_DATABASE_URL: serverUrl } = process.env;
const root = mkdtempSync(join(tmpdir(), 'bench-workers-'));
const children: ChildProcess[] = [];
let failed = false;
let isUnknown = false;
let begun = 0;
try {
  if (serverUrl === undefined) console.log('not measured: CUEBOOK_DATABASE_URL names no server');
  else {
    await compareCosts(serverUrl);
    await compareWorkers(serverUrl);
    console.log(
      `\n${failed ? 'a bar is missed' : isUnknown ? 'no bar is missed where the processors lasted' : 'all bars are met'}`,
    );
  }
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

async function compareCosts(server: string): Promise<void> {
  const file = await costOf(undefined);
  const database = await costOf(await newDatabase(server));
  const ratio = database / file;
  console.log(`processor time of a turn, ${COST_TURNS} runs of one turn`);
  console.log(`  a file        ${file.toFixed(1)} ms`);
  console.log(`  a database    ${database.toFixed(1)} ms: ${ratio.toFixed(2)}x, bar ${COST_BAR}x`);
  failed ||= ratio > COST_BAR;
}

async function costOf(database: string | undefined): Promise<number> {
  const { client, child } = await joinAs({ role: 'up', database });
  const requireClient = client as Client;
  // What is loaded once is no cost of a turn.
  await turns(requireClient, 10, 0);
  const before = processorMs(child);
  await turns(requireClient, COST_TURNS, 0);
  const cost = (processorMs(child) - before) / COST_TURNS;
  await end(child);
  return cost;
}

async function compareWorkers(server: string): Promise<void> {
  console.log(`\nturns of one second, ${PARALLEL} at a time in each worker`);
  let one = 0;
  for (const count of [1, 2, 4]) {
    const database = await newDatabase(server);
    const up = await joinAs({ role: 'up', database, args: ['--parallel', '0'] });
    const key = readFileSync(join(up.home, 'keys/project.key'), 'utf8').trim();
    const args = ['--parallel', String(PARALLEL)];
    const workers: ChildProcess[] = [];
    for (let index = 0; index < count; index += 1)
      workers.push((await joinAs({ role: 'worker', database, key, args })).child);
    await turns(up.client as Client, PARALLEL * count, 10);
    const total = PARALLEL * ROUNDS * count;
    const ours = [...workers, up.child];
    const oursBefore = sum(ours.map(processorMs));
    const machineBefore = machineTimes();
    const before = performance.now();
    await turns(up.client as Client, total, 1_000);
    const tookMs = performance.now() - before;
    const perSecond = total / (tookMs / 1_000);
    const machine = machineTimes();
    const busy = (machine.busy - machineBefore.busy) / (machine.all - machineBefore.all);
    const own = (sum(ours.map(processorMs)) - oursBefore) / (tookMs * cpus().length);
    if (count === 1) one = perSecond;
    const ratio = perSecond / (one * count);
    console.log(
      `  ${count} workers  ${perSecond.toFixed(2)} turns a second: ${ratio.toFixed(2)} of ${count} times one, bar ${SHARE_BAR}`,
    );
    console.log(
      `             processors ${percent(busy)} busy, ${percent(own)} with the server and the workers${busy > BUSY ? ': they did not last, so the bar says nothing here' : ''}`,
    );
    if (busy > BUSY) isUnknown = true;
    else failed ||= ratio < SHARE_BAR;
    for (const child of ours) await end(child);
  }
}

interface Joining {
  readonly role: 'up' | 'worker';
  readonly database: string | undefined;
  readonly key?: string;
  readonly args?: readonly string[];
}

async function joinAs({ role, database, key, args = [] }: Joining) {
  const cwd = mkdtempSync(join(root, `${role}-`));
  const home = join(cwd, '.cuebook');
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(join(cwd, 'sheets'));
  writeFileSync(join(cwd, 'cuebook.yaml'), '{}\n');
  writeFileSync(
    join(cwd, 'sheets/once.yaml'),
    'title: Once\nblocks: [{ name: rules, role: system, parts: [{ text: Say it once. }] }]\n',
  );
  const env = {
    ...{ PATH: process.env.PATH, HOME: cwd, CUEBOOK_HOME: home },
    ...{ CUEBOOK_DATABASE_URL: database, CUEBOOK_PROJECT_KEY: key },
  };
  const child = spawn(process.execPath, [BIN, role, '--json', ...args], {
    ...{ cwd, env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const said = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (data: Buffer) => resolve(data.toString()));
    child.once('exit', () => reject(new Error(`${role} ended at its start`)));
  });
  const { link } = JSON.parse(said) as { readonly link?: string };
  const [url = '', token = ''] = link?.split('/#token=') ?? [];
  return { child, home, client: link === undefined ? undefined : createClient({ url, token }) };
}

/** Begins so many runs of one turn, and waits for their ends. */
async function turns(client: Client, count: number, delayMs: number): Promise<void> {
  const script = JSON.stringify({ lanes: { '*': [{ text: 'Once.', delayMs }] } });
  const runs = await Promise.all(
    Array.from({ length: count }, async () => {
      begun += 1;
      const { run } = must(await client.startRun({ id: `run-${begun}`, target: 'sheet:once', script }));
      return run;
    }),
  );
  const open = new Set(runs);
  while (open.size > 0) {
    for (const run of [...open].slice(0, 4)) {
      const { status } = must(await client.getReport({ run }));
      if (status === 'done') open.delete(run);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function must<Value>(answer: ApiAnswer<Value>): Value {
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}

/** How long all processors of the machine were busy, and were there, so far. */
function machineTimes(): { readonly busy: number; readonly all: number } {
  const times = cpus().map(({ times: each }) => each);
  const all = sum(times.flatMap((each) => Object.values(each)));
  return { all, busy: all - sum(times.map(({ idle }) => idle)) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** The processor time of a process so far, as Linux tells it. */
function processorMs({ pid = 0 }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

async function end(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

async function newDatabase(server: string): Promise<string> {
  const name = `bench_workers_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return new URL(`/${name}`, server).href;
}
