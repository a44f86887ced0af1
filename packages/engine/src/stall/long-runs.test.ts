import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.js';
import { DEFAULT_STALL_RULES, findStall, NO_STALL, projectStall } from './stall.js';
import { type Observed, type ObservedCall, traceTurn } from './trace.js';

type Turn = Omit<Observed, 'turn' | 'text'>;

/** The turn at which it stalls; 0: it does not. */
function stallsAt(turnOf: (at: number) => Turn, turns: number): number {
  let state = NO_STALL;
  for (let at = 0; at < turns; at += 1) {
    const data = traceTurn({ turn: at + 1, text: 'Going on.', ...turnOf(at) });
    state = projectStall(state, { type: 'stall.observed', data } as { type: string }, DEFAULT_STALL_RULES);
    if (findStall(state, DEFAULT_STALL_RULES)) return at + 1;
  }
  return 0;
}

const hash = (text: unknown, length = 40): string =>
  createHash('sha256').update(String(text)).digest('hex').slice(0, length);
/** Words that are others at each step. */
const words = (at: number, count = 6): string =>
  Array.from({ length: count }, (_, index) =>
    hash(`${at} ${index}`, 8).replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? ''),
  ).join(' ');
const call = (
  tool: string,
  input: ObservedCall['input'],
  output: string,
  given: Partial<ObservedCall> = {},
): ObservedCall => ({ tool, ...(input === undefined ? {} : { input }), output, failed: false, ...given });
const one = (...given: Parameters<typeof call>): Turn => ({ calls: [call(...given)] });
const WRITES = { numbers: 'arguments' } as const;
/** Several things in turn, `round` counting how often. */
const inTurn =
  (...steps: readonly ((round: number) => Turn)[]) =>
  (at: number): Turn =>
    steps[at % steps.length]?.(Math.floor(at / steps.length)) ?? {};

const TESTS = 'FAIL src/sum.test.ts > adds\nexpected 3, got 4';
const edit = (round: number): Turn => ({
  calls: [call('edit', { path: 'src/sum.ts', text: words(round) }, 'ok', WRITES)],
  effect: `sha256:${hash(round)}`,
});
const runTests = (): Turn => one('command', { command: 'npm test' }, TESTS, { ...WRITES, failed: true });
const build = (): Turn => one('command', { command: 'npm run build' }, 'built', WRITES);
const lint = (): Turn => one('command', { command: 'npm run lint' }, 'no problems', WRITES);
const status = (): Turn => one('command', { command: 'git status' }, 'nothing to commit', WRITES);

const SHELL = { numbers: 'seen' } as const;
const date = (at: number) => new Date(1.7e12 + at * 86_400_000).toISOString().slice(0, 10);
const moment = (at: number) => new Date(1.79e12 + at * 61_007).toISOString();
/** A word without a digit that is another at each step. */
const word = (at: number): string => words(at, 1);

