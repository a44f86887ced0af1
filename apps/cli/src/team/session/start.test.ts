import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { quoted } from '@cuebook/prompt/hint';
import { describe, expect } from 'vitest';
import { ROOT } from '../../../../../test/root.js';
import { itInTurn as it, sampled } from '../../../../../test/runs.js';
import { folderWith } from '../../../test/cuebook.js';
import { git } from '../../../test/git.js';
import { missing, TERMINAL, watch } from '../../../test/terminal.js';

const SCRIPT = join(ROOT, 'scripts/start.mjs');
const COLOURLESS = { TERM: 'xterm', NO_COLOR: '1' };

/** `npm start` with each of its streams on a terminal (t) or elsewhere (p): `tpt` has its output in a pipe. */
function start(streams: string, folder: string, ...more: readonly string[]) {
  // A home of its own: what Node keeps there is none of the sample's.
  const env = { PATH: process.env.PATH, HOME: dirname(folder), ...COLOURLESS };
  const program = ['sh', '-c', 'echo pid=$$ >&2; exec "$@"', 'sh', process.execPath, SCRIPT, folder, ...more];
  const child =
    streams === 'ppp'
      ? spawn('sh', ['-c', `${program.map(quoted).join(' ')} < /dev/null`], { cwd: ROOT, env })
      : spawn(TERMINAL, ['-qfec', `stty cols 120 rows 40; ${streamed(streams, program)}`, '/dev/null'], {
          ...{ cwd: ROOT, env },
        });
  const watched = watch(child);
  const pid = () => Number(/pid=(\d+)/.exec(watched.seen())?.[1]);
  return {
    ...watched,
    types: (line: string) => child.stdin.write(`${line}\r`),
    screen: () => stripVTControlCharacters(watched.seen()).replaceAll('\r', ''),
    async stops() {
      process.kill(pid(), 'SIGINT');
      return watched.ended;
    },
  };
}

/** A line of shell that is run at a terminal, with some streams led away from it and what they hold shown all the same. */
function streamed([input, output, errors]: string, program: readonly string[]): string {
  const line = `${program.map(quoted).join(' ')}${input === 't' ? '' : ' < /dev/null'}`;
  if (output === 't') return errors === 't' ? line : `{ ${line} 2>&1 >&3 | cat; } 3>&1`;
  return errors === 't' ? `${line} | cat` : `${line} 2>&1 | cat`;
}

const linkIn = (screen: string): string => /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/.exec(screen)?.[0] ?? '';

describe.skipIf(missing !== '')(`npm start at a terminal${missing}`, () => {
  it('shows the team at work, takes the answers there, and the run comes to its end', async () => {
    const folder = join(folderWith(), 'sample');
    const run = start('ttt', folder);
    await run.sees(/#1 \? dev asks for edit/);
    run.types('allow');
    await run.sees(/#2 \? dev asks for edit/);
    run.types('grant');
    await run.sees(/\? dev asks for command/);
    run.types('allow');
    await run.sees(/✓ run_\w+ completed: greet\.mjs speaks German/);
    await run.sees('Ctrl-C stops the server.');
    const screen = run.screen();
    expect(screen).toMatch(/lead +→ plan[\s\S]*plan +✓ edit docs\/plan\.md[\s\S]*dev +✓ edit greet\.mjs/);
    expect(screen).toMatch(/dev +✓ command node greet\.mjs de → [\s\S]*review +✓ command node --test/);
    const link = linkIn(screen);
    expect(await run.stops()).toBe(0);

    // The next start has the same sample, record and address, and what was applied since.
    writeFileSync(join(folder, 'mine.txt'), 'mine\n');
    const again = start('ttt', folder);
    await again.sees('Ctrl-C stops the server.');
    expect(again.screen()).toMatch(/The run of last time is completed: run_\w+/);
    expect(linkIn(again.screen())).toBe(link);
    expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine\n');

    // While it is up, another start says where, and --fresh takes nothing away.
    const second = start('ppp', folder);
    expect(await second.ended).toBe(0);
    expect(second.screen()).toContain(`Cuebook is up already: ${link}`);
    const fresh = start('ppp', folder, '--fresh');
    expect(await fresh.ended).toBe(2);
    expect(fresh.screen()).toContain('stop it first');
    expect(await again.stops()).toBe(0);

    // A new one in its place; there a denial is heeded: what was denied is not done, and the run says so.
    const anew = start('ttt', folder, '--fresh');
    await anew.sees(/#1 \? dev asks for edit/);
    expect(existsSync(join(folder, 'mine.txt'))).toBe(false);
    anew.types('deny Not now.');
    await anew.sees(/✗ run_\w+ failed: A person denied the change, so it was not made\./);
    await anew.sees('Ctrl-C stops the server.');
    expect(anew.screen()).toMatch(/dev +✗ edit greet\.mjs not done: Not now\./);
    expect(anew.screen()).not.toContain('#2 ?');
    expect(anew.screen()).not.toContain('speaks German');
    expect(git(folder, 'status', '--porcelain')).toBe('');
    expect(await anew.stops()).toBe(0);
  });

  const COMBINATIONS = ['ttp', 'tpt', 'tpp', 'ptt', 'ptp', 'ppt', 'ppp'];
  it.each(sampled(COMBINATIONS, 1))(
    'with the streams %s the team is seen at work, and it is said how to answer',
    async (streams) => {
      const folder = join(folderWith(), 'a sample');
      const run = start(streams, folder);
      const isAsked = streams.startsWith('tt');
      if (isAsked) {
        await run.sees(/#1 \? dev asks for edit/);
        run.types('quit');
      }
      await run.sees('Ctrl-C stops the server.');
      const screen = run.screen();
      expect(screen).toMatch(/lead +→ plan[\s\S]*plan +changed docs\/plan\.md[\s\S]*dev asks for edit/);
      const place = `--project '${folder}'`;
      expect(screen).toContain(`npx --no-install cuebook attach ${place}`);
      if (!isAsked)
        expect(screen).toMatch(new RegExp(`npx --no-install cuebook approvals allow apr_\\w+ ${place}`));
      expect(await run.stops()).toBe(0);
    },
  );
});

describe('npm start', () => {
  it('without git says so, and makes nothing', () => {
    const folder = join(folderWith(), 'sample');
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, folder], {
      cwd: ROOT,
      env: { PATH: folderWith(), HOME: folder },
    });
    expect([status, stderr.toString()]).toEqual([3, expect.stringContaining('git was not found')]);
    expect(existsSync(folder)).toBe(false);
  });

  it.each([
    ['a folder of somebody else', (folder: string) => [folder], 'is no sample'],
    ['a folder of somebody else, anew', (folder: string) => [folder, '--fresh'], 'is no sample'],
    ['a flag that there is not', () => ['--frech'], '--frech has no place here'],
  ])('leaves %s as it is', (_name, args, words) => {
    const folder = folderWith({ 'notes.txt': 'mine' });
    const before = statSync(join(folder, 'notes.txt')).mtimeMs;
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, ...args(folder)], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: folder },
    });
    expect([status, stderr.toString()]).toEqual([2, expect.stringContaining(words)]);
    expect(statSync(join(folder, 'notes.txt')).mtimeMs).toBe(before);
  });
});
