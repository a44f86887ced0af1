import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { COMMANDS } from '../commands.js';
import { TEMPLATE } from '../init/template.js';
import { wantedAt } from './candidates.js';

const complete = async (cwd: string, ...words: string[]): Promise<readonly string[]> => {
  const { stdout } = await cuebook(['__complete', '--', 'cuebook', ...words], { cwd });
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
};

describe('completion', () => {
  it.each([
    { words: ['re'], offers: ['render', 'replay', 'redact'] },
    { words: ['render', 'sheet:'], offers: ['sheet:review', 'sheet:triage'] },
    { words: ['render', '--reveal', 'sheet:r'], offers: ['sheet:review'] },
    { words: ['render', '--set', 'a=b', 'sheet:t'], offers: ['sheet:triage'] },
    { words: ['diff', 'sheet:review', 'sheet:t'], offers: ['sheet:triage'] },
    { words: ['render', 'sheet:review', 'sheet:'], offers: [] },
    { words: ['render', '--se'], offers: ['--set'] },
    { words: ['check', '--s'], offers: ['--sarif'] },
    { words: ['completion', ''], offers: ['bash', 'zsh', 'fish'] },
    { words: ['help', 'E_PROMPT'], offers: ['E_PROMPT_LEAK'] },
    { words: ['approvals', 'a'], offers: ['allow', 'answer'] },
    { words: ['approvals', 'answer', ''], offers: [] },
    { words: ['render', '--project', 'x'], offers: [] },
    { words: ['nothing', 'x'], offers: [] },
  ])('of $words offers $offers', async ({ words, offers }) => {
    expect(await complete(folderWith(TEMPLATE), ...words)).toEqual(offers);
  });

  it('offers every flag of every command', () => {
    for (const { name, flags, hidden } of COMMANDS) {
      if (hidden === true) continue;
      const wanted = wantedAt(COMMANDS, ['cuebook', name, '--']);
      const offered = wanted.kind === 'candidates' ? wanted.candidates.map(({ value }) => value) : [];
      expect(offered).toEqual(expect.arrayContaining(flags.map((flag) => `--${flag.name}`)));
    }
  });

  it('answers nothing, and no error, outside a project', async () => {
    const { code, stdout, stderr } = await cuebook(['__complete', '--', 'cuebook', 'render', ''], {
      cwd: folderWith(),
    });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('the scripts', () => {
  it.each(['bash', 'zsh', 'fish'])('for %s name every command and ask for the rest', async (shell) => {
    const { stdout, code } = await cuebook(['completion', shell], { cwd: folderWith() });
    expect(code).toBe(0);
    for (const { name, hidden } of COMMANDS) if (hidden !== true) expect(stdout).toContain(name);
    expect(stdout).toContain('cuebook __complete --');
  });

  it.each([
    { line: 'cuebook re', replies: ['render', 'replay', 'redact'] },
    { line: 'cuebook render sheet:re', replies: ['review'] },
    { line: 'cuebook render she', replies: ['sheet:review', 'sheet:triage'] },
    { line: 'cuebook render ', replies: ['sheet:review', 'sheet:triage'] },
    { line: 'cuebook check --s', replies: ['--sarif'] },
  ])('for bash complete "$line"', async ({ line, replies }) => {
    const { stdout: script } = await cuebook(['completion', 'bash'], { cwd: folderWith() });
    // A stand-in for the command answers from what the real one says; bash and its word splitting are real.
    const answers = ['sheet:review', 'sheet:triage', '--sarif'].map((value) => `${value}\\tx`).join('\\n');
    const words = line.split(/([\s:])/).filter((word) => word.trim() !== '');
    const cword = line.endsWith(' ') ? words.length : words.length - 1;
    const test = `${script}
cuebook() { printf '%b\\n' '${answers}'; }
COMP_LINE='${line}' COMP_POINT=${line.length} COMP_CWORD=${cword}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
_cuebook
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const out = execFileSync('bash', ['-c', test], { encoding: 'utf8' });
    const offered = out.split('\n').filter((reply) => reply !== '');
    expect(offered.filter((reply) => line.includes('--s') || !reply.startsWith('--'))).toEqual(replies);
  });
});