const HONEST: Readonly<Record<string, (at: number) => Turn>> = {
  'a counter without an end': (at) => one('status', {}, `${at * 3} rows`),
  'a counter in a shell': (at) => one('command', { command: 'ls out | wc -l' }, `${at * 3}`, SHELL),
  'a counter in JSON': (at) => one('status', {}, JSON.stringify({ state: 'copying', rows: at * 91 })),
  'a counter between lines that stay': (at) =>
    one('status', {}, `at ${moment(at)}\nrows: ${at * 7}\nerrors: 0`),
  'a size that grows': (at) => one('status', {}, `${(at * 1.7).toFixed(1)}MB written`),
  'a count with separators': (at) =>
    one('status', {}, `${(1_234_567 + at * 1_000).toLocaleString('en')} bytes`),
  'a queue that gets shorter': (at) => one('depth', { queue: 'q' }, `${100_000 - at * 7} left`),
  'several counters in turn': inTurn(
    (round) => one('status', { of: 'a' }, `${round * 5} rows`),
    (round) => one('status', { of: 'b' }, `${round * 7} rows`),
  ),
  'a search day by day that finds nothing': (at) => one('search', { date: date(at) }, '[]'),
  'a search by hashes that finds nothing': (at) => one('find', { sha: hash(at) }, 'none'),
  'a search by numbers in a shell that finds nothing': (at) =>
    one('command', { command: `grep -rn ORD-${at} src` }, '', SHELL),
  'ports that are closed': (at) => one('probe', { port: 8_000 + at }, 'closed'),
  'ports that refuse': (at) =>
    one('probe', { port: 8_000 + at }, `ECONNREFUSED 127.0.0.1:${8_000 + at}`, { failed: true }),
  'ports that refuse, in a shell': (at) =>
    one('command', { command: `nc -z localhost ${8_000 + at}` }, '', { ...SHELL, failed: true }),
  'windows of moments in one line': (at) => one('read', { from: at * 2 }, `${moment(at)} ${moment(at + 1)}`),
  'windows of moments in JSON': (at) =>
    one('read', { from: at * 2 }, JSON.stringify([moment(at), moment(at + 1)])),
  'windows of one moment': (at) => one('read', { line: at }, moment(at)),
  'the end of a log of nothing but moments': (at) =>
    one('tail', { file: 'a.log' }, [0, 1, 2].map((more) => moment(at + more)).join('\n')),
  'numbers behind a sign that begins no comment': (at) =>
    one('command', { command: `gh issue close a#${at} -m "for #${at}"` }, 'closed', WRITES),
  'texts that differ in blanks': (at) =>
    one('command', { command: `cat > f <<END\n${' '.repeat(at)}x\nEND` }, '', WRITES),
  'pages by offset': (at) => one('list', { offset: at * 50 }, words(at)),
  'pages by an opaque cursor': (at) =>
    one('list', { cursor: hash(at) }, JSON.stringify({ next: hash(at + 1), rows: [at * 7] })),
  'pages of numbers alone': (at) => one('read', { from: at }, `${at * 13 + 1},${at * 17 + 2}`),
  'a poll that tells percents': (at) => one('status', { job: 'x' }, `${(at / 2).toFixed(1)} % done`),
  'a poll that tells whole percents': (at) => one('status', {}, `Running: ${Math.floor(at / 2)}%`),
  'a poll that tells how many of how many': (at) => one('status', {}, `${at + 1} of 400 files`),
  'a poll that tells a fraction': (at) => one('status', {}, `step ${at + 1}/250`),
  'a poll in JSON': (at) => one('status', {}, JSON.stringify({ state: 'running', done: at, total: 300 })),
  'a poll with a share': (at) => one('status', {}, JSON.stringify({ progress: (at + 1) / 300 })),
  'a poll between which it waits': inTurn(
    () => one('sleep', { seconds: 5 }, 'ok'),
    (round) => one('status', {}, `${round} of 120 files`),
  ),
  'bisecting by a command': (at) =>
    one(
      'command',
      { command: `git bisect good ${hash(at)}` },
      `Bisecting: ${400 - at} revisions left\n[${hash(at + 1)}] ${words(at)}`,
      WRITES,
    ),
  'bisecting by a number': (at) =>
    one('command', { command: `node try.js ${2 ** 20 / (at + 1)}` }, 'bad', WRITES),
  'retries whose pauses grow, and then it works': (at) => {
    const tries = at % 8;
    if (tries === 7) return one('fetch', { url: `https://a.example/${words(at, 1)}` }, words(at), WRITES);
    return one('fetch', { url: 'https://a.example/x', backoff_ms: 2 ** tries * 100 }, 'ECONNREFUSED', {
      ...WRITES,
      failed: true,
    });
  },
  'pauses that grow between tries, and then it works': (at) => {
    const step = at % 10;
    const url = words(Math.floor(at / 10), 1);
    if (step === 9) return one('fetch', { url }, words(at), WRITES);
    if (step % 2 === 0) return one('fetch', { url }, '503', { ...WRITES, failed: true });
    return one('sleep', { seconds: 2 ** step }, 'ok', WRITES);
  },
  'one file that is edited again and again': edit,
  'one file whose version counts up': (at) =>
    one('write', { path: 'v.json', content: `{"version":"1.0.${at}"}` }, 'ok', WRITES),
  'the same tests after each edit': inTurn(edit, runTests),
  'tests, build, lint and status after each edit': inTurn(edit, runTests, build, lint, status),
  'the same looks after an edit that nobody sees': inTurn(
    (round) => one('edit', { path: 'a', text: words(round) }, 'ok', WRITES),
    runTests,
    build,
    lint,
    status,
  ),
  'tests after an edit of a number that nobody sees': inTurn(
    (round) => one('edit', { path: 'a', text: `const LIMIT = ${round};` }, 'ok', WRITES),
    runTests,
    build,
    lint,
  ),
  'the same file after each edit': inTurn(edit, (round) =>
    one('read', { path: 'src/sum.ts' }, `const sum = ${round};`),
  ),
  'a check that fails in the same way after each edit': (at) => ({
    effect: `sha256:${hash(at)}`,
    verification: 'FAIL',
  }),
  'records that are removed by their number': (at) => one('remove', { id: at }, 'ok', WRITES),
  'a log that grows': (at) => one('tail', { file: 'a.log' }, `12:00:0${at % 10} ${words(at, 3)}`),
  'words of another': (at) => ({
    heard: [words(at)],
    calls: [call('send', { to: 'b', text: words(at) }, 'sent', { numbers: 'none' })],
  }),
  'windows of numbers that an agent reads by itself': (at) =>
    one('Read', undefined, `${at * 200 + 1} ${(at * 7919) % 100_003}`),
  'commits of an agent, looked at one by one': (at) => one('Bash', undefined, `commit ${hash(at)}`),
  'several calls, one of which brings something': (at) => ({
    calls: [call('status', {}, 'idle'), call('read', { page: at }, words(at)), call('clock', {}, 'noon')],
  }),
};

