import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiAnswer, type Client, createClient, type ReportView } from '@cuebook/api';
import { SAMPLE_SCRIPT } from '@cuebook/resident';
import { beforeAll, expect, onTestFinished } from 'vitest';
import { desk, tool } from '../../../../packages/thread/test/project.js';
import { packageTexts } from '../../../../packages/workflow/test/fixture.js';
import { describePart } from '../../../../test/part.js';
import { ROOT } from '../../../../test/root.js';
import { itInTurn as it, SEED, share } from '../../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../../test/shared-postgres.js';
import { BIN, cuebook, folderWith } from '../../test/cuebook.js';

/** Leaves a line in the world for each time that it is called. */
const NOTE = tool(
  `const { appendFile } = await import('node:fs/promises');
   await appendFile(args.file, args.text + '\\n');
   return { status: 'success', result: 'noted ' + args.text };`,
  'args: z.object({ text: z.string(), file: z.string() }),',
);
const NOTES = ['a', 'b', 'c', 'd'];
const KILLS = Number(process.env.CUEBOOK_KILLS ?? share(2, 200));
/** At least: as long as there are kills to come, more are begun. */
const RUNS = Number(process.env.CUEBOOK_KILL_RUNS ?? share(4, 200));
/** Runs at a time. */
const LANES = Math.min(Number(process.env.CUEBOOK_KILL_LANES ?? share(4, 12)), RUNS);
/** Processes that start again at a time. */
const STARTING = share(1, 2);
/** Beside the first server. */
const OTHERS: readonly Member['role'][] =
  share(2, 5) === 2 ? ['up', 'worker'] : ['up', 'worker', 'worker', 'worker', 'worker'];
/** A busy machine is slow to answer, and a server that is killed says so at once. */
const PATIENCE_MS = 3_600_000;
const script = (...steps: readonly object[]): string => JSON.stringify({ lanes: { '*': steps } });
const under = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

interface Start {
  readonly id: string;
  readonly target: string;
  readonly script: string;
  readonly input?: string;
}

/** A process of a project, with a home of its own: a machine that has nothing else in common with the others. */
interface Member {
  readonly role: 'up' | 'worker';
  readonly home: string;
  child: ChildProcess;
  client: Client | undefined;
  isStarting?: boolean;
}

