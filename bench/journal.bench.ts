import { generateKeyPairSync, randomBytes, hash as sha256 } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  createRecorder,
  openStore,
  type RunId,
  rebuildTurn,
  type Store,
  type StorePlace,
  signerOf,
} from '@cuebook/journal';
import Database from 'libsql';
import pg from 'pg';
import { AGENTS, conversation, markdownPool, TURNS, type Turn } from './conversation.js';
import { measure } from './measure.js';

// The record of a team at work: how large it is, how fast receipts are written, what giving a turn back costs.

const BAR = { smaller: 25, aim: 40, speed: 0.5, replay: 3 };
const RUN = 'run_bench' as RunId;
/** Receipts and bare commits take turns in rounds of this many, so that a busy machine disturbs both alike. */
const ROUND = 40;

const hash = (text: string) => `sha256:${sha256('sha256', text)}`;
const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const folder = mkdtempSync(join(tmpdir(), 'cuebook-bench-'));
const turns: readonly Turn[] = [...conversation(hash, markdownPool(process.cwd()))];
let failed = false;

try {
  const file = join(folder, 'home', 'journal.db');
  const bare = bareSqlite(join(folder, 'bare.db'));
  await warmUp();
  const store = await open({ file });
  await speed('sqlite', store, bare.commit);
  bare.close();
  await replay(store);
  await store.close();
  size(file);
  await postgres();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failed ? '\na bar is missed' : '\nall bars are met');
process.exitCode = failed ? 1 : 0;

/** The whole store after a checkpoint, receipts, span maps and signatures included, against the prompts. */
function size(file: string): void {
  const database = new Database(file);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  const home = join(file, '..');
  const bytes = readdirSync(home)
    .filter((name) => !name.endsWith('-shm'))
    .reduce((sum, name) => sum + statSync(join(home, name)).size, 0);
  const raw = turns.reduce((sum, { request }) => sum + Buffer.byteLength(request.prompt.text), 0);
  const zipped = turns.reduce((sum, { request }) => sum + gzipSync(request.prompt.text).length, 0);
  const texts = new Set(turns.flatMap(({ request }) => request.prompt.blocks.map(({ text }) => text)));
  const distinct = [...texts].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const ratio = raw / bytes;
  console.log(`\nsize: ${AGENTS} agents, ${TURNS} turns, ${turns.length} prompts`);
  console.log(`  prompts laid end to end   ${raw} bytes, ${(raw / turns.length / 1000).toFixed(1)} KB each`);
  console.log(`  distinct blocks in them   ${distinct} bytes`);
  console.log(`  gzip of each              ${zipped} bytes, ${(raw / zipped).toFixed(1)}x smaller`);
  console.log(
    `  the store                 ${bytes} bytes, ${ratio.toFixed(1)}x smaller, ${Math.round(bytes / turns.length)} bytes a turn`,
  );
  console.log(`  bar ${BAR.smaller}x, aim ${BAR.aim}x`);
  failed ||= ratio < BAR.smaller;
}

/**
 * The conversation once before, into a store that is thrown away: a server writes receipts for days, and what the engine
 * needs to compile the code counts as processor time.
 */
async function warmUp(): Promise<void> {
  const store = await open({ file: join(folder, 'warm', 'journal.db') });
  for (const step of receipts(store)) await step();
  await store.close();
}

/** Receipts of the whole conversation against commits of one row, by the clock: both wait for the disk. */
async function speed(name: string, store: Store, commit: () => Promise<void>): Promise<void> {
  const steps = receipts(store);
  const took = { receipts: 0, commits: 0 };
  const worked = { receipts: 0, commits: 0 };
  for (let done = 0; done < steps.length; done += ROUND) {
    const round = steps.slice(done, done + ROUND);
    const ours = await timed(async () => {
      for (const step of round) await step();
    });
    const bare = await timed(async () => {
      for (const _ of round) await commit();
    });
    took.receipts += ours.wall;
    took.commits += bare.wall;
    worked.receipts += ours.cpu;
    worked.commits += bare.cpu;
  }
  const share = took.commits / took.receipts;
  const each = (us: number) => `${(us / steps.length).toFixed(0)} us of CPU`;
  const rate = (ms: number) => `${((steps.length / ms) * 1000).toFixed(0)} a second`;
  console.log(`\nspeed on ${name}, ${steps.length} of each`);
  console.log(`  commits of one row        ${rate(took.commits)}, ${each(worked.commits)}`);
  console.log(
    `  receipts                  ${rate(took.receipts)}, ${share.toFixed(2)} of that, bar ${BAR.speed}; ${each(worked.receipts)}, ${(worked.commits / worked.receipts).toFixed(2)}`,
  );
  failed ||= share < BAR.speed;
}

