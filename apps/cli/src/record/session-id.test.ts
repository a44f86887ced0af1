import { expect, it } from 'vitest';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { WORKFLOW_TEMPLATE } from '../init/workflow/template.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PROGRAM = `import { createInterface } from 'node:readline';
const tell = (line) => console.log(JSON.stringify(line));
for await (const line of createInterface({ input: process.stdin })) {
  if (JSON.parse(line).kind !== 'prompt') continue;
  tell({ kind: 'text', text: 'Thanks.' });
  tell({ kind: 'end', reason: 'done' });
}
`;

it('the session of an agent is told by its id wherever the record tells of it', async () => {
  const cwd = folderWith({
    ...WORKFLOW_TEMPLATE,
    'cuebook.yaml': `${WORKFLOW_TEMPLATE['cuebook.yaml']}\nproviders: { words: { kind: line, command: ${process.execPath}, args: [words.mjs] } }\n`,
    'words.mjs': PROGRAM,
  });
  const call = (...args: readonly string[]) => cuebook(args, { cwd });
  const ran = await call(
    'run',
    'workflow:workflows/request',
    '--provider',
    'words',
    '--input',
    'Hi',
    '--json',
  );
  const { run } = JSON.parse(ran.stdout) as { readonly run: string };
  const told: readonly string[] = await Promise.all(
    [
      ['log', run, '--json'],
      ['replay', run, '--json'],
    ].map(async (args) => (await call(...args)).stdout),
  );
  const ids = told.map((text) => [...text.matchAll(/"session(?:Id)?": ?"([^"]*)"/g)].map(([, id]) => id));
  const [id = ''] = ids.flat();
  expect(id).toMatch(UUID);
  expect(ids.map((each) => [...new Set(each)])).toEqual([[id], [id]]);
});
