import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiAnswer, type Client, createClient, type ReportView } from '@cuebook/api';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { desk, tool } from '../../../packages/thread/test/project.js';
import { buildProgram, type ChildProgram } from '../../../test/child-program.js';
import { describePart } from '../../../test/part.js';
import { itInTurn as it, runs } from '../../../test/runs.js';
import { type Databases, sharedPostgres } from '../../../test/shared-postgres.js';
import { isStill, type Machine, PROJECT, script } from './machines.js';
import { firstClone, gitIn, nextClone, projectOf, words } from './updating.js';

/** Leaves a line in the world for each time that it is called. */
const noting = (more: string): string =>
  tool(
    `const { appendFile } = await import('node:fs/promises');
     await appendFile(args.file, args.text + '\\n');
     return { status: 'success', result: 'noted ' + args.text };`,
    `args: z.object({ text: z.string(), file: z.string() }), ${more}`,
  );
const FILES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(
    desk("tools: ['note', 'sign'],", {
      'tools/note.ts': noting(''),
      'tools/sign.ts': noting("approval: 'always',"),
    }),
  ).map(([path, text]) => [`agents/${path}`, text]),
);
/** As the file is that loads definitions, so that it finds them. */
const BESIDE_DEFINE = new URL('../../../packages/define/node_modules/', import.meta.url);
const TARGETS = ['agent:desk', 'agent:desk', 'workflow:workflows/hb', 'team:team.yaml'] as const;
/** Runs at once that the project may have. */
const AT_ONCE = 3;

type Command =
  | { readonly do: 'start'; readonly at: Side; readonly target: (typeof TARGETS)[number] }
  | { readonly do: 'say' | 'allow' | 'deny' | 'stop' | 'update'; readonly at: Side; readonly run: number }
  | { readonly do: 'quota'; readonly at: Side }
  | { readonly do: 'kill'; readonly at: Side };
type Side = 0 | 1;
const at = fc.constantFrom(0 as const, 1 as const);
const start = fc.record({ do: fc.constant('start' as const), at, target: fc.constantFrom(...TARGETS) });
const commands: fc.Arbitrary<readonly Command[]> = fc
  .array(
    fc.oneof(
      { weight: 2, arbitrary: start },
      {
        weight: 5,
        arbitrary: fc.record({
          do: fc.constantFrom(...(['say', 'allow', 'deny', 'stop', 'update', 'update', 'allow'] as const)),
          at,
          run: fc.nat({ max: 9 }),
        }),
      },
      {
        weight: 3,
        arbitrary: fc.oneof(
          fc.record({ do: fc.constant('quota' as const), at }),
          fc.record({ do: fc.constant('kill' as const), at }),
          fc.record({ do: fc.constant('kill' as const), at }),
        ),
      },
    ),
    { minLength: 4, maxLength: 14 },
  )
  .chain((rest) => start.map((first) => [first, ...rest]));

/** A server of a machine, in a process that may be killed at any moment. */
interface Server {
  readonly machine: Machine;
  child: ChildProcess;
  client: Promise<Client>;
}

