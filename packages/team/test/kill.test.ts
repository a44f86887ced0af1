import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildProgram, type ChildProgram } from '../../../test/child-program.js';
import { itInTurn, SEED, sampled, share } from '../../../test/runs.js';
import { type Account, accountOf } from './child/account.js';
import { SERVED } from './child/scenario.js';
import { describeMoment, type KillPoint, MOMENTS, type Moment } from './child/task.js';
import { initRepository } from './host-stand.js';

let child: ChildProgram;
let expected: Account;
const roots: string[] = [];

beforeAll(async () => {
  child = await buildProgram(new URL('./child/program.ts', import.meta.url));
  const root = newRoot();
  expect(await runChild(root)).toBe(0);
  expected = await accountOf(root);
});
afterAll(() => {
  child.remove();
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

const LEASE_MS = 60_000;
const SERVER = fileURLToPath(new URL('../../provider/test/fixtures/mcp/server.mjs', import.meta.url));

itInTurn(
  'kill -9 at every point: the end, the artifacts and what was done are those of a run that nobody killed',
  async () => {
    requireWhole();
    const chosen = sampled(MOMENTS, PER_RUN);
    const left = await killAt(chosen.map((moment, index) => ({ ...moment, hit: hitOf(moment, index) })));
    // Points that were behind the run when their turn came: each is the first of a run of its own.
    for (const moment of left) expect(await killAt([{ ...moment, hit: 1 }])).toEqual([]);
  },
);

if (share(0, 1) === 1)
  test('kill -9 at 200 random points', async () => {
    requireWhole();
    console.log(`seed ${SEED}`);
    let state = SEED;
    const random = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    for (let kills = 0; kills < 200; ) {
      const points = Array.from({ length: 10 }, (): KillPoint => {
        const moment = MOMENTS[random(MOMENTS.length)];
        if (moment === undefined) throw new Error('no moment');
        return { ...moment, hit: 1 + random(12) };
      });
      const left = await killAt(points);
      kills += points.length - left.length;
    }
  });

/** The run that the others are compared with does what it should. */
function requireWhole(): void {
  expect(expected).toMatchObject({
    status: 'completed',
    result: { summary: 'All is kept.' },
    world: ['once', 'served'],
    problems: [],
  });
  expect(expected.effects).toMatchObject({
    'a node.turn': 3,
    'a tool.call write_file': 1,
    'b tool.call command': 1,
    'c diff.set-aside': 1,
    'd tool.call delete_file': 1,
    'd tool.call mcp.world.append': 1,
    'a verify.run': 1,
  });
  expect(expected.artifacts.length).toBeGreaterThan(3);
}

/**
 * Runs to their ends through kills at these points, several in each: a process goes on where the last one was
 * killed. The answer is those that no process came by.
 */
async function killAt(points: readonly KillPoint[]): Promise<readonly KillPoint[]> {
  const left: KillPoint[] = [];
  for (let at = 0; at < points.length; at += PER_RUN) {
    const root = newRoot();
    const killed: string[] = [];
    let isOver = false;
    for (const point of points.slice(at, at + PER_RUN)) {
      const how: string | number | null = isOver ? 0 : await runChild(root, point);
      isOver ||= how === 0;
      if (how === 'SIGKILL') killed.push(describeMoment(point));
      else left.push(point);
    }
    if (!isOver) expect([killed, await runChild(root)]).toEqual([killed, 0]);
    expect({ killed, ...(await accountOf(root)) }).toEqual({ killed, ...expected });
  }
  return left;
}

const PER_RUN = 9;

/** What comes often is killed at later times, so that much is in flight; what comes seldom at once. */
const hitOf = ({ part }: Moment, index: number): number => (part === 'store' ? 2 + ((index + SEED) % 5) : 1);

function newRoot(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'team-kill-')));
  roots.push(root);
  for (const folder of ['project', 'home']) mkdirSync(join(root, folder), { mode: 0o700 });
  for (const name of ['a.txt', 'old.txt']) writeFileSync(join(root, 'project', name), `${name}\n`);
  const world = { command: process.execPath, args: [SERVER, 'world', join('..', SERVED)] };
  writeFileSync(join(root, 'project', 'cuebook.yaml'), JSON.stringify({ servers: { world } }));
  initRepository(join(root, 'project'));
  return root;
}

function runChild(root: string, kill?: KillPoint): Promise<string | number | null> {
  const task = { root, leaseMs: LEASE_MS, ...(kill ? { kill } : {}) };
  const started = spawn(process.execPath, [child.program, JSON.stringify(task)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  started.stderr.on('data', (bytes) => {
    errors += bytes;
  });
  return new Promise((resolve, reject) => {
    started.once('error', reject);
    started.once('exit', (code, signal) => {
      if (code !== 0 && signal !== 'SIGKILL')
        reject(new Error(`the child ended with ${code ?? signal}: ${errors}`));
      else resolve(signal ?? code);
    });
  });
}
