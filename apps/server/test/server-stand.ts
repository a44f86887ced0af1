import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ApiAnswer,
  type Client,
  createClient,
  ROUTES,
  type RunEventView,
  type RunView,
  type TurnSummaryView,
} from '@cuebook/api';
import { createRedactor } from '@cuebook/prompt';
import { openApi } from '../src/http/openapi.js';
import { type RunningServer, type ServerStartOptions, startServer } from '../src/start/start-server.js';
import { type ApiDocument, checkedFetch } from './checked-fetch.js';

/** A project with a server, in a throw-away folder. Its provider `cli` is the scripted CLI. */
export interface ServerStand {
  readonly root: string;
  readonly project: string;
  readonly home: string;
  readonly server: RunningServer;
  readonly client: Client;
  readonly log: readonly string[];
  /** The routes that answered the client with a yes. */
  readonly answered: ReadonlySet<string>;
  write(path: string, text: string): void;
  /** What the scripted CLI does, by alias and turn. */
  script(lanes: CliLanes): void;
  /** What the scripted CLI was told. */
  heard(alias?: string): readonly HeardPrompt[];
  /** Ends the server and starts another on the same folders. */
  restart(options?: Partial<ServerStartOptions>): Promise<ServerStand>;
  remove(): Promise<void>;
}

/** One turn: see the head of the program. */
export type Act = Readonly<Record<string, unknown>>;
export type CliLanes = Readonly<Record<string, readonly (readonly Act[])[]>>;

export interface HeardPrompt {
  readonly alias: string;
  readonly turn: number;
  readonly promptKind: 'full' | 'delta';
  readonly sessionId: string;
  readonly access?: string;
  readonly pid: number;
  readonly prompt: string;
}

const PROGRAM = fileURLToPath(new URL('../../../packages/team/test/scripted-cli.mjs', import.meta.url));

export interface Given {
  readonly files?: Readonly<Record<string, string>>;
  readonly git?: boolean;
  readonly options?: Partial<ServerStartOptions>;
  readonly root?: string;
}

/** Folders with a project that has the scripted CLI, without a server. */
export function makeProject({ files = {}, git = false }: Given = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'server-')));
  const [project, home] = [join(root, 'project'), join(root, 'home')];
  mkdirSync(project);
  mkdirSync(home, { mode: 0o700 });
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  const provider = {
    kind: 'line',
    command: process.execPath,
    args: [PROGRAM, join(root, 'script.json'), join(root, 'heard.jsonl')],
  };
  const names = ['cli', 'claude', 'codex', 'gemini'];
  // The three known names are played by the same program, so that prompts can be compared.
  const providers = Object.fromEntries(
    names.map((name) => [name === 'cli' ? name : `${name}-like`, provider]),
  );
  write('cuebook.yaml', JSON.stringify({ providers }));
  for (const [path, text] of Object.entries(files)) write(path, text);
  if (git) {
    const run = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        cwd: project,
        stdio: 'pipe',
      });
    run('init', '-q', '-b', 'main');
    run('add', '-A');
    run('commit', '-q', '-m', 'first');
  }
  return { root, project, home, write };
}

/** What a server in such folders is started with. */
export const startOptions = (root: string, log: string[] = []): ServerStartOptions => ({
  folder: join(root, 'project'),
  home: join(root, 'home'),
  env: {
    PATH: process.env.PATH,
    HOME: join(root, 'nobody'),
    ...Object.fromEntries(
      ['CLAUDE', 'CODEX', 'GEMINI'].map((name) => [`CUEBOOK_${name}_LIKE_NATIVE_TOOLS`, 'provider']),
    ),
  },
  redactor: createRedactor(contextOf(root)),
  context: contextOf(root),
  // Nobody here takes over from a dead one: on a busy machine nobody may lose the work to a short lease either.
  // An agent that waits for its file is silent for as long as the test takes.
  limits: { leaseMs: 60_000, turn: { idleMs: DAY_MS, totalMs: DAY_MS } },
  log: (line) => log.push(line),
});

const DAY_MS = 24 * 60 * 60_000;

const contextOf = (root: string) => ({
  roots: [['@project', join(root, 'project')]] as const,
  private: [root],
  names: [],
});

const DOCUMENT = openApi([ROUTES]) as ApiDocument;

export async function serverStand(given: Given = {}): Promise<ServerStand> {
  const { root, project, home, write } = makeProject(given);
  const log: string[] = [];
  const open = async (options: Partial<ServerStartOptions> = {}): Promise<ServerStand> => {
    const started = await startServer({ ...startOptions(root, log), ...given.options, ...options });
    if (!started.ok) throw new Error(JSON.stringify(started.error));
    const server = started.value;
    const { fetch, answered, mismatches } = checkedFetch(DOCUMENT);
    return {
      ...{ root, project, home, write, log, server, answered },
      client: createClient({ url: server.url, token: server.token, fetch }),
      script: (lanes) => writeFileSync(join(root, 'script.json'), JSON.stringify({ lanes })),
      heard: (alias) => heardIn(root, alias),
      async restart(more = {}) {
        await server.close();
        return open(more);
      },
      async remove() {
        await server.close();
        rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
        // Whatever a test is about, what its server answered is what the document says.
        if (mismatches.length > 0) throw new Error(mismatches.join('\n'));
      },
    };
  };
  return open();
}

