import { eventsOf, type RebuiltTurn, type RunId, rebuildTurn, type Store } from '@cuebook/journal';
import { must } from '../../packages/host/test/stand.js';
import { checkin, live, RUN as RESIDENT, town } from '../../packages/resident/test/life.js';
import { stage } from '../../packages/resident/test/stage.js';
import {
  call,
  scriptOf,
  startRun,
  hostStand as teamStand,
  until as untilTeam,
} from '../../packages/team/test/host-stand.js';
import { desk, ECHO } from '../../packages/thread/test/project.js';
import { openStand, RUN as THREAD } from '../../packages/thread/test/stand.js';
import {
  calls,
  move,
  patch,
  runDesk,
  RUN as WORKFLOW,
  write,
} from '../../packages/workflow/test/run-desk.js';

/** Turns of each run: forty follow another. */
export const TURNS = 41;

/** The turns of a run as its record has them, and what keeps the record. */
export interface RecordedRun {
  readonly turns: readonly RebuiltTurn[];
  /** JSON of the span maps, source tables and files in its receipts, in bytes. */
  readonly spanBytes: number;
}

const words = (n: number): string =>
  Array.from({ length: 40 + (n % 5) * 30 }, (_, at) => `word${(n * 7 + at * 13) % 97}`).join(' ');

const steps = <Made>(make: (n: number) => Made): readonly Made[] =>
  Array.from({ length: TURNS }, (_, n) => make(n));

/** Runs of forty-one turns on real parts with a rehearsed model, by kind. */
export const RECORDED_RUNS: Readonly<Record<string, () => Promise<RecordedRun>>> = {
  /** A person and a clerk talk; every third answer looks something up. */
  async thread() {
    const stand = await openStand(desk("includeChat: true, tools: ['echo'],", { 'tools/echo.ts': ECHO }), {
      '*': steps((n) =>
        n % 3 === 1
          ? { text: '', toolCalls: [{ id: `c${n}`, name: 'echo', args: { text: words(n) } }] }
          : { text: `Answer ${n}. ${words(n)}` },
      ),
    });
    try {
      await stand.start({ budget: { turns: 99 } });
      for (let said = 1; stand.requests.length < TURNS; said += 1)
        await stand.say(`Question ${said}. ${words(said)}`);
      return await recorded(stand.store, THREAD);
    } finally {
      await stand.close();
    }
  },

  /** A step package is worked through: files are read and written, variables set, a step completed, a person asked. */
  async workflow() {
    const at = await runDesk({
      steps: steps((n) => {
        if (n === 12)
          return calls(
            write('@project/artifacts/intake.md', 'a shop'),
            move('step-01-intake', 'decide-02-project-type'),
          );
        if (n % 7 === 3) return { text: `Done with ${n}. ${words(n)}` };
        if (n % 4 === 1) return calls(patch({ variables: { set: { [`v${n}`]: words(n).slice(0, 60) } } }));
        if (n % 4 === 2) return calls(write(`@project/artifacts/n${n}.md`, words(n)));
        return calls(['fs.list', { path: '@project', limit: n + 1 }]);
      }),
    });
    const run = await at.open();
    await run.play('Begin.');
    for (let said = 1; at.requests.length < TURNS; said += 1) {
      await run.say(`Question ${said}. ${words(said)}`);
      await run.drain();
    }
    return recorded(run.store, WORKFLOW);
  },

  /** Three nodes read files at the same time, each told how the others stand. */
  async team() {
    const stand = await teamStand({
      files: Object.fromEntries(steps((n) => [`f${n}.txt`, `${words(n)}\n`] as const)),
    });
    try {
      const host = await stand.open();
      const aliases = ['lead', 'dev', 'test'];
      const rows = aliases.map(
        (alias) =>
          `  - { alias: ${alias}, role: orchestrator, workspace: shared, capabilities: { delegateOnly: true } }`,
      );
      const team = `goal: Work.\nmode: INTERACTIVE\nbudget: { turns: 99 }\nlimits: { parallel: 2, nodes: 9 }\nnodes:\n${rows.join('\n')}\n`;
      const lane = Array.from({ length: 14 }, (_, n) => ({
        text: n < 13 ? `${words(n)}\n${call('read_file', { path: `f${n}.txt` })}` : 'Ready.',
      }));
      const run = await startRun(host, {
        team: { text: team },
        script: scriptOf(Object.fromEntries(aliases.map((alias) => [alias, lane]))),
      });
      const isDone = ({ turns, nodes }: Awaited<ReturnType<typeof untilTeam>>): boolean =>
        turns === 42 && Object.values(nodes).every(({ work }) => work === null);
      await untilTeam(host, run, isDone);
      return await recorded(stand.store, run);
    } finally {
      await stand.remove();
    }
  },

  /** An agent checks in at four places, day after day. */
  async resident() {
    const platform = await town(['a', 'b', 'c', 'd'].map((id) => ({ ...checkin, id })));
    const at = await stage();
    const life = await live(at, platform, { config: { pollMs: 24 * 3_600_000 } });
    await life.begin();
    for (let day = 0; life.turns() < TURNS && day < 2 * TURNS; day += 1) await life.rounds(1);
    return recorded(at.store, RESIDENT);
  },
};

async function recorded(store: Store, run: RunId): Promise<RecordedRun> {
  const turns: RebuiltTurn[] = [];
  let spanBytes = 0;
  for await (const { type, data } of eventsOf(store, run)) {
    if (type !== 'turn.recorded') continue;
    const { turn, is } = data as { readonly turn: string; readonly is: readonly unknown[] };
    turns.push(must(await rebuildTurn(store, run, turn)));
    const { files = 0 } = Object(is[6]) as { readonly files?: unknown };
    for (const table of [is[4], files]) {
      // A large table is a blob of its own, named by its hash.
      const blob = typeof table === 'string' && (await store.getBlob(`sha256:${hex(table)}`));
      spanBytes += blob && blob !== 'deleted' ? blob.length : Buffer.byteLength(JSON.stringify(table));
    }
  }
  return { turns, spanBytes };
}

const hex = (short: string): string => Buffer.from(short, 'base64url').toString('hex');
