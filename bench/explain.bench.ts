import { generateKeyPairSync, hash as sha256 } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createRecorder,
  locateTurn,
  openStore,
  type RunId,
  rebuildTurn,
  type Store,
  signerOf,
} from '@cuebook/journal';
import {
  type BlockInput,
  composeRequest,
  createComposeMemo,
  createRedactor,
  explain,
  type Piece,
} from '@cuebook/prompt';
import { measure } from './measure.js';

// What a byte of a recorded turn costs to explain, found by the turn's number: in a short run, and in a long one whose
// turns are as large.

const SHORT = 100;
const LONG = Number(process.env.CUEBOOK_BENCH_TURNS ?? 10_000);
const BAR = 3;
/** Messages that a turn tells: what is older has no room. */
const WINDOW = 20;

const hash = (text: string): string => `sha256:${sha256('sha256', text)}`;
const redactor = createRedactor({ roots: [], private: [], names: [] });
const folder = mkdtempSync(join(tmpdir(), 'bench-explain-'));
const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const signer = must(signerOf(pem));

try {
  const opened = await openStore({ file: join(folder, 'journal.db') });
  if (!opened.ok) throw new Error(opened.error.code);
  const store = opened.value;
  await record(store, 'run_short' as RunId, SHORT);
  await record(store, 'run_long' as RunId, LONG);
  const times = await measure({
    fresh: (n) => n,
    calls: 20,
    rounds: 8,
    contenders: [
      { name: 'short', run: (n) => explained(store, 'run_short' as RunId, SHORT - (n % 40)) },
      { name: 'long', run: (n) => explained(store, 'run_long' as RunId, LONG - ((n * 37) % (LONG / 2))) },
    ],
  });
  const [short = 1, long = 0] = times.values();
  console.log(`\na byte of a turn, by its number: of ${SHORT} turns ${short.toFixed(0)} us of CPU`);
  console.log(`  of ${LONG} turns ${long.toFixed(0)} us, ${(long / short).toFixed(2)} times, bar ${BAR}`);
  process.exitCode = long / short > BAR ? 1 : 0;
  await store.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function explained(store: Store, run: RunId, number: number): Promise<unknown> {
  const { turn } = must(await locateTurn(store, run, String(number)));
  const rebuilt = await rebuildTurn(store, run, turn);
  if (!rebuilt.ok) throw new Error(rebuilt.error.code);
  return must(explain(rebuilt.value.request.prompt, 2_000));
}

async function record(store: Store, run: RunId, turns: number): Promise<void> {
  const recorder = createRecorder({ store, signer });
  const memo = createComposeMemo();
  const said: BlockInput[] = [];
  for (let turn = 1; turn <= turns; turn += 1) {
    said.push(
      block(`message-${turn}`, [piece(`Message ${turn}: ${'some words '.repeat(12)}`, `turn ${turn}`)]),
    );
    const rules = Array.from({ length: 20 }, (_, at) =>
      piece(`Rule ${at}: be brief, be kind.\n`, 'rules.md', at + 1),
    );
    const blocks = [block('system', rules), ...said.slice(-WINDOW)];
    const request = composeRequest({ blocks, hash, redactor, memo });
    if (!request.ok) throw new Error('refused');
    const done = await recorder.record({
      run,
      turn: `turn_${turn}`,
      lane: 'main',
      request: request.value,
      provider: 'p',
    });
    if (!done.ok) throw new Error(done.error.code);
    await recorder.end({ run, turn: `turn_${turn}`, reason: 'done', text: `Answer ${turn}.` });
  }
}

function block(name: string, pieces: readonly Piece[]): BlockInput {
  return { name, role: 'user', pieces };
}

function piece(text: string, ref: string, line?: number): Piece {
  const origin =
    line === undefined ? { kind: 'result' as const, ref } : { kind: 'file' as const, ref, line, column: 1 };
  return { text, origin, trust: 'author', secrecy: 'public', volatility: 'session' };
}

function must<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('nothing there');
  return value;
}
