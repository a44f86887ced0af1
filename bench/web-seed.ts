import { generateKeyPairSync, hash } from 'node:crypto';
import { join } from 'node:path';
import { type Client, createClient } from '@cuebook/api';
import { createRecorder, type NewEvent, openStore, type RunId, type Store, signerOf } from '@cuebook/journal';
import { composeRequest, createRedactor, type GatedRequest } from '@cuebook/prompt';
import { type Ground, serve } from './web-stand.js';

/**
 * Makes a team run of at least so many events: two turns are really taken, then the events of one are written again and
 * again under new ids. Prompts and answers go through the recorder, the rest through `append`.
 */
export async function seedRun(ground: Ground, events: number): Promise<string> {
  const { run, cycle } = await takeTurns(ground);
  await withStore(ground, async (store) => {
    for (let turn = 10; ((await store.head(run))?.seq ?? 0) < events; turn += 1)
      await writeTurn({ store, run, cycle, turn });
  });
  await withServer(ground, async (client) => must(client.stopRun({ run })));
  return run;
}

async function withStore<Value>({ home }: Ground, work: (store: Store) => Promise<Value>): Promise<Value> {
  const store = await must(openStore({ file: join(home, 'journal.db') }));
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function withServer<Value>(ground: Ground, work: (client: Client) => Promise<Value>): Promise<Value> {
  const server = await serve(ground);
  try {
    const value = await work(createClient({ url: server.url, token: server.token }));
    await server.drain();
    return value;
  } finally {
    await server.close();
  }
}

/** A run with one turn on record that had to be told of its result, so that another followed. */
async function takeTurns(
  ground: Ground,
): Promise<{ readonly run: RunId; readonly cycle: readonly NewEvent[] }> {
  const team = JSON.stringify({
    goal: 'Write down what is seen.',
    nodes: [{ alias: 'lead', role: 'orchestrator', provider: 'rehearsal', workspace: 'shared' }],
  });
  const listing = JSON.stringify({ tool_call: { name: 'list_files', args: { path: '.' } } });
  const text = `The folder is looked at first.\n${listing}`;
  const script = JSON.stringify({ lanes: { lead: [{ text }, { text }, { text: 'Nothing more.' }] } });
  const { run } = await withServer(ground, async (client) =>
    must(client.startRun({ team: { text: team }, script })),
  );
  const log = await withStore(ground, (store) => store.read(run as RunId));
  const startOf = (turn: number) =>
    log.findIndex(
      ({ type, data }) => type === 'turn.started' && (data as { readonly turn: number }).turn === turn,
    );
  const [from, to] = [startOf(2), startOf(3)];
  if (from < 0 || to < 0) throw new Error('The script did not run as it is written.');
  return { run: run as RunId, cycle: log.slice(from, to).map(({ type, data }) => ({ type, data })) };
}

async function writeTurn(of: {
  readonly store: Store;
  readonly run: RunId;
  readonly cycle: readonly NewEvent[];
  readonly turn: number;
}): Promise<void> {
  const { store, run, cycle, turn } = of;
  const id = (name: string) => name.replace(/[0-9a-f]{6}$/, turn.toString(16).padStart(6, '0'));
  const renamed = (event: NewEvent): NewEvent =>
    JSON.parse(
      JSON.stringify(event)
        .replace(/(?:turn|eff|call)_[0-9a-f]{24}/g, id)
        .replaceAll('"turn":2', `"turn":${turn}`)
        .replaceAll('The folder is looked at first.', `The folder is looked at for the ${turn}th time.`),
    ) as NewEvent;
  const at = cycle.findIndex(({ type }) => type === 'turn.recorded');
  const before = cycle.slice(0, at).map(renamed);
  const after = cycle.slice(at + 2).map(renamed);
  const [started] = before;
  const { effect, node } = (started as NewEvent).data as { effect: string; node: string };
  const append = async (events: readonly NewEvent[], part: string) => {
    const expectedSeq = (await store.head(run))?.seq ?? 0;
    await must(store.append({ run, command: `bench ${turn} ${part}`, target: 'bench', events, expectedSeq }));
  };
  await append(before, 'before');
  const request = requestOf(turn);
  await record(store, { run, turn: effect, lane: `node/${node}`, request, text: `Looked, ${turn}.` });
  await append(after, 'after');
}

async function record(
  store: Store,
  of: {
    readonly run: RunId;
    readonly turn: string;
    readonly lane: string;
    readonly request: GatedRequest;
    readonly text: string;
  },
): Promise<void> {
  const { run, turn, lane, request, text } = of;
  const recorder = recorderOf(store);
  await must(recorder.record({ run, turn, lane, request, provider: 'rehearsal', rehearsal: true }));
  await must(recorder.end({ run, turn, reason: 'done', stop: 'stop', text }));
}

type Recorder = ReturnType<typeof createRecorder>;
const RECORDERS = new WeakMap<Store, Recorder>();
const KEY = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** One for each store: it goes on from what it wrote before. */
function recorderOf(store: Store): Recorder {
  const known = RECORDERS.get(store);
  if (known !== undefined) return known;
  const signer = signerOf(KEY);
  if (signer === undefined) throw new Error('no key');
  const recorder = createRecorder({ store, signer });
  RECORDERS.set(store, recorder);
  return recorder;
}

/** A prompt with shared layers and a task of its own. */
function requestOf(turn: number): GatedRequest {
  const layer = (name: string) => ({
    ...{ name, role: 'system' as const },
    pieces: Array.from({ length: 20 }, (_, at) => ({
      text: `${name}, line ${at + 1}: said to every agent of the team, in each of its turns.\n`,
      origin: { kind: 'file' as const, ref: `texts/${name}.md`, line: at + 1, column: 1 },
      ...({ trust: 'author', secrecy: 'public', volatility: 'deploy' } as const),
    })),
  });
  const task = {
    ...{ text: `Look for the ${turn}th time.\n`, origin: { kind: 'input' as const, ref: `task ${turn}` } },
    ...({ trust: 'user', secrecy: 'public', volatility: 'turn' } as const),
  };
  return gated([layer('system'), layer('role'), { name: 'task', role: 'user', pieces: [task] }]);
}

/** What the gates make of blocks. */
function gated(blocks: Parameters<typeof composeRequest>[0]['blocks']): GatedRequest {
  const redactor = createRedactor({ roots: [], private: [], names: [] });
  const composed = composeRequest({ blocks, redactor, hash: (text) => `sha256:${hash('sha256', text)}` });
  if (!composed.ok) throw new Error(JSON.stringify(composed.error[0]));
  return composed.value;
}

/** Records a turn of one block with so many bytes and spans. */
export async function seedPrompt(
  ground: Ground,
  of: { readonly run: string; readonly turn: string; readonly bytes: number; readonly spans: number },
): Promise<void> {
  const { run, turn, bytes, spans } = of;
  const each = Math.floor(bytes / spans);
  const pieces = Array.from({ length: spans }, (_, at) => ({
    text: `${`word ${at} `.padEnd(each - 1, 'x')}${at % 8 === 7 ? '\n' : ' '}`,
    origin: { kind: 'file' as const, ref: `texts/part-${at % 50}.md`, line: at + 1, column: 1 },
    ...({ trust: 'author', secrecy: 'public', volatility: 'build' } as const),
  }));
  const request = gated([{ name: 'system', role: 'system', pieces }]);
  await withStore(ground, (store) =>
    record(store, { run: run as RunId, turn, lane: 'main', request, text: 'Read.' }),
  );
}

async function must<Value>(
  answering: Promise<
    { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: unknown }
  >,
): Promise<Value> {
  const answer = await answering;
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}
