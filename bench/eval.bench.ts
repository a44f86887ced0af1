import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { comparisonDocument, type ScoredCase } from '@cuebook/eval';
import { type RecordedTake, readTakes } from '@cuebook/host';
import { openStore, type RunId, type Store } from '@cuebook/journal';

// What the statistics of a comparison cost beside reading its takes from the record: at most three times as much. Reading is
// linear, however many takes an append holds. And a whole comparison, from files of cases to its verdict, through the command.

const BAR = 3;
/** How much more a take may cost in a record that is five times as long. */
const GROWTH_BAR = 1.6;
const TAKES = Number(process.env.BENCH_TAKES ?? 100_000);
/** Takes of each variant of a case. */
const EACH = 5;
/** Takes that are written at a time: as a run with many jobs does, and as many as an append holds. */
const PAGES = [20, 1_000];
const ROUNDS = 3;
const RUN = 'run_bench' as RunId;
/** The whole chain: cases of two variants, takes of each, on two cores. */
const CASES = 200;
const CHAIN = { takes: 3, seconds: 60, statisticsMs: 1_000 };

/** Cases of one sheet; the second line of its text makes the answers good. */
const PROJECT: Readonly<Record<string, string>> = {
  'sheets/review.yaml': `title: Review a change
inputs:
  change: { trust: external, secrecy: public, volatility: turn, description: What is reviewed, example: a change }
blocks:
  - { name: rules, role: system, parts: [{ include: tone }] }
  - { name: change, role: user, parts: [{ input: change }] }
`,
  'texts/tone.md': 'You review changes.\nName the file and the line.\n',
  'tests/review.test.yaml': `target: sheet:review
takes: ${CHAIN.takes}
cases: data/review.jsonl
metrics: { finds: { answer: { matches: "^src/" } } }
`,
  'data/review.jsonl': Array.from({ length: CASES }, (_, at) =>
    JSON.stringify({ id: `c${at}`, with: { set: { change: `change ${at}` } } }),
  ).join('\n'),
  'odds.yaml': `lanes:
  '*':
    odds:
      seed: 7
      base: -0.4
      cases: 1
      effects: [{ has: "Name the file and the line", adds: 2 }]
      answers: { good: "src/a.ts:1: fixed", bad: "looks fine" }
`,
};

