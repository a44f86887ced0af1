import { expect, it } from 'vitest';
import { inTurn } from '../../../../../test/runs.js';
import { cuebook, folderWith } from '../../../test/cuebook.js';

const define = (kind: string, body: string): string =>
  `import { define${kind} } from '@cuebook/define';\nexport default define${kind}({ ${body} });\n`;

const project = (reasoning: string) => ({
  'agents/models/fast.ts': define('Model', "name: 'fast', provider: 'rehearsal', model: 'fast-1'"),
  'agents/prompts/clerk.ts': define(
    'Prompt',
    `name: 'clerk', toolDescription: 'Helps', model: 'fast', prompt: 'You help.', reasoning: { ${reasoning} }`,
  ),
  'agents/agents/desk.ts': define('Agent', "name: 'desk', sideA: { prompt: 'clerk' }"),
  'script.yaml': 'lanes: { "*": [{ reasoning: The sea is salt., text: Salt. }] }\n',
});

it.each(
  inTurn(
    [
      ['', true],
      ['include: true', true],
      ['exclude: true', false],
      ['exclude: true, include: true', false],
    ],
    4,
  ),
)('reasoning { %s } is in the answer of a run: %s', async (reasoning, isShown) => {
  const here = { cwd: folderWith(project(reasoning)) };
  const ran = await cuebook(
    ['run', 'agent:desk', '--script', 'script.yaml', '--input', 'What is the sea?', '--json'],
    here,
  );
  const { messages } = JSON.parse(ran.stdout);
  expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Salt.' });
  expect(messages.at(-1).reasoning).toBe(isShown ? 'The sea is salt.' : undefined);
});
