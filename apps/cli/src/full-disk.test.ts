import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../test/runs.js';
import { BIN, cuebook, folderWith } from '../test/cuebook.js';
import { TEMPLATE } from './init/template.js';

const exec = promisify(execFile);

// The limit of a file's size stands in for a disk that is full: every write past it fails.
const BLOCKS = [0, 1, 16, 64];

describe.skipIf(process.platform === 'win32')('a disk that takes no more', () => {
  it.each(BLOCKS)(
    'is told as such, and a run goes through when there is room again: %d blocks',
    async (blocks) => {
      const cwd = folderWith(TEMPLATE);
      const line = `ulimit -f ${blocks}; exec "${process.execPath}" "${BIN}" run sheet:review 2>&1 | cat`;
      const env = { PATH: process.env.PATH, HOME: '/nonexistent' };
      const { stdout } = await exec('bash', ['-c', line], { cwd, env });
      expect(stdout).toMatch(/error E_(?:JOURNAL_UNAVAILABLE|DISK) /);
      expect(stdout).not.toContain('E_INTERNAL');
      expect((await cuebook(['run', 'sheet:review'], { cwd })).code).toBe(0);
      expect((await cuebook(['verify', '--all'], { cwd })).code).toBe(0);
    },
  );

  it('keeps a run waiting for room only until it is stopped', async () => {
    const line = `ulimit -f 256; exec "${process.execPath}" "${BIN}" run sheet:review`;
    const env = { PATH: process.env.PATH, HOME: '/nonexistent' };
    const child = spawn('bash', ['-c', line], { cwd: folderWith(TEMPLATE), env });
    const ended = new Promise((resolve) => child.on('exit', () => resolve('ended')));
    const told = new Promise<void>((resolve) => {
      let text = '';
      child.stderr.on('data', (more) => {
        text += String(more);
        if (/could not be written/.test(text)) resolve();
      });
    });
    await Promise.race([told, ended]);
    child.kill('SIGTERM');
    expect(await ended).toBe('ended');
  });
});