const folder = mkdtempSync(join(tmpdir(), 'cuebook-bench-'));
let isMissed = false;
const bar = (words: string, isMet: boolean): void => {
  isMissed ||= !isMet;
  console.log(`  ${words}${isMet ? '' : '  MISSED'}`);
};
try {
  for (const page of PAGES) await measureReading(page);
  await measureChain();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(isMissed ? '\na bar is missed' : '\nall bars are met');
process.exitCode = isMissed ? 1 : 0;

/** CPU of reading and of statistics, and what a take costs in a longer record. */
async function measureReading(page: number): Promise<void> {
  const perTake: number[] = [];
  for (const takes of [TAKES / 5, TAKES]) {
    const opened = await openStore({ file: join(folder, `${page}-${takes}`, 'journal.db') });
    if (!opened.ok) throw new Error(JSON.stringify(opened.error));
    await fill(opened.value, takes, page);
    const [reading, counting] = [{ best: Number.POSITIVE_INFINITY }, { best: Number.POSITIVE_INFINITY }];
    for (let round = 0; round < ROUNDS; round += 1) {
      const read = await timed(reading, () => readTakes(opened.value, RUN));
      const { design, verdict } = await timed(counting, async () => compared(read));
      if (design.cases !== takes / EACH / 2 || verdict !== 'better')
        throw new Error('the comparison is wrong');
    }
    await opened.value.close();
    perTake.push(reading.best / takes);
    console.log(
      `${takes} takes, ${page} an append: read in ${reading.best.toFixed(0)} ms, statistics in ${counting.best.toFixed(0)} ms`,
    );
    const ratio = counting.best / reading.best;
    bar(`statistics ${ratio.toFixed(2)}x of reading, bar ${BAR}x`, ratio <= BAR);
  }
  const [short = 1, long = 0] = perTake;
  bar(
    `a take of the longer record costs ${(long / short).toFixed(2)}x, bar ${GROWTH_BAR}x`,
    long / short <= GROWTH_BAR,
  );
}

/** `cuebook compare` in a process of its own, with answers by odds; then the statistics of what it wrote. */
async function measureChain(): Promise<void> {
  const project = join(folder, 'project');
  for (const [name, text] of Object.entries(PROJECT)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
  }
  const bin = join(process.cwd(), 'apps', 'cli', 'bin', 'cuebook.js');
  const args = ['compare', '--change', 'drop:texts/tone.md:2', '--script', 'odds.yaml', '--json'];
  const before = performance.now();
  const told = spawnSync(process.execPath, [bin, ...args], {
    cwd: project,
    encoding: 'utf8',
    env: process.env,
  });
  const seconds = (performance.now() - before) / 1000;
  const document = JSON.parse(told.stdout) as { readonly id: RunId; readonly verdict: string };
  if (document.verdict !== 'worse') throw new Error(`the comparison is wrong: ${told.stderr}`);
  const opened = await openStore({ file: join(project, '.cuebook', 'journal.db') });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  const takes = await readTakes(opened.value, document.id);
  await opened.value.close();
  if (takes.size !== CASES * 2 * CHAIN.takes) throw new Error(`${takes.size} takes are on record`);
  const counting = { best: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round += 1) await timed(counting, async () => compared(takes));
  console.log(`${CASES} cases x 2 variants x ${CHAIN.takes} takes through the command`);
  bar(`${seconds.toFixed(1)} s, bar ${CHAIN.seconds} s`, seconds <= CHAIN.seconds);
  bar(
    `statistics ${counting.best.toFixed(0)} ms of it, bar ${CHAIN.statisticsMs} ms`,
    counting.best <= CHAIN.statisticsMs,
  );
}

/** The best CPU time of several rounds, in milliseconds. */
async function timed<Value>(kept: { best: number }, work: () => Promise<Value>): Promise<Value> {
  const before = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  kept.best = Math.min(kept.best, (user + system) / 1000);
  return value;
}

/** The events that a run of kind `eval` has of each take: asked for, begun, settled. */
async function fill(store: Store, takes: number, page: number): Promise<void> {
  let expectedSeq = 0;
  for (let from = 0; from < takes; from += page) {
    const events = Array.from({ length: Math.min(page, takes - from) }, (_, index) =>
      eventsOf(from + index),
    ).flat();
    const written = await store.append({
      run: RUN,
      command: `page ${from}`,
      target: 'bench',
      expectedSeq,
      events,
    });
    if (!written.ok) throw new Error(JSON.stringify(written.error));
    expectedSeq += events.length;
  }
}

function eventsOf(at: number) {
  const id = `turn_${at}`;
  const variant = at % 2 === 0 ? 'base' : 'candidate';
  const [take, of] = [(Math.floor(at / 2) % EACH) + 1, Math.floor(at / 2 / EACH)];
  const output = {
    text: (at * 2_654_435_761) % 100 < (variant === 'base' ? 60 : 80) ? 'src/a.ts:1: fixed' : 'looks fine',
    calls: [],
    end: { reason: 'done' },
    final: true,
  };
  return [
    { type: 'effect.intended', data: { id, lane: `${variant}/${take}/case ${of}` } },
    { type: 'effect.begun', data: { id, attempt: 1 } },
    { type: 'effect.settled', data: { id, outcome: { ok: true, output } } },
  ];
}

/** Scores every take and compares the variants. */
function compared(takes: ReadonlyMap<string, RecordedTake>) {
  const cases = new Map<string, { id: string; cluster: string; base: number[]; candidate: number[] }>();
  for (const { lane, outcome } of takes.values()) {
    const [, variant, id = ''] = /^([^/]+)\/\d+\/(.+)$/su.exec(lane) ?? [];
    const own = cases.get(id) ?? { id, cluster: id, base: [], candidate: [] };
    cases.set(id, own);
    own[variant === 'base' ? 'base' : 'candidate'].push(Number(outcome.text.startsWith('src/')));
  }
  const facts = { target: 'sheet:bench', edits: [], hash: 'sha256:0', tokens: 0 };
  return comparisonDocument({
    ...{ id: RUN, seed: 1, base: facts, candidate: facts, diff: null, takes: EACH, turns: {} },
    gate: { margin: 0.05, look: { look: 1, planned: 1 } },
    metrics: [{ name: 'finds', role: 'primary', cases: [...cases.values()] satisfies readonly ScoredCase[] }],
  });
}
