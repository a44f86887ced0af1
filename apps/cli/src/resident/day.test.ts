import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

it('agents of a day that is long over go on by the clock of the machine', async () => {
  const cwd = folderWith({});
  const date = new Date(Date.now() - 40 * 24 * 3_600_000).toISOString().slice(0, 10);
  const day = await cuebook(['agent', 'day', 'town', '--hours', '1', '--date', date], { cwd });
  expect(day).toMatchObject({ code: 0 });
  for (const words of ['took', 'has nothing new;'])
    expect(await cuebook(['sync', '--project', 'town/ada'], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(`ada ${words} card 1, bundle [12]`),
    });
});
