import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ChatPromptTemplate } from '@langchain/core/prompts';
import { expect } from 'vitest';
import { ROOT } from '../../../../test/root.js';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

const FILES = {
  'hi.prompt': '---\nmodel: m\n---\nHi {{name}}',
  'prompts.json': JSON.stringify([
    {
      name: 'answer',
      version: 3,
      type: 'chat',
      labels: ['production'],
      prompt: [{ role: 'system', content: 'Be {{tone}}, {{user name}}.' }],
    },
  ]),
  'chain.json': JSON.stringify(ChatPromptTemplate.fromMessages([['human', 'Q {q} {{x}}']])),
};

it('--verify renders both sides and compares the bytes', async () => {
  const cwd = folderWith(FILES);
  const missing = await cuebook(['import', 'hi.prompt', '--trust', 'operator', '--verify'], { cwd });
  expect([missing.code, missing.stderr]).toEqual([
    3,
    expect.stringContaining('npm install --save-dev dotprompt'),
  ]);
  symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'));
  for (const file of ['hi.prompt', 'prompts.json', 'chain.json']) {
    const { code, stdout } = await cuebook(
      ['import', file, '--trust', 'operator', '--verify', '--set', 'name={{x}}', '--dry-run'],
      { cwd },
    );
    expect(stdout).toContain('gives the bytes of');
    expect(code).toBe(0);
  }
});
