import { expect, it } from 'vitest';
import { inTurn } from '../../../../test/runs.js';
import { desk, prompt } from '../project.js';
import { openStand, said } from '../stand.js';
import { calls, toolTexts } from './case.js';

it.each(
  inTurn(
    [
      ['without a schema', ''],
      ['with a schema of nothing', 'requiredSchema: z.object({}),'],
      ['with the chat', 'includeChat: true,'],
    ],
    4,
  ),
)('a sub-prompt that is called without arguments is told something: %s', async (_what, more) => {
  const stand = await openStand(desk("tools: ['helper'],", { 'prompts/helper.ts': prompt('helper', more) }), {
    clerk: [calls('helper'), { text: 'Well.' }],
    helper: [{ text: 'Here I am.' }],
  });
  try {
    await stand.start();
    const [system, ...spoken] = said(stand.requests[1]);
    expect(system).toBe('system: I am helper.');
    expect(spoken.length).toBeGreaterThan(0);
    for (const line of spoken) expect(line).toMatch(/^(?:user|assistant): \S/);
    expect(spoken.at(-1)).toMatch(/^user: /);
    expect(toolTexts(stand.requests[2])).toEqual(['Here I am.']);
  } finally {
    await stand.close();
  }
});