describePart('postgres', 'two servers of a project that are killed while people work with them', () => {
  let postgres: Databases;
  let program: ChildProgram;
  beforeAll(async () => {
    postgres = await sharedPostgres();
    program = await buildProgram(new URL('./child/program.ts', import.meta.url), BESIDE_DEFINE);
  });
  afterAll(() => program.remove());

  const live = (machine: Machine): Pick<Server, 'child' | 'client'> => {
    const args = [program.program, machine.root, '2000', JSON.stringify(machine.env)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let problems = '';
    child.stderr.on('data', (data: Buffer) => {
      problems += data.toString();
    });
    const client = new Promise<Client>((resolve, reject) => {
      child.stdout.once('data', (data: Buffer) =>
        resolve(createClient({ ...(JSON.parse(data.toString()) as { url: string; token: string }) })),
      );
      child.once('exit', (code) => reject(new Error(`A server ended at its start (${code}): ${problems}`)));
    });
    client.catch(() => undefined);
    return { child, client };
  };

  it('whatever is begun, said, allowed, stopped, moved and limited at either: nothing is done twice, nothing that was answered is lost, all verifies, and limits hold', async () => {
    const first = firstClone(await postgres.createDatabase(), FILES);
    const servers: Server[] = [{ machine: first, ...live(first) }];
    onTestFinished(async () => {
      for (const { child } of servers) await end(child);
    });
    await servers[0]?.client;
    const git = gitIn(projectOf(first));
    for (const [name, from, to] of [
      ['agents/prompts/clerk.ts', 'I am clerk.', 'I am the other clerk.'],
      ['workflows/hb/agents.json', 'Role of sm', 'Office of sm'],
      ['team.yaml', 'goal: Work.', 'goal: Labour.'],
    ] as const) {
      const text = FILES[name] ?? PROJECT[name] ?? '';
      writeFileSync(join(projectOf(first), name), text.replace(from, to));
    }
    git('checkout', '-q', '-b', 'next');
    git('commit', '-qam', 'Second');
    git('checkout', '-q', '-');
    const second = nextClone(first, FILES);
    gitIn(projectOf(second))('fetch', '--quiet', projectOf(first), 'next:next');
    gitIn(projectOf(second))('branch', '-f', 'old', 'HEAD');
    git('branch', '-f', 'old', 'HEAD');
    servers.push({ machine: second, ...live(second) });

    /** The same command again, at whichever server lives, until one of them has answered. */
    const ask = async <Value>(
      side: Side,
      what: (client: Client) => Promise<ApiAnswer<Value>>,
    ): Promise<ApiAnswer<Value>> => {
      for (let tries = side as number; ; tries += 1) {
        const client = await (servers[tries % 2] as Server).client.catch(() => undefined);
        const answer = client && (await what(client).catch(() => undefined));
        if (answer?.ok || (answer && answer.error.status >= 400 && answer.error.status < 500)) return answer;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const must = async <Value>(what: (client: Client) => Promise<ApiAnswer<Value>>): Promise<Value> => {
      const answer = await ask(0, what);
      if (!answer.ok) throw new Error(JSON.stringify(answer.error));
      return answer.value;
    };
    const settled = async (run: string): Promise<ReportView> => {
      for (;;) {
        const report = await must((client) => client.getReport({ run }));
        const doubts = report.waits.filter((wait) => wait.for === 'outcome');
        if (doubts.length === 0 && isStill(report)) return report;
        for (const { id } of doubts)
          await ask(1, (client) => client.answerWait({ run, wait: id, reply: { texts: ['unknown'] } }));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const world = mkdtempSync(join(tmpdir(), 'world-'));
    onTestFinished(() => rmSync(world, { recursive: true, force: true }));
    const noteOf = (name: string) => (text: string) => ({
      delayMs: 80,
      toolCalls: [{ name: /^s/.test(text) ? 'sign' : 'note', args: { text, file: join(world, name) } }],
    });
    const scriptOf = (name: string, target: string): string => {
      const note = noteOf(name);
      if (target !== 'agent:desk') return script({ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' });
      const again = { text: 'Done.', delayMs: 40 };
      return script(note('n1'), note('s1'), note('n2'), again, note('n3'), note('s2'), again, again, again);
    };
    const all: { readonly id: string; readonly run: string; readonly target: string }[] = [];
    const said = new Map<string, string[]>();
    const moves = new Map<string, number>();
    const done: Record<string, number> = {};
    const tally = (what: string): void => {
      done[what] = (done[what] ?? 0) + 1;
    };
    let [limit, count] = [0, 0];
    const usesNow = async () =>
      Object.fromEntries(
        (await must((client) => client.listQuotas({}))).uses.map((use) => [use.limit, use] as const),
      );
    const raise = async (side: Side, by: number) => {
      limit += by;
      const runsPerDay = limit;
      const set = await ask(side, (client) =>
        client.setQuota({ subject: 'project', limits: { runsPerDay, runsAtOnce: AT_ONCE } }),
      );
      expect(set).toMatchObject({ ok: true });
    };
    const perform = async (command: Command, mine: readonly { run: string; target: string }[]) => {
      count += 1;
      const id = `c${count}`;
      const side = command.at;
      if (command.do === 'quota') return raise(side, 1);
      if (command.do === 'kill') {
        const server = servers[side] as Server;
        await end(server.child);
        tally('kill');
        Object.assign(server, live(server.machine));
        return;
      }
      if (command.do === 'start') {
        const { target } = command;
        const call = { id, target, ...words(target), script: scriptOf(id, target) };
        const begun = await ask(side, (client) => client.startRun(call));
        tally(begun.ok ? 'start' : 'start refused');
        if (begun.ok) all.push({ id, run: begun.value.run, target });
        else expect(begun.error.code).toBe('E_QUOTA_REACHED');
        return;
      }
      const { run } = mine[command.run % mine.length] ?? {};
      if (run === undefined) return;
      if (command.do === 'stop') {
        const stopped = await ask(side, (client) => client.stopRun({ id, run }));
        if (stopped.ok) tally('stop');
      } else if (command.do === 'say') {
        const text = `Word ${id}.`;
        const heard = await ask(side, (client) => client.say({ id, run, text }));
        if (!heard.ok) return;
        tally('say');
        said.set(run, [...(said.get(run) ?? []), text]);
      } else if (command.do === 'update') {
        const to = count % 2 === 0 ? 'next' : 'old';
        const moved = await ask(side, (client) => client.updateRun({ id, run, to }));
        if (!moved.ok) return;
        tally('update');
        moves.set(run, (moves.get(run) ?? 0) + 1);
      } else {
        const waiting = await ask(side, (client) => client.listWaiting({ run }));
        const wait = waiting.ok ? waiting.value.waiting.find((each) => each.for === 'approval') : undefined;
        if (wait === undefined) return;
        const reply = { decision: command.do } as const;
        const answered = await ask(side, (client) => client.answerWait({ id, run, wait: wait.id, reply }));
        if (answered.ok) tally(command.do);
      }
    };
    const verify = async (known: { readonly id: string; readonly run: string; readonly target: string }) => {
      const { id, run, target } = known;
      const logs = await Promise.all(
        ([0, 1] as const).map(async (side) => {
          const page = await ask(side, (client) => client.listEvents({ run, limit: 1_000 }));
          return page.ok ? page.value.events : [];
        }),
      );
      const [events = [], others] = logs;
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(others).toEqual(events);
      expect(events.filter(({ type }) => type === 'run.updated')).toHaveLength(moves.get(run) ?? 0);
      const texts = events.map(({ data }) => JSON.stringify(data));
      for (const word of said.get(run) ?? []) expect(texts.some((text) => text.includes(word))).toBe(true);
      if (target === 'agent:desk') {
        const file = join(world, id);
        const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
        expect(new Set(lines).size, lines.join(' ')).toBe(lines.length);
      }
      expect((await must((client) => client.proveTurn({ run, turn: 'any' }))).problems).toEqual([]);
    };
    await raise(0, 1);

    await fc.assert(
      fc.asyncProperty(commands, async (list) => {
        const before = all.length;
        await raise(0, 2);
        for (const command of list) {
          await perform(command, all.slice(before));
          const { runsPerDay, runsAtOnce } = await usesNow();
          expect(runsPerDay?.spent).toBeLessThanOrEqual(limit);
          expect(runsAtOnce?.reserved).toBeLessThanOrEqual(AT_ONCE);
        }
        const mine = all.slice(before);
        for (const { run } of mine) await settled(run);
        for (const { run } of mine) await ask(0, (client) => client.stopRun({ run }));
        for (const { run } of mine) await settled(run);
        for (const each of mine) await verify(each);
        const { runsPerDay, runsAtOnce } = await usesNow();
        // Every run counts once, and nothing stays reserved.
        expect(runsPerDay?.spent).toBe(all.length);
        expect(runsAtOnce?.reserved).toBe(0);
        const { runs: listed } = await must((client) => client.listRuns({ limit: 200 }));
        expect(new Set(listed.map(({ run }) => run))).toEqual(new Set(all.map(({ run }) => run)));
      }),
      runs(2, 60),
    );
    console.log(JSON.stringify(done));
  });
});

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}
