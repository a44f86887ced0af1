import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { inTurn } from '../../../../test/runs.js';
import { desk, prompt } from '../project.js';
import { openStand, type Stand } from '../stand.js';
import { calls } from './case.js';

let stand: Stand | undefined;
afterEach(async () => {
  await stand?.close();
  stand = undefined;
});

const PICTURES = { '/a.png': 'iVBORw0KGgoA', '/b.png': 'iVBORw0KGgoB' } as const;

it.each(
  inTurn(
    [
      ['a path', 'z.string()', '/a.png', ['/a.png']],
      ['a list of paths, in its order', 'z.array(z.string())', ['/b.png', '/a.png'], ['/b.png', '/a.png']],
      ['an empty list', 'z.array(z.string())', [], []],
    ] as const,
    4,
  ),
)('a sub-prompt gets %s as attachments of its first message', async (_what, type, given, sent) => {
  stand = await openStand(
    desk(
      "tools: [{ name: 'helper', initUserMessageProperty: 'question', initAttachmentsProperty: 'image' }],",
      {
        'prompts/helper.ts': prompt(
          'helper',
          `requiredSchema: z.object({ question: z.string(), image: ${type} }),`,
        ),
      },
    ),
    {
      clerk: [calls('helper', { question: 'What is it?', image: given }), { text: 'Well.' }],
      helper: [{ text: 'A cat.' }],
    },
  );
  for (const [path, data] of Object.entries(PICTURES))
    writeFileSync(join(stand.folder, path), Buffer.from(data, 'base64'));
  await stand.start();
  const [, message] = stand.requests[1]?.messages ?? [];
  expect(message).toMatchObject({ role: 'user', content: 'What is it?' });
  expect((message?.parts ?? []).map((part) => (part as { readonly data: string }).data)).toEqual(
    sent.map((path) => PICTURES[path]),
  );
});
