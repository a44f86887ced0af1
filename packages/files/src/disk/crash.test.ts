import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { compilePackage } from '../../../../test/compile.js';
import { itInTurn as it } from '../../../../test/runs.js';
import { makeScratch, must, outcome, photograph, plant, WAYS } from '../../test/scratch.js';
import type { FaultPoint } from '../fault.js';
import { openFolder } from '../files.js';

const OLD = 'old '.repeat(200_000);
const NEW = 'new '.repeat(250_000);

/** Which content stands when a writer is stopped at a point. */
const POINTS: readonly (readonly [FaultPoint, 'old' | 'new'])[] = [
  ['located', 'old'],
  ['temporary-created', 'old'],
  ['partly-written', 'old'],
  ['written', 'old'],
  ['synced', 'old'],
  ['checked', 'old'],
  ['renamed', 'new'],
  ['directory-synced', 'new'],
];

describe.each(WAYS)('%s: a failure', (_way, options) => {
  it.each(POINTS)('at %s is an error, leaves the %s content whole and no other file', async (at, kept) => {
    const { root } = await makeScratch();
    plant(root, { 'd/a.md': OLD });
    const fault = (point: FaultPoint): void => {
      if (point === at) throw Object.assign(new Error(`no space left, write '${root}'`), { code: 'ENOSPC' });
    };
    const files = must(await openFolder(root, { ...options, fault }));
    const result = await files.writeText('d/a.md', NEW);
    expect(result).toEqual({ ok: false, error: { code: 'E_DISK', path: 'd/a.md', system: 'ENOSPC' } });
    expect(whichContent(photograph(root))).toEqual({ d: '(no file)', 'd/a.md': kept });
  });
});

describe('a killed process', () => {
  let built: ReturnType<typeof compilePackage>;
  beforeAll(() => {
    built = compilePackage('files');
  });
  afterAll(() => built.remove());

  const cases = WAYS.flatMap(([way, options]) => POINTS.map(([at, kept]) => ({ way, options, at, kept })));
  it.each(cases)('$way: at $at leaves the $kept content whole', async ({ options, at, kept }) => {
    const { root, files } = await makeScratch();
    plant(root, { 'd/a.md': OLD });
    expect(await killAt(built.url, root, at, options)).toBe('SIGKILL');

    // Whatever is left besides the file is no data to anybody who lists or walks.
    const left = whichContent(photograph(root));
    expect(left['d/a.md']).toBe(kept);
    const seen: unknown[] = [];
    for await (const path of files.walk('@project')) seen.push(must(path));
    expect(seen).toEqual(['@project/d/a.md']);
    expect(must(await files.readText('@project/d/a.md'))).toBe(kept === 'old' ? OLD : NEW);

    expect(outcome(await files.writeText('@project/d/a.md', 'after'))).toBe('ok');
    expect(must(await files.sweep('@project/d', { olderThanMs: -60_000 }))).toBe(
      Object.keys(left).length - 2,
    );
    expect(photograph(root)).toEqual({ d: '(no file)', 'd/a.md': 'after' });
  });
});

/** Writes in a child that kills itself at the point; answers the signal that ended it. */
function killAt(url: string, root: string, at: FaultPoint, options: object): Promise<string | null> {
  const script = `
    const { openFolder } = await import(${JSON.stringify(url)});
    const fault = (point) => { if (point === ${JSON.stringify(at)}) process.kill(process.pid, 'SIGKILL'); };
    const files = await openFolder(${JSON.stringify(root)}, { ...${JSON.stringify(options)}, fault });
    await files.value.writeText('d/a.md', 'new '.repeat(250000));
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: join(root, '..') });
  return new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
}

function whichContent(seen: Record<string, string>): Record<string, string> {
  const name = (content: string): string => (content === OLD ? 'old' : content === NEW ? 'new' : content);
  return Object.fromEntries(Object.entries(seen).map(([path, content]) => [path, name(content)]));
}
