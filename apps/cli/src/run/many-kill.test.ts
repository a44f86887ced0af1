import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiAnswer, type Client, createClient, type ReportView } from '@cuebook/api';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { desk, tool } from '../../../../packages/thread/test/project.js';
import { packageTexts } from '../../../../packages/workflow/test/fixture.js';
import { describePart } from '../../../../test/part.js';
import { SEED, share } from '../../../../test/runs.js';
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
const KILLS = share(2, 200);
const ROUNDS = share(1, 12);
/** Beside the first server. */
const OTHERS: readonly Member['role'][] =
  share(2, 5) === 2 ? ['up', 'worker'] : ['up', 'worker', 'worker', 'worker', 'worker'];
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
}

describePart('postgres', 'servers and workers of a project that are killed', () => {
  let server: Databases;
  beforeAll(async () => {
    server = await sharedPostgres();
  });

  it('lose nothing and do nothing twice, with runs of every kind', async () => {
    const databaseUrl = await server.createDatabase();
    const cwd = folderWith({
      'cuebook.yaml': '{}\n',
      'sheets/once.yaml':
        'title: Once\nblocks: [{ name: rules, role: system, parts: [{ text: Say it once. }] }]\n',
      ...under('agents', desk("tools: ['note'],", { 'tools/note.ts': NOTE })),
      ...under('workflows/hb', packageTexts()),
      'team.yaml':
        'goal: Work.\nmode: INTERACTIVE\nprovider: rehearsal\nnodes: [{ alias: lead, role: orchestrator }]\n',
    });
    const env: Record<string, string | undefined> = {
      PATH: process.env.PATH,
      HOME: cwd,
      CUEBOOK_DATABASE_URL: databaseUrl,
    };
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
      return { child, client: link === undefined ? undefined : createClient({ url, token }) };
    };
    const members: Member[] = [];
    onTestFinished(async () => {
      for (const { child } of members) await end(child, 'SIGKILL');
    });
    const home = (index: number) => join(cwd, 'homes', `${index}`);
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
        if (answer !== undefined && answer.error.status !== 0 && answer.error.status < 500)
          throw new Error(JSON.stringify(answer.error));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const world = (round: number) => join(cwd, `world${round}.txt`);
    const starts: readonly Start[] = Array.from({ length: ROUNDS }, (_, round): readonly Start[] => [
      {
        id: `agent${round}`,
        target: 'agent:desk',
        input: 'Begin.',
        script: script(
          ...NOTES.map((text) => ({ toolCalls: [{ name: 'note', args: { text, file: world(round) } }] })),
          { text: 'Noted.' },
        ),
      },
      { id: `once${round}`, target: 'sheet:once', script: script({ text: 'Once.' }) },
      {
        id: `flow${round}`,
        target: 'workflow:workflows/hb',
        input: 'Begin.',
        script: script(
          ...['1', '2'].map((name) => ({
            toolCalls: [
              { name: 'fs.write', args: { path: `@project/made${round}-${name}.md`, content: name } },
            ],
          })),
          { text: 'What next?' },
        ),
      },
      { id: `team${round}`, target: 'team:team.yaml', input: 'Begin.', script: script({ text: 'One.' }) },
    ]).flat();

    /** Kills one after the other, each after some events of any run, and starts it again. */
    let isOver = false;
    let kills = 0;
    const killing = (async () => {
      let random = SEED >>> 0;
      for (let kill = 0; kill < KILLS && !isOver; kill += 1) {
        random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
        const victim = members[random % members.length] as Member;
        await eventsOfAny(ask, 1 + ((random >>> 8) % 7), () => isOver);
        await end(victim.child, 'SIGKILL');
        kills += 1;
        Object.assign(victim, await begin(victim.role, victim.home));
      }
    })();
    const settle = async (start: Start): Promise<ReportView> => {
      const { run } = await ask((client) => client.startRun({ ...start }));
      for (;;) {
        const report = await ask((client) => client.getReport({ run }));
        const open = report.waits.filter((each) => each.for === 'outcome');
        if (open.length === 0 && isStill(report)) return report;
        for (const { id } of open)
          await ask((client) => client.answerWait({ run, wait: id, reply: { texts: ['unknown'] } })).catch(
            () => undefined,
          );
        await nextEvent(ask, run, report.seq);
      }
    };
    const reports = await Promise.all(starts.map(settle));
    isOver = true;
    await killing;
    console.log(`${kills} kills among ${members.length} processes, ${starts.length} runs`);
    expect(kills).toBeGreaterThan(0);
    for (const [index, { target }] of starts.entries()) {
      const [kind, status, turns] = ENDS[target] ?? [];
      expect(reports[index]).toMatchObject({ kind, status, turns });
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      const run = reports[round * 4]?.run ?? '';
      const lines = existsSync(world(round)) ? readFileSync(world(round), 'utf8').trimEnd().split('\n') : [];
      const { events } = await ask((client) => client.listEvents({ run, limit: 1_000 }));
      const asked = events.filter(({ type }) => type === 'effect.asked').length;
      expect(new Set(lines).size).toBe(lines.length);
      expect(lines.length + asked).toBeGreaterThanOrEqual(NOTES.length);
      for (const name of ['1', '2'])
        expect(readFileSync(join(cwd, `made${round}-${name}.md`), 'utf8')).toBe(name);
    }
    expect((await ask((client) => client.listRuns({}))).runs.length).toBe(starts.length);
    for (const { child } of members) await end(child, 'SIGTERM');
    const verified = await cuebook(['verify', '--all'], { cwd, env: { ...env, CUEBOOK_HOME: home(1) } });
    expect(verified, verified.stdout).toMatchObject({ code: 0 });
  });
});

const ENDS: Readonly<Record<string, readonly [string, string, number]>> = {
  'agent:desk': ['thread', 'done', NOTES.length + 1],
  'sheet:once': ['turn', 'done', 1],
  'workflow:workflows/hb': ['workflow', 'waiting', 3],
  'team:team.yaml': ['team', 'waiting', 1],
};

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

async function eventsOfAny(ask: Ask, count: number, isOver: () => boolean): Promise<void> {
  const total = async (): Promise<number> => {
    const { runs } = await ask((client) => client.listRuns({}));
    return runs.reduce((sum, each) => sum + ('seq' in each ? Number(each.seq) : 0), 0);
  };
  for (const first = await total(); !isOver() && (await total()) < first + count; )
    await new Promise((resolve) => setTimeout(resolve, 50));
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}