export function heardIn(root: string, alias?: string): readonly HeardPrompt[] {
  const file = join(root, 'heard.jsonl');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const all = lines.map((line) => JSON.parse(line) as HeardPrompt);
  return alias === undefined ? all : all.filter((each) => each.alias === alias);
}

/** The text of a role template of the project that may do as said. */
export const weaver = (capabilities: readonly string[], constraints: readonly string[] = []): string =>
  `[template]\nname = "weaver"\nversion = "1"\ncapabilities = ${JSON.stringify(capabilities)}\nconstraints = ${JSON.stringify(constraints)}\n\nYou weave.\n`;

/** A call as an agent writes it. */
export const call = (name: string, args: object, id?: string): string =>
  JSON.stringify({ tool_call: { ...(id === undefined ? {} : { id }), name, args } });

/** A turn that says this. */
export const says = (...lines: readonly string[]): readonly Act[] => [{ text: lines.join('\n') }];

/** The value of an answer; a no fails the test. */
export function must<Value>(answer: ApiAnswer<Value>): Value {
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}

/** A team of nodes that speak through the scripted CLI. */
export const team = (
  nodes: readonly (Readonly<Record<string, unknown>> & { readonly alias: string })[],
  more: object = {},
) =>
  JSON.stringify({
    goal: 'Do it.',
    provider: 'cli',
    mode: 'INTERACTIVE',
    ...more,
    nodes: nodes.map((node) => ({ role: 'implementer', workspace: 'shared', ...node })),
  });

/** Starts a run from the text of a team. */
export async function start(
  { client }: Pick<ServerStand, 'client'>,
  text: string,
  more: object = {},
): Promise<string> {
  return must(await client.startRun({ team: { text }, ...more })).run;
}

/** Waits until a run is as wanted: by its events, never by time. */
export async function until(
  { client }: Pick<ServerStand, 'client'>,
  run: string,
  isSo: (view: RunView) => boolean,
): Promise<RunView> {
  const first = must(await client.getRun({ run }));
  if (isSo(first)) return first;
  const stop = new AbortController();
  let seen = first.seq;
  for await (const heard of client.follow({ run, after: first.seq, signal: stop.signal })) {
    if (heard.type === 'failed') throw new Error(JSON.stringify(heard.error));
    if (heard.type !== 'event' && heard.type !== 'ready') continue;
    // What a look at the run has shown already needs no other look.
    if (heard.type === 'event' && heard.event.seq <= seen) continue;
    const view = must(await client.getRun({ run }));
    seen = view.seq;
    if (isSo(view)) {
      stop.abort();
      return view;
    }
  }
  throw new Error('the events ended');
}

/** Nothing goes on any more. */
export const quiet = (view: RunView): boolean => view.quiet;

/** A run played to where nothing goes on, with all that is known of it then. */
export async function played(stand: ServerStand, run: string, isQuiet = true) {
  const view = isQuiet ? await until(stand, run, quiet) : must(await stand.client.getRun({ run }));
  const events: RunEventView[] = [];
  for (let after = 0; ; ) {
    const page = must(await stand.client.listEvents({ run, after, limit: 1_000 }));
    events.push(...page.events);
    after = page.after;
    if (!page.more) break;
  }
  const { turns }: { readonly turns: readonly TurnSummaryView[] } = must(
    await stand.client.listTurns({ run, limit: 500 }),
  );
  return { view, events, turns: [...turns].reverse() };
}

/** The events of a type. */
export const ofType = (events: readonly RunEventView[], type: string) =>
  events.filter((event) => event.type === type).map(({ data }) => data as Readonly<Record<string, unknown>>);

/** A node of a view by its alias. */
export function nodeOf(view: RunView, alias: string) {
  const found = view.nodes.find((node) => node.alias === alias);
  if (!found) throw new Error(`no node ${alias}`);
  return found;
}

/** Follows a run, opens the gate that its agent waits at, and answers when the first words come. */
export async function onceSpoken(stand: ServerStand, run: string, gate: string): Promise<void> {
  const stop = new AbortController();
  for await (const heard of stand.client.follow({ run, signal: stop.signal })) {
    if (heard.type === 'ready') stand.write(join('..', gate), '');
    if (heard.type === 'live' && heard.live.event.type === 'text.delta') stop.abort();
  }
}

/** An act that waits until a gate is open. */
export const atGate = ({ root }: Pick<ServerStand, 'root'>, gate: string): Act => ({
  waitFor: join(root, gate),
});
