import { call, hostStand, scriptOf, startRun, until } from '../packages/team/test/host-stand.js';

// Turns of a team side by side, in the real host over a real journal: how far the schedule is from the ideal one.
// The rehearsal takes its time in each turn, so that what is measured beside it is ours.

const WORDS = ['first', 'second', 'third', 'last'] as const;
const READS = 'workspace: shared, capabilities: { delegateOnly: true }';

interface Field {
  readonly nodes: number;
  readonly turns: number;
  readonly turnMs: number;
  readonly parallel: number;
}

const fields: readonly Field[] = [
  { nodes: 3, turns: 1, turnMs: 2_000, parallel: 3 },
  { nodes: 50, turns: 4, turnMs: 1_000, parallel: 16 },
];
for (const field of fields) await measure(field);

async function measure({ nodes, turns, turnMs, parallel }: Field): Promise<void> {
  const stand = await hostStand({
    files: Object.fromEntries(WORDS.map((word) => [`${word}.txt`, `the ${word} file\n`])),
  });
  try {
    const host = await stand.open();
    const aliases = Array.from({ length: nodes }, (_, index) => `n${index}`);
    const rows = aliases.map((alias) => `  - { alias: ${alias}, role: orchestrator, ${READS} }`).join('\n');
    const team = `goal: Work.\nmode: INTERACTIVE\nbudget: { turns: ${nodes * turns} }\nlimits: { parallel: ${parallel}, nodes: ${nodes} }\nnodes:\n${rows}\n`;
    const steps = WORDS.slice(0, turns).map((word, turn) => ({
      delayMs: turnMs,
      // A result wakes the node again; each turn says and reads something else, so that nothing looks like a stall.
      text: turn < turns - 1 ? `${word}\n${call('read_file', { path: `${word}.txt` })}` : word,
    }));
    const before = process.cpuUsage();
    const begun = performance.now();
    const run = await startRun(host, {
      team: { text: team },
      script: scriptOf(Object.fromEntries(aliases.map((alias) => [alias, steps]))),
    });
    const isDone = (state: Awaited<ReturnType<typeof until>>): boolean =>
      state.turns === nodes * turns && Object.values(state.nodes).every(({ work }) => work === null);
    await until(host, run, isDone);
    const wall = performance.now() - begun;
    const { user, system } = process.cpuUsage(before);
    const ideal = Math.ceil((nodes * turns) / parallel) * turnMs;
    const ratio = wall / ideal;
    console.log(
      `${nodes} nodes, ${turns} turns of ${turnMs / 1000} s each, ${parallel} at once: ${(wall / 1000).toFixed(2)} s, ideal ${(ideal / 1000).toFixed(2)} s, ratio ${ratio.toFixed(2)} (CPU ${((user + system) / 1e6).toFixed(1)} s)`,
    );
  } finally {
    await stand.remove();
  }
}