describe('200 turns of honest work never stall', () => {
  it.each(Object.keys(HONEST))('%s', (name) => {
    expect(stallsAt(HONEST[name] as (at: number) => Turn, 200)).toBe(0);
  });
});

/** What differs from one look to the next though nothing has changed. */
const NOISE: Readonly<Record<string, (at: number) => string>> = {
  time: (at) => new Date(1_790_000_000_000 + at * 61_007).toISOString(),
  clock: (at) => `${String(at % 24).padStart(2, '0')}:${String((at * 7) % 60).padStart(2, '0')}:31`,
  epoch: (at) => String(1_790_000_000 + at * 61),
  counter: (at) => String(at + 1),
  uuid: (at) => `${hash(at, 8)}-${hash(at, 4)}-4${hash(at, 3)}-a${hash(at, 3)}-${hash(at, 12)}`,
  percent: (at) => `${Number.parseInt(hash(at, 6), 16) % 101}%`,
  duration: (at) => `${(Number.parseInt(hash(at, 6), 16) % 9_000) / 1_000} s`,
  port: (at) => `127.0.0.1:${40_000 + (Number.parseInt(hash(at, 6), 16) % 20_000)}`,
  temporary: (at) => `/tmp/build-${hash(at, 8)}/out`,
  pid: (at) => `[${20_000 + (Number.parseInt(hash(at, 6), 16) % 9_000)}]`,
  hash: (at) => hash(at),
  short: (at) => hash(at, 7),
  space: (at) => ' '.repeat((at % 7) + 1),
};

const anAct = fc.record({
  tool: fc.constantFrom('look', 'fetch', 'command', 'status'),
  input: fc.dictionary(fc.constantFrom('path', 'query', 'name'), fc.constantFrom('a', 'b', 'src/x.ts'), {
    maxKeys: 3,
  }),
  answer: fc.constantFrom('nothing to do', 'not found', 'still waiting for the lock', 'ok'),
  noise: fc.array(fc.constantFrom(...Object.keys(NOISE)), { minLength: 1, maxLength: 3 }),
  form: fc.constantFrom('text', 'json', 'lines'),
  failed: fc.boolean(),
  numbers: fc.constantFrom('answer' as const, 'arguments' as const, 'none' as const),
});

