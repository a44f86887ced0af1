import { describe, expect, it } from 'vitest';
import { itInTurn } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { TEMPLATE } from '../init/template.js';

const asked = async (cwd: string, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await cuebook(['quota', ...args, '--json'], { cwd });
  return { code, said: JSON.parse(stdout || stderr) as Record<string, unknown> };
};

describe('cuebook quota', () => {
  itInTurn(
    'sets, lists and removes limits; a run in its own process counts, and is refused beyond them',
    async () => {
      const cwd = folderWith({ ...TEMPLATE, 'one.json': '{"lanes":{"*":[{"text":"Fine."}]}}' });
      expect((await cuebook(['quota'], { cwd })).stdout).toContain('No limits');
      expect((await asked(cwd, 'set', 'project', '--runs-day', '1', '--tokens-day', '50000')).said).toEqual({
        subject: 'project',
        limits: { runsPerDay: 1, tokensPerDay: 50000 },
      });
      const run = () => cuebook(['run', 'sheet:review', '--script', 'one.json', '--json'], { cwd });
      const first = await run();
      expect(first.code, first.stderr).toBe(0);
      const { tokens } = (JSON.parse(first.stdout) as { usage: { tokens: number } }).usage;
      const { said } = await asked(cwd);
      expect(said.uses).toMatchObject([
        { subject: 'project', limit: 'tokensPerDay', spent: tokens, reserved: 0, left: 50000 - tokens },
        { subject: 'project', limit: 'runsPerDay', spent: 1, left: 0 },
      ]);
      const second = await run();
      expect(second.code).toBe(1);
      expect(second.stdout + second.stderr).toContain('E_QUOTA_REACHED');
      expect((await cuebook(['quota'], { cwd })).stdout).toMatch(
        /project {2}1 runs a day: 1 used, 0 reserved, 0 left/,
      );
      expect((await asked(cwd, 'set', 'project', '--runs-day', 'none')).said).toMatchObject({
        limits: { tokensPerDay: 50000 },
      });
      expect((await run()).code).toBe(0);
      expect((await asked(cwd, 'remove', 'project')).code).toBe(0);
      expect((await asked(cwd)).said).toMatchObject({ quotas: [] });
    },
  );

  it.each([
    { args: ['set', 'project'], code: 2, says: '--usd-day' },
    { args: ['set', 'project', '--usd-day', '-1'], code: 2, says: '--usd-day' },
    { args: ['set', 'project', '--runs-day', '1.5'], code: 1, says: 'E_QUOTA_LIMIT' },
    { args: ['set', 'ada', '--usd-day', '1'], code: 1, says: 'E_QUOTA_SUBJECT' },
    { args: ['remove', 'person:ada'], code: 1, says: 'E_QUOTA_UNKNOWN' },
    { args: ['st'], code: 2, says: 'Did you mean set?' },
  ])('$args is answered with $code and why', async ({ args, code, says }) => {
    const answer = await cuebook(['quota', ...args, '--json'], { cwd: folderWith(TEMPLATE) });
    expect(answer.code).toBe(code);
    expect(answer.stdout + answer.stderr).toContain(says);
  });
});