describePart('postgres', 'servers and workers of a project that are killed', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  it('lose nothing and do nothing twice, with runs of every kind', async () => {
    const databaseUrl = await server.createDatabase();
    const cwd = folderWith({
      'cuebook.yaml': `kinds: { ledger: ${join(ROOT, 'examples/kind-ledger/ledger.mjs')} }\n`,
      'ledgers/shop.md': 'You keep a ledger.\n',
      'agent.yaml': 'agent: ada\nstore: .cuebook/platform/objects\nlog: town\n',
      'sheets/once.yaml':
        'title: Once\nblocks: [{ name: rules, role: system, parts: [{ text: Say it once. }] }]\n',
      ...under('agents', desk("tools: ['note'],", { 'tools/note.ts': NOTE })),
      ...under('workflows/hb', packageTexts()),
      'team.yaml':
        'goal: Work.\nmode: INTERACTIVE\nprovider: rehearsal\nnodes: [{ alias: lead, role: orchestrator }]\n',
    });
    for (const line of PLATFORM) expect(await cuebook(line.split(' '), { cwd })).toMatchObject({ code: 0 });
    copyFileSync(join(cwd, '.cuebook/platform/objects/trust/shared/1.root.json'), join(cwd, 'root.json'));
    // Beside the project: what lies in it is a file of every team.
    const beside = folderWith();
    const workspaces = join(beside, 'workspaces.git');
    const env: Record<string, string | undefined> = {
      ...{ PATH: process.env.PATH, HOME: beside },
      ...{ CUEBOOK_DATABASE_URL: databaseUrl, CUEBOOK_WORKSPACES: workspaces },
    };
    execFileSync('git', ['init', '--quiet', '--bare', workspaces]);
    const begin = async (role: Member['role'], home: string): Promise<Omit<Member, 'role' | 'home'>> => {
      mkdirSync(home, { recursive: true, mode: 0o700 });
      const child = spawn(process.execPath, [BIN, role, '--json'], {
        cwd,
        env: { ...env, CUEBOOK_HOME: home },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const said = await new Promise<string>((resolve, reject) => {
        child.stdout.once('data', (data: Buffer) => resolve(data.toString()));
        child.once('exit', () => reject(new Error(`${role} ended at its start`)));
      });
      const { link } = JSON.parse(said) as { readonly link?: string };
      const [url = '', token = ''] = link?.split('/#token=') ?? [];
      return {
        child,
        client: link === undefined ? undefined : createClient({ url, token, timeoutMs: PATIENCE_MS }),
      };
    };
    const members: Member[] = [];
    onTestFinished(async () => {
      for (const { child } of members) await end(child, 'SIGKILL');
    });
    const home = (index: number) => join(beside, 'homes', `${index}`);
    members.push({ role: 'up', home: home(0), ...(await begin('up', home(0))) });
    env.CUEBOOK_PROJECT_KEY = readFileSync(join(home(0), 'keys/project.key'), 'utf8').trim();
    for (const [index, role] of OTHERS.entries())
      members.push({ role, home: home(index + 1), ...(await begin(role, home(index + 1))) });

    let at = 0;
    /** Asks a server that answers: the same command again, wherever the last one was cut off. */
    const ask = async <Value>(what: (client: Client) => Promise<ApiAnswer<Value>>): Promise<Value> => {
      for (;;) {
        const servers = members.flatMap(({ client }) => client ?? []);
        at += 1;
        const answer = await what(servers[at % servers.length] as Client).catch(() => undefined);
        if (answer?.ok) return answer.value;
        if (answer !== undefined && !isUnanswered(answer.error.status))
          throw new Error(JSON.stringify(answer.error));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const world = (round: number) => join(cwd, `world${round}.txt`);
    const slow = { delayMs: 200 };
    /** Runs of every kind in turn, each with something that it does to the world. */
    const startOf = (round: number): Start => {
      const kinds: readonly (() => Start)[] = [
        () => ({
          id: `agent${round}`,
          target: 'agent:desk',
          input: 'Begin.',
          script: script(
            ...NOTES.map((text) => ({
              ...slow,
              toolCalls: [{ name: 'note', args: { text, file: world(round) } }],
            })),
            { text: 'Noted.' },
          ),
        }),
        () => ({ id: `once${round}`, target: 'sheet:once', script: script({ ...slow, text: 'Once.' }) }),
        () => ({
          id: `flow${round}`,
          target: 'workflow:workflows/hb',
          input: 'Begin.',
          script: script(
            ...['1', '2'].map((name) => ({
              ...slow,
              toolCalls: [
                { name: 'fs.write', args: { path: `@project/made${round}-${name}.md`, content: name } },
              ],
            })),
            { text: 'What next?' },
          ),
        }),
        () => ({
          id: `ledger${round}`,
          target: 'ledger:shop',
          input: 'Begin.',
          script: script(
            ...NOTES.map((text) => ({
              ...slow,
              toolCalls: [{ name: 'remark', args: { line: `${round} ${text}` } }],
            })),
            { text: 'Kept.' },
          ),
        }),
        () => ({
          id: `team${round}`,
          target: 'team:team.yaml',
          input: 'Begin.',
          script: script({ ...slow, text: 'One.' }),
        }),
      ];
      return (kinds[round % kinds.length] as () => Start)();
    };

    /** Kills one after the other, each after some events of any run, and starts it again. */
    let kills = 0;
    const killing = (async () => {
      let random = SEED >>> 0;
      const again = new Set<Promise<void>>();
      while (kills < KILLS) {
        random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
        await eventsOfAny(ask, 1 + ((random >>> 8) % 7));
        while (again.size >= STARTING) await Promise.race(again);
        const living = members.filter(({ isStarting }) => isStarting !== true);
        const victim = living[random % living.length] as Member;
        await end(victim.child, 'SIGKILL');
        kills += 1;
        victim.isStarting = true;
        const started = begin(victim.role, victim.home).then((next) => {
          Object.assign(victim, next, { isStarting: false });
          again.delete(started);
        });
        again.add(started);
      }
      await Promise.all(again);
    })();
    const strays: unknown[] = [];
    /** Somebody who follows a run all the time, at whichever server lives: every event once and in order. */
    const follow = (run: string) => {
      const over = new AbortController();
      let last = 0;
      const done = (async () => {
        while (!over.signal.aborted) {
          const servers = members.flatMap(({ client }) => client ?? []);
          at += 1;
          const client = servers[at % servers.length] as Client;
          try {
            for await (const each of client.follow({ run, after: last, signal: over.signal })) {
              if (each.type !== 'event') continue;
              if (each.event.seq !== last + 1) strays.push([run, last, each.event.seq]);
              last = each.event.seq;
            }
          } catch {
            // The server was killed: another one has the rest.
          }
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      })();
      return {
        async upTo(seq: number) {
          while (last < seq) await new Promise((resolve) => setTimeout(resolve, 20));
          over.abort();
          await done;
        },
      };
    };
    let answers = 0;
    const settle = async (start: Start): Promise<ReportView> => {
      const { run } = await ask((client) => client.startRun({ ...start }));
      const follower = follow(run);
      for (;;) {
        const report = await ask((client) => client.getReport({ run }));
        const open = report.waits.filter((each) => each.for === 'outcome');
        if (open.length === 0 && isStill(report)) {
          await follower.upTo(report.seq);
          return report;
        }
        for (const { id: wait } of open) {
          answers += 1;
          const command = { id: `answer${answers}`, run, wait, reply: { texts: ['unknown'] } };
          await ask((client) => client.answerWait(command)).catch(() => undefined);
        }
        await nextEvent(ask, run, report.seq);
      }
    };
    const ended: { readonly start: Start; readonly report: ReportView }[] = [];
    // An agent that lives here has one life, as long as all the others.
    const life: Start = { id: 'ada', target: 'resident:ada', script: JSON.stringify(SAMPLE_SCRIPT) };
    const lived = settle(life);
    let next = 0;
    const lane = async () => {
      while (next < RUNS || kills < KILLS) {
        const round = next;
        next += 1;
        const start = startOf(round);
        ended[round] = { start, report: await settle(start) };
      }
    };
    await Promise.all([killing, lived, ...Array.from({ length: LANES }, lane)]);
    expect(await settle(life)).toMatchObject({
      ...{ kind: 'resident', status: 'idle', detail: { today: { daily_goals: 1 } } },
    });
    console.log(`${kills} kills among ${members.length} processes, ${ended.length} runs`);
    expect(strays).toEqual([]);
    for (const [round, { start, report }] of ended.entries()) {
      const [kind, status, turns] = ENDS[start.target] ?? [];
      expect(report).toMatchObject({ kind, status, turns });
      if (start.target === 'agent:desk' || start.target === 'ledger:shop') {
        const lines =
          start.target === 'agent:desk'
            ? linesIn(world(round))
            : linesIn(join(cwd, 'book.txt')).filter((line) => line.startsWith(`${round} `));
        const { events } = await ask((client) => client.listEvents({ run: report.run, limit: 1_000 }));
        const asked = events.filter(({ type }) => type === 'effect.asked').length;
        expect(new Set(lines).size).toBe(lines.length);
        expect(lines.length + asked).toBeGreaterThanOrEqual(NOTES.length);
      }
      if (kind === 'workflow')
        for (const name of ['1', '2'])
          expect(readFileSync(join(cwd, `made${round}-${name}.md`), 'utf8')).toBe(name);
    }
    expect(await countRuns(ask)).toBe(ended.length + 1);
    for (const { child } of members) await end(child, 'SIGTERM');
    const verified = await cuebook(['verify', '--all'], { cwd, env: { ...env, CUEBOOK_HOME: home(1) } });
    expect(verified, verified.stdout + verified.stderr).toMatchObject({ code: 0 });
  });
});

/** A town in which an agent lives. */
const PLATFORM = [
  'platform init --rehearsal --name town',
  'card new ada --name Ada --public --personality 0.7,0.9,0.6,0.5',
  'card submit ada --by olga',
  'card approve ada@1 --by rosa',
  'bundle publish',
];

const linesIn = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];

const ENDS: Readonly<Record<string, readonly [string, string, number]>> = {
  'agent:desk': ['thread', 'done', NOTES.length + 1],
  'ledger:shop': ['ledger', 'done', NOTES.length + 1],
  'sheet:once': ['turn', 'done', 1],
  'workflow:workflows/hb': ['workflow', 'waiting', 3],
  'team:team.yaml': ['team', 'waiting', 1],
};

/** Lost on the way, too slow for a busy server, or a server that cannot now: nobody has said no. */
const isUnanswered = (status: number): boolean =>
  status === 0 || status === 408 || status === 429 || status >= 500;

const isStill = ({ status }: ReportView): boolean => status !== 'running' && status !== 'new';

type Ask = <Value>(what: (client: Client) => Promise<ApiAnswer<Value>>) => Promise<Value>;

/** Until a run has gone on, seen from whichever server lives; at the latest after a moment. */
async function nextEvent(ask: Ask, run: string, seq: number): Promise<void> {
  for (let look = 0; look < 20; look += 1) {
    const { events } = await ask((client) => client.listEvents({ run, after: seq, limit: 1 }));
    if (events.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Until so many events were written, by whatever run. */
async function eventsOfAny(ask: Ask, count: number): Promise<void> {
  const seen = new Map<string, number>();
  const look = async (): Promise<number> => {
    const { runs } = await ask((client) => client.listRuns({}));
    let more = 0;
    for (const each of runs) {
      const seq = 'seq' in each ? Number(each.seq) : 0;
      more += Math.max(0, seq - (seen.get(each.run) ?? 0));
      seen.set(each.run, seq);
    }
    return more;
  };
  await look();
  for (let more = 0; more < count; more += await look())
    await new Promise((resolve) => setTimeout(resolve, 50));
}

/** How many runs the list has, page by page. */
async function countRuns(ask: Ask): Promise<number> {
  let count = 0;
  let before: string | undefined;
  do {
    const page = await ask((client) => client.listRuns({ limit: 200, ...(before && { before }) }));
    count += page.runs.length;
    before = page.next ?? undefined;
  } while (before !== undefined);
  return count;
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}