function receipts(store: Store): readonly (() => Promise<void>)[] {
  const signer = signerOf(pem);
  if (signer === undefined) throw new Error('no key');
  const recorder = createRecorder({ store, signer });
  return turns.flatMap(({ lane, turn, request, answer }) => {
    const sent = { channel: 'http' as const, hash: hash(turn), ordinal: 1 };
    const to = { provider: 'anthropic', model: 'claude-x', sessionId: `session-${lane}` };
    const calls = [{ id: `call_${turn}`, name: 'read_file', by: 'caller' as const, input: { path: 'a.md' } }];
    const tokens = { cachedInputTokens: 15_000, cacheWriteTokens: 0, reasoningTokens: 0 };
    const usage = { inputTokens: 16_000, outputTokens: 300, ...tokens };
    return [
      async () => must(await recorder.record({ run: RUN, turn, lane, request, ...to, sent })),
      async () =>
        must(
          await recorder.end({ run: RUN, turn, reason: 'done', stop: 'stop', text: answer, usage, calls }),
        ),
    ];
  });
}

/** A turn given back, every hash checked, against reading its blobs and nothing else. Bytes are compared first. */
async function replay(store: Store): Promise<void> {
  const samples = turns.filter((_, index) => index % 32 === 31);
  const blobs = new Map<string, readonly string[]>();
  for (const { turn, request } of turns) {
    const read: string[] = [];
    const getBlob: Store['getBlob'] = (name) => {
      read.push(name);
      return store.getBlob(name);
    };
    const watched: Store = { ...store, getBlob };
    const rebuilt = await rebuildTurn(watched, RUN, turn);
    if (!rebuilt.ok) throw new Error(JSON.stringify(rebuilt.error));
    const { prompt, tools, params } = rebuilt.value.request;
    if (textOf({ prompt, tools, params }) !== textOf(pick(request)))
      throw new Error(`${turn} is not what was recorded`);
    blobs.set(turn, read);
  }
  const times = await measure({
    fresh: (n) => samples[n % samples.length] as Turn,
    calls: samples.length * 2,
    rounds: 8,
    contenders: [
      {
        name: 'reading its blobs',
        run: async ({ turn }) => {
          for (const name of blobs.get(turn) ?? []) await store.getBlob(name);
        },
      },
      { name: 'replay', run: ({ turn }) => rebuildTurn(store, RUN, turn) },
    ],
  });
  const [reading = 1, whole = 0] = times.values();
  console.log(`\nreplay: all ${turns.length} turns are byte for byte as recorded`);
  console.log(`  reading a turn's blobs    ${reading.toFixed(0)} us`);
  console.log(
    `  replay                    ${whole.toFixed(0)} us, ${(whole / reading).toFixed(2)}x, bar ${BAR.replay}x`,
  );
  failed ||= whole / reading > BAR.replay;
}

/** In the database that CUEBOOK_DATABASE_URL names: an empty one, thrown away afterwards. */
async function postgres(): Promise<void> {
  const databaseUrl = process.env.CUEBOOK_DATABASE_URL;
  if (!databaseUrl) {
    console.log('\nspeed on postgres: not measured, CUEBOOK_DATABASE_URL names no empty database');
    return;
  }
  const store = await open({ databaseUrl });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('CREATE TABLE bare (id bigserial PRIMARY KEY, body bytea NOT NULL)');
  await speed('postgres', store, async () => {
    await client.query('INSERT INTO bare (body) VALUES ($1)', [randomBytes(300)]);
  });
  await client.end();
  await store.close();
}

function bareSqlite(file: string): { commit: () => Promise<void>; close: () => void } {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE bare (id INTEGER PRIMARY KEY, body BLOB NOT NULL)');
  const insert = database.prepare('INSERT INTO bare (body) VALUES (?)');
  return {
    commit: async () => {
      insert.run([randomBytes(300)]);
    },
    close: () => {
      database.close();
    },
  };
}

async function open(place: StorePlace): Promise<Store> {
  const opened = await openStore(place);
  if (!opened.ok) throw new Error(opened.error.code);
  return opened.value;
}

/** By the clock in milliseconds, and the processor's share in microseconds. */
async function timed(work: () => Promise<void>): Promise<{ readonly wall: number; readonly cpu: number }> {
  const before = process.cpuUsage();
  const started = performance.now();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - started, cpu: user + system };
}

function pick({ prompt, tools, params }: Turn['request']) {
  return { prompt, tools, params };
}

/** The same text for the same value, in whatever order its keys were set. */
function textOf(value: unknown): string {
  return JSON.stringify(sorted(value));
}

/** Keys in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}

function must(result: { readonly ok: boolean }): void {
  if (!result.ok) throw new Error(JSON.stringify(result));
}
