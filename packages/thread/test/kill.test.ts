import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { buildProgram, type ChildProgram } from '../../../test/child-program.js';
import { itInTurn as it, SEED, sampled, share } from '../../../test/runs.js';
import { sideBySide } from '../../../test/side-by-side.js';
import { type ChildTask, type KillPoint, WORLD } from './child/task.js';

/** Two folders below `packages/define`, as the file is that starts the threads of a project, so that it finds them. */
const BESIDE_DEFINE = new URL('../../define/node_modules/', import.meta.url);

let child: ChildProgram;
beforeAll(async () => {
  child = await buildProgram(new URL('./child/program.ts', import.meta.url), BESIDE_DEFINE);
});
afterAll(() => child.remove());

interface Ended {
  readonly how: string | number | null;
  readonly trace: readonly { readonly type: string }[];
  readonly errors: string;
}

function runChild(task: ChildTask): Promise<Ended> {
  return new Promise((resolve) => {
    const started = spawn(process.execPath, [child.program, JSON.stringify(task)], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let errors = '';
    let trace: Ended['trace'] = [];
    started.stderr?.on('data', (bytes) => {
      errors += bytes;
    });
    started.on('message', (lines) => {
      trace = lines as Ended['trace'];
    });
    started.once('exit', (code, signal) => resolve({ how: signal ?? code, trace, errors }));
  });
}

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'thread-kill-'));
  folders.push(folder);
  return folder;
}

const worldOf = (folder: string): readonly string[] =>
  readFileSync(join(folder, WORLD), 'utf8').trimEnd().split('\n');

/** Ids follow from commands, and a person's answer is one more command: they are told by the order they come in. */
function named(trace: Ended['trace']): unknown {
  const names = new Map<string, string>();
  const text = JSON.stringify(trace.map((line) => ({ ...line, hash: undefined })));
  return JSON.parse(
    text.replaceAll(/\b(thr|sub|msg|call|apr)_[0-9a-f]+/g, (id, kind: string) => {
      const name = names.get(id) ?? `${kind} ${names.size + 1}`;
      names.set(id, name);
      return name;
    }),
  );
}

const POINTS = [
  ...(['intended', 'begun', 'performed', 'settled'] as const).map(
    (point) => ({ part: 'engine', point }) as const,
  ),
  ...(['before', 'after'] as const).map((when) => ({ part: 'store', point: 'commit', when }) as const),
];

/** Every point at every hit in a soak; in a test some points once, at hits that differ from point to point. */
function kills(): readonly KillPoint[] {
  if (share(0, 1) === 1)
    return POINTS.flatMap((point) =>
      Array.from({ length: 14 }, (_, index) => ({ ...point, hit: index + 1 }) as KillPoint),
    );
  return sampled(POINTS, 3).map(
    (point, index) => ({ ...point, hit: 2 + ((SEED + index * 5) % 10) }) as KillPoint,
  );
}

it('kill -9 at any point: the thread goes on, nothing that was done is done again, and the trace is the same', async () => {
  const whole = newFolder();
  const uninterrupted = await runChild({ folder: whole });
  expect(uninterrupted).toMatchObject({ how: 0, errors: '' });
  expect(uninterrupted.trace.filter(({ type }) => type === 'request')).toHaveLength(10);
  expect(worldOf(whole)).toEqual(['1', '2', '3', '4', '5']);
  let count = 0;
  // Each waits for processes to start, so several are under way.
  await sideBySide(kills(), 4, async (kill) => {
    const folder = newFolder();
    const killed = await runChild({ folder, kill });
    // A run does not come by every point as often as a soak asks for.
    if (share(0, 1) === 1 && killed.how === 0) return;
    expect(killed).toMatchObject({ how: 'SIGKILL', errors: '' });
    count += 1;
    const { how, trace, errors } = await runChild({ folder });
    expect({ kill, how, errors, trace: named(trace) }).toEqual({
      kill,
      how: 0,
      errors: '',
      trace: named(uninterrupted.trace),
    });
    // A tool that may be repeated may have acted twice; every other has acted once.
    expect({ kill, world: worldOf(folder).filter((n) => ['1', '3', '5'].includes(n)) }).toEqual({
      kill,
      world: ['1', '3', '5'],
    });
    expect(new Set(worldOf(folder))).toEqual(new Set(['1', '2', '3', '4', '5']));
  });
  console.log(`kill -9 of a thread: ${count} kills, seed ${SEED}`);
  expect(count).toBeGreaterThanOrEqual(share(3, POINTS.length));
});
