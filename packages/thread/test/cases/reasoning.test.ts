import type { ScriptStep } from '@cuebook/provider';
import { afterEach, expect, it } from 'vitest';
import { inTurn } from '../../../../test/runs.js';
import type { ThreadLiveEvent } from '../../src/drive/parts.js';
import { desk } from '../project.js';
import { openStand, root, type Stand } from '../stand.js';

let stand: Stand | undefined;
afterEach(async () => {
  await stand?.close();
  stand = undefined;
});

const THOUGHT = 'The sea is salt.';
const LANES: Readonly<Record<string, readonly ScriptStep[]>> = {
  '*': [{ reasoning: THOUGHT, text: 'Salt.' }, { text: 'Yes.' }],
};

it.each(
  inTurn(
    [
      ['neither', '', { returned: true, kept: true, toldAgain: false }],
      ['include', 'include: true', { returned: true, kept: true, toldAgain: true }],
      ['exclude', 'exclude: true', { returned: false, kept: false, toldAgain: false }],
      ['both', 'exclude: true, include: true', { returned: false, kept: true, toldAgain: true }],
    ],
    4,
  ),
)('reasoning with %s is returned, kept and told again as it says', async (_name, given, expected) => {
  const heard: ThreadLiveEvent[] = [];
  stand = await openStand(desk(`reasoning: { ${given} }, includeChat: true,`), LANES, {
    publish: (event) => heard.push(event),
  });
  const state = await stand.start();
  await stand.say('Sure?');
  expect({
    returned: heard.some(({ event }) => event.type === 'reasoning.delta'),
    kept: root(state).messages[1]?.reasoning === THOUGHT,
    toldAgain: JSON.stringify(stand.requests[1]).includes(THOUGHT),
  }).toEqual(expected);
});
