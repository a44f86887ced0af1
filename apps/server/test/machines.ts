import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiAnswer, type Client, createClient, type ReportView } from '@cuebook/api';
import { onTestFinished } from 'vitest';
import { desk } from '../../../packages/thread/test/project.js';
import { packageTexts } from '../../../packages/workflow/test/fixture.js';
import { type RunningServer, startServer } from '../src/start/start-server.js';
import { type RunningWorker, startWorker } from '../src/start/start-worker.js';
import { makeProject, startOptions } from './server-stand.js';

/** A project with one target of every kind that needs no platform. */
export const PROJECT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(desk()).map(([path, text]) => [`agents/${path}`, text])),
  ...Object.fromEntries(Object.entries(packageTexts()).map(([path, text]) => [`workflows/hb/${path}`, text])),
  'sheets/once.yaml':
    'title: Once\nblocks: [{ name: rules, role: system, parts: [{ text: Say it once. }] }]\n',
  'team.yaml':
    'goal: Work.\nmode: INTERACTIVE\nprovider: rehearsal\nnodes: [{ alias: lead, role: orchestrator }]\n',
};

export const TARGETS = ['agent:desk', 'sheet:once', 'workflow:workflows/hb', 'team:team.yaml'] as const;
export const script = (...steps: readonly object[]): string => JSON.stringify({ lanes: { '*': steps } });

/** Only a notification tells a process in time what another one wrote: it looks by itself after an hour. */
export const TOLD_ONLY = { pollMs: 3_600_000 };

/** A busy machine is slow to answer, and a test that hangs is ended as a whole. */
const PATIENCE_MS = 3_600_000;

/** A server that was too busy to answer is asked the same again: the request has the id of its command. */
const askedAgain: typeof fetch = async (...request) => {
  for (;;) {
    const answer = await fetch(...request);
    const isBusy = answer.status === 503 && (await answer.clone().text()).includes('E_SERVER_BUSY');
    if (!isBusy && answer.status !== 408) return answer;
  }
};

/** A clone of a project on a machine of its own: a folder, a home, nothing else in common with others. */
export interface Machine {
  readonly root: string;
  readonly log: string[];
  readonly databaseUrl: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  up(options?: object): Promise<{ readonly server: RunningServer; readonly client: Client }>;
  work(options?: object): Promise<RunningWorker>;
  /** The line that lets another machine join. */
  key(): string;
}

/** `key`: of the project that it joins; left out: it is the first machine of a project. */
export function machine(
  databaseUrl: string,
  key?: string,
  more: Readonly<Record<string, string>> = {},
  variables: Readonly<Record<string, string>> = {},
): Machine {
  const { root } = makeProject({ files: { ...PROJECT, ...more } });
  const log: string[] = [];
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
  const options = startOptions(root, log);
  const env = {
    ...options.env,
    ...variables,
    CUEBOOK_DATABASE_URL: databaseUrl,
    ...(key === undefined ? {} : { CUEBOOK_PROJECT_KEY: key }),
  };
  const given = { ...options, env, limits: { leaseMs: 2_000 } };
  let homes = 0;
  const homeFor = (name: string) => {
    const home = join(root, name);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    return home;
  };
  return {
    ...{ root, log, databaseUrl, env },
    async up(more = {}) {
      homes += 1;
      const home = homeFor(homes === 1 ? 'home' : `home${homes}`);
      const started = await startServer({ ...given, home, ...more });
      if (!started.ok) throw new Error(JSON.stringify(started.error));
      const server = started.value;
      onTestFinished(() => server.close());
      const { url, token } = server;
      return { server, client: createClient({ url, token, timeoutMs: PATIENCE_MS, fetch: askedAgain }) };
    },
    async work(more = {}) {
      const started = await startWorker({ ...given, ...more });
      if (!started.ok) throw new Error(JSON.stringify(started.error));
      onTestFinished(() => started.value.drain());
      return started.value;
    },
    key: () => readFileSync(join(root, 'home/keys/project.key'), 'utf8').trim(),
  };
}

export function must<Value>(answer: ApiAnswer<Value>): Value {
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}

export const isStill = ({ status }: ReportView): boolean => status !== 'running' && status !== 'new';

/** The first report that is as wanted, seen from one server. */
export async function until(
  client: Client,
  run: string,
  isWanted: (report: ReportView) => boolean,
): Promise<ReportView> {
  const end = new AbortController();
  const first = must(await client.getReport({ run }));
  if (isWanted(first)) return first;
  for await (const heard of client.follow({ run, after: first.seq, signal: end.signal })) {
    if (heard.type !== 'event' && heard.type !== 'ready') continue;
    const report = must(await client.getReport({ run }));
    if (!isWanted(report)) continue;
    end.abort();
    return report;
  }
  throw new Error('The stream ended.');
}

/** What is wrong with the record of a run, as a server verifies it. */
export async function problemsOf(client: Client, run: string): Promise<readonly unknown[]> {
  // The proof is of the whole run, whichever turn is asked about.
  return must(await client.proveTurn({ run, turn: 'any' })).problems;
}

/** Another word to a run: an answer to what waits, or a word of its own. */
export async function goOn(client: Client, run: string, text = 'More.'): Promise<void> {
  const { waiting } = must(await client.listWaiting({}));
  const wait = waiting.find((each) => each.run === run);
  if (wait === undefined) must(await client.say({ run, text }));
  else must(await client.answerWait({ run, wait: wait.id, reply: { texts: [text] } }));
}
