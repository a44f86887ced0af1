import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { missing, terminal } from '../../test/terminal.js';

const LIMIT = 120_000;
const DOWN = '\u001b[B';
const PROMPT = JSON.stringify([
  {
    name: 'reply',
    version: 1,
    type: 'chat',
    labels: ['production'],
    prompt: [
      { role: 'system', content: 'Be {{tone}}.' },
      { role: 'user', content: 'Q: {{question}}' },
    ],
  },
]);

const sheetIn = (cwd: string): string => readFileSync(join(cwd, 'sheets/reply.yaml'), 'utf8');

describe.skipIf(missing !== '')(`a person who imports at a terminal${missing}`, () => {
  it(
    'is asked who can write each input, and told how to say it without questions',
    async () => {
      const cwd = folderWith({ 'cuebook.yaml': '', 'prompts.json': PROMPT });
      const listed = terminal(cwd, 'import');
      await listed.ended;
      expect(listed.seen()).toMatch(/import \.\r?\n {4}you are asked who can write each input/);
      const asked = terminal(cwd, 'import .');
      await asked.sees(/"tone".*in a system message of sheet:reply/s);
      await asked.sees('external   anybody');
      asked.types(DOWN);
      await asked.sees('A system message may hold only what operators write');
      await asked.sees('Only operators write it after all');
      asked.types('');
      await asked.sees('"question"');
      asked.types('');
      expect(await asked.ended).toBe(0);
      const [line = ''] = /cuebook(?:\.js)? import \. --trust[^\r\n]*/.exec(asked.seen()) ?? [];
      const flags = line
        .replace(/ {3}.*$/, '')
        .split(' ')
        .slice(3);
      expect(flags).toEqual(['--trust', 'tone=user', '--trust', 'question=operator', '--system-to-user']);
      expect(asked.seen()).toContain('label set production sheet:reply');
      const made = sheetIn(cwd);

      // The command that was printed makes the same files.
      const again = folderWith({ 'cuebook.yaml': '', 'prompts.json': PROMPT });
      expect((await cuebook(['import', '.', ...flags], { cwd: again })).code).toBe(0);
      expect(sheetIn(again)).toBe(made);
    },
    LIMIT,
  );

  it.each([
    { how: 'Ctrl-C', key: '\u0003' },
    { how: 'the end of input', key: '\u0004' },
    { how: 'Escape', key: '\u001b' },
  ])(
    'who leaves the question open has nothing imported: $how',
    async ({ key }) => {
      const cwd = folderWith({ 'cuebook.yaml': '', 'prompts.json': PROMPT });
      const asked = terminal(cwd, 'import .');
      await asked.sees('external   anybody');
      asked.press(key);
      expect(await asked.ended).toBe(1);
      expect(asked.seen()).toContain('E_IMPORT_TRUST');
      expect(existsSync(join(cwd, 'sheets'))).toBe(false);
    },
    LIMIT,
  );
});

it('without a terminal the next command is printed with flags that work', async () => {
  const cwd = folderWith({ 'cuebook.yaml': '', 'prompts.json': PROMPT });
  const refused = await cuebook(['import', 'prompts.json'], { cwd });
  expect(refused.code).toBe(2);
  const [, args = ''] = /Next:\n {2}\S*cuebook (import prompts\.json .*)\n/.exec(refused.stdout) ?? [];
  expect(args).toBe('import prompts.json --trust user --system-to-user');
  expect((await cuebook(args.split(' '), { cwd })).code).toBe(0);
});
