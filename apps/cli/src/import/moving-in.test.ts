import { describe, expect, it } from 'vitest';
import { shellWords } from '../../../../test/hints.js';
import { REPOSITORIES } from '../../../../test/repositories.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

/** The installation is one more, and the last shows where a word comes from. */
const MOST_COMMANDS = 7;

/** The command lines that a command printed, each on a line of its own; behind three spaces stands what it is for. */
const linesIn = (printed: string): readonly string[] =>
  printed
    .split('\n')
    .map((line) => line.trim().replace(/ {3}.*$/, ''))
    .filter((line) => line.startsWith('cuebook '));

describe('a repository is moved in by typing what the command before has printed', () => {
  it.each(Object.keys(REPOSITORIES))('%s', async (kind) => {
    const { files = {}, written } = REPOSITORIES[kind] ?? {};
    const cwd = folderWith(files);
    const typed: string[] = [];
    const type = async (line: string): Promise<string> => {
      typed.push(line);
      const { code, stdout, stderr } = await cuebook(shellWords(line).slice(1), { cwd });
      expect(code, `${line}\n${stdout}${stderr}`).toBe(0);
      return `${stdout}\n${stderr}`;
    };
    let printed = await type('cuebook import');
    for (const name of ['import', 'check', 'run', 'explain']) {
      const next = linesIn(printed).find(
        (line) => line.startsWith(`cuebook ${name} `) || line === `cuebook ${name}`,
      );
      expect(next, `after ${typed.at(-1)}:\n${printed}`).toBeDefined();
      printed = await type(next ?? '');
      if (name === 'import') expect(printed).toContain(`${written} files written`);
      if (name === 'check') expect(printed).toContain('✓ 0 errors');
    }
    expect(printed).toMatch(/^from +file (?:texts|sheets)\/\S+:\d+:\d+$/m);
    expect(typed.length).toBeLessThanOrEqual(MOST_COMMANDS);
  });
});