describe('a cycle in which nothing changes', () => {
  it('stalls in a bounded number of turns, whatever differs in its answers', () => {
    fc.assert(
      fc.property(fc.array(anAct, { minLength: 1, maxLength: 5 }), (cycle) => {
        const turnOf = (at: number): Turn => {
          const act = cycle[at % cycle.length];
          if (act === undefined) return {};
          const found = act.noise.map((name, index) => [`${name}${index}`, NOISE[name]?.(at) ?? ''] as const);
          // The order of keys is nothing new.
          const shown = at % 2 === 0 ? found : found.toReversed();
          const output =
            act.form === 'json'
              ? JSON.stringify({ ...Object.fromEntries(shown), message: act.answer })
              : [act.answer, ...found.map(([, value]) => value)].join(act.form === 'text' ? ' ' : '\n');
          const entries = Object.entries(act.input);
          const input = Object.fromEntries(at % 3 === 0 ? entries : entries.toReversed());
          return one(act.tool, input, output, { failed: act.failed, numbers: act.numbers });
        };
        const found = stallsAt(turnOf, 200);
        expect(found).toBeGreaterThanOrEqual(DEFAULT_STALL_RULES.repeats);
        // Random names fold to a few forms: each may look new once in a while.
        expect(found).toBeLessThanOrEqual(120);
      }),
      runs(300, 20_000),
    );
  });

  it.each([
    ['a counter in the arguments of a tool that reads', (at: number) => one('look', { n: at }, 'ok'), 3],
    [
      'a state that is touched by its time alone',
      (at: number) =>
        one(
          'patch',
          { set: { phase: 'x' }, updatedAt: new Date(1e12 + at * 1e5).toISOString() },
          'ok',
          WRITES,
        ),
      40,
    ],
    [
      'a counter in the arguments of a tool whose changes nobody sees',
      (at: number) => one('note', { n: at }, 'ok', WRITES),
      260,
    ],
    [
      'an act of an agent whose arguments nobody knows, and that counts',
      (at: number) => one('Bash', undefined, `run #${at}: nothing to do`),
      260,
    ],
    [
      'several such acts, with ids and times',
      inTurn(
        (round) => one('Bash', undefined, `request ${hash(round)}: idle`),
        (round) =>
          one('Read', undefined, `idle since ${new Date(1e12 + round * 1e5).toISOString()}, try ${round}`),
        (round) => one('Bash', undefined, `pid ${round + 4000}: nothing to do`),
      ),
      260,
    ],
    [
      'the same where its changes are seen, and there are none',
      (at: number) => one('command', { command: `sleep ${at}; echo ok` }, 'ok', { numbers: 'seen' }),
      40,
    ],
    ...(
      [
        ['a counter', (at: number) => `ls # ${at}`],
        ['other words', (at: number) => `ls # try ${word(at)}`],
        ['a line before it', (at: number) => `# ${word(at)}\nls`],
        ['a line behind it', (at: number) => `ls; # ${word(at)}\n`],
        ['blanks', (at: number) => `${' '.repeat(at % 3)}ls${'\t'.repeat(at % 2)} ${' '.repeat(at)}-l \n`],
        ['a line that goes on', (at: number) => (at % 2 === 0 ? 'ls -l' : 'ls \\\n  -l;')],
      ] as const
    ).flatMap(([title, command]) =>
      [WRITES, SHELL].map(
        (how) =>
          [
            `a command that differs in ${title}, ${how.numbers}`,
            (at: number) =>
              one('run', { command: command(at), description: `List ${word(at)}` }, 'a\nb', how),
            3,
          ] as const,
      ),
    ),
    [
      'a search that finds nothing, for ever',
      (at: number) => one('search', { query: word(at) }, '[]', { numbers: 'answer' }),
      260,
    ],
    [
      'reasons for the same look',
      (at: number) => one('read', { path: 'a', reason: word(at) }, 'text', { numbers: 'answer' }),
      260,
    ],
    [
      'a search by numbers that finds nothing, for ever',
      (at: number) => one('search', { id: at }, '[]'),
      260,
    ],
    [
      'a query that differs in blanks and cases',
      (at: number) => one('search', { query: `${at % 2 ? 'Foo' : 'foo'}${' '.repeat(at)}` }, 'none'),
      4,
    ],
    ['a counter that goes on for ever', (at: number) => one('status', {}, `${at * 3} rows`), 260],
    ['a number of looks', (at: number) => one('status', {}, `waiting, seen ${at} times`), 12],
    [
      'numbers of turns, told by several acts',
      inTurn(
        (round) => one('status', {}, `turn ${round * 3}: nothing`),
        (round) => one('queue', {}, `${round * 3 + 1} looks, nothing to do`),
        (round) => one('status', { of: 'b' }, JSON.stringify({ step: round, state: 'idle' })),
      ),
      20,
    ],
    ['a counter that turns', (at: number) => one('status', {}, `${at % 3} rows`), 20],
    [
      'numbers of processes',
      (at: number) =>
        one('look', {}, `pid ${Number.parseInt(hash(at, 4), 16)}, ${Number.parseInt(hash(-at, 4), 16)} kB`),
      40,
    ],
    ['a percentage that goes round', (at: number) => one('status', {}, `${at % 101} % done`), 140],
    ['a share that only trembles', (at: number) => one('status', {}, `${50 + (at % 3)} of 90 files`), 40],
    [
      'pauses that grow for ever',
      (at: number) =>
        one('fetch', { url: 'a', backoff_ms: 2 ** at }, 'ECONNREFUSED', { ...WRITES, failed: true }),
      40,
    ],
    [
      'one change that is made and taken back',
      (at: number) => ({
        effect: `sha256:${hash(at % 2)}`,
        calls: [call('edit', { to: at % 2 }, 'ok', WRITES)],
      }),
      40,
    ],
    [
      'looks between which the same change is made again',
      inTurn(() => ({ effect: 'sha256:aa' }), runTests, build, lint, status),
      40,
    ],
  ] as const)('%s', (_title, turnOf, bound) => {
    const found = stallsAt(turnOf, 700);
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThanOrEqual(bound);
  });
});
