import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMounts } from '@cuebook/files';
import { describe, expect, it } from 'vitest';
import { isRunning } from '../../../../test/running.js';
import { makeRoot } from '../../test/scratch.js';
import { DEFAULT_POLICY, type ToolPolicy } from '../policy/policy.js';
import { createTerminal } from './terminal.js';

async function terminal(policy: Partial<ToolPolicy['terminal']> = {}, tree: Record<string, string> = {}) {
  const project = makeRoot(tree);
  const files = await openMounts([
    { alias: '@project', root: project, access: 'rw' },
    { alias: '@pkg', root: makeRoot({ 'sub/x.md': '' }), access: 'ro' },
  ]);
  if (!files.ok) throw new Error(files.error.code);
  const own = createTerminal({
    policy: { ...DEFAULT_POLICY.terminal, enabled: true, ...policy },
    files: files.value,
    project,
    env: { PATH: process.env.PATH, HOME: '/home/kim', SECRET_KEY: 'abc' },
  });
  const run = (args: unknown, signal = new AbortController().signal) => own.run(args, signal);
  return { project, run };
}

describe('terminal.run', () => {
  it('runs a program in a folder of the project and tells what it said', async () => {
    const { run } = await terminal({}, { 'sub/here.md': '' });
    const done = await run({ command: 'ls', cwd: '@project/sub' });
    expect(done).toMatchObject({ ok: true, exitCode: 0, stdout: 'here.md\n', stderr: '' });
    expect(await run({ command: 'sh', args: ['-c', 'echo oh >&2; exit 3'] })).toMatchObject({
      ok: true,
      exitCode: 3,
      stderr: 'oh\n',
    });
  });

  it('no shell reads what it is given', async () => {
    const { run, project } = await terminal();
    const words = ['$(touch ran)', '; touch ran', '`touch ran`', '&& touch ran', '\n touch ran'];
    const done = await run({ command: 'echo', args: words });
    expect(done).toMatchObject({ stdout: `${words.join(' ')}\n` });
    expect(existsSync(join(project, 'ran'))).toBe(false);
  });

  it.each([
    ['a path', 'bin/evil'],
    ['an absolute path', '/bin/sh'],
    ['a climbing path', '../evil'],
    ['a shell line', 'ls; rm x'],
    ['a flag', '-x'],
    ['an alias', '@project/evil'],
  ])('a command that is no bare name is refused: %s', async (_, command) => {
    const { run } = await terminal();
    expect(await run({ command })).toMatchObject({ ok: false, error: { code: 'COMMAND_NOT_ALLOWED' } });
  });

  it('the policy can name the programs', async () => {
    const { run } = await terminal({ commands: ['echo'] });
    expect(await run({ command: 'echo' })).toMatchObject({ ok: true });
    expect(await run({ command: 'ls' })).toMatchObject({ ok: false, error: { code: 'COMMAND_NOT_ALLOWED' } });
  });

  it('runs in no other folder', async () => {
    const { run, project } = await terminal({}, { 'a.md': '' });
    symlinkSync(tmpdir(), join(project, 'out'));
    for (const [cwd, code] of [
      ['@pkg', 'CWD_NOT_ALLOWED'],
      ['@pkg/sub', 'CWD_NOT_ALLOWED'],
      ['/tmp', 'E_SANDBOX_VIOLATION'],
      ['@project/../x', 'E_SANDBOX_VIOLATION'],
      ['@project/out', 'E_SANDBOX_VIOLATION'],
      ['@project/a.md', 'CWD_NOT_ALLOWED'],
      ['@project/none', 'ENOENT'],
    ]) {
      expect([cwd, await run({ command: 'ls', cwd })]).toMatchObject([cwd, { ok: false, error: { code } }]);
    }
  });

  it('output is bounded, and the program is not held up by it', async () => {
    const { run } = await terminal({ maxStdoutBytes: 100 });
    const done = await run({ command: 'sh', args: ['-c', 'head -c 1000000 /dev/zero | tr "\\0" x'] });
    expect(done).toMatchObject({ ok: true, exitCode: 0, stdoutTruncated: true, stdout: 'x'.repeat(100) });
  });

  it('time is bounded by the policy, whatever is asked for, and what it started ends with it', async () => {
    // Long enough for a busy machine to start a shell.
    const { run, project } = await terminal({ timeoutMs: 5_000 });
    const script = 'sleep 600 & echo $! > child.pid; echo started; sleep 600';
    const done = await run({ command: 'sh', args: ['-c', script], timeoutMs: 600_000 });
    expect(done).toMatchObject({
      ok: false,
      error: { code: 'EXEC_TIMEOUT', details: { stdout: 'started\n' } },
    });
    const child = Number(readFileSync(join(project, 'child.pid'), 'utf8'));
    await expect.poll(() => isRunning(child)).toBe(false);
  });

  it('a stop ends it', async () => {
    const { run } = await terminal();
    const stop = new AbortController();
    const done = run({ command: 'sleep', args: ['600'] }, stop.signal);
    stop.abort();
    expect(await done).toMatchObject({ ok: false, error: { code: 'EXEC_ABORTED' } });
  });

  it('sees nothing of the environment but where programs are', async () => {
    const { run } = await terminal();
    const done = await run({ command: 'env' });
    const names = String(done.ok && done.stdout)
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(names).not.toContain('HOME');
    expect(names).not.toContain('SECRET_KEY');
    expect(names).toContain('PATH');
  });

  it('a program that is not there, and arguments that do not fit, are results', async () => {
    const { run } = await terminal();
    expect(await run({ command: 'no-such-program-here' })).toMatchObject({
      error: { code: 'COMMAND_NOT_FOUND' },
    });
    expect(await run({ program: 'ls' })).toMatchObject({ error: { code: 'E_INVALID_ARGS' } });
    expect(await run({ command: 'ls', args: ['a\0b'] })).toMatchObject({ ok: false });
  });
});
