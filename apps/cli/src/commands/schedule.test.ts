import { join } from 'node:path';
import { openSchedules, type Schedule } from '@cuebook/host';
import { openStore } from '@cuebook/journal';
import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { TEMPLATE } from '../init/template.js';

describe('cuebook schedule', () => {
  it('adds, lists, pauses, resumes and removes', async () => {
    const cwd = folderWith(TEMPLATE);
    const asked = async (...args: readonly string[]) => {
      const { stdout, code } = await cuebook(['schedule', ...args, '--json'], { cwd });
      return { code, said: JSON.parse(stdout) as Record<string, unknown> };
    };
    expect((await cuebook(['schedule'], { cwd })).stdout).toContain('No schedules');
    const flags = ['--cron', '0 9 * * 1', '--missed', 'last', '--turns', '3', '--by', 'me'];
    const { said } = await asked('add', 'sheet:review', ...flags);
    expect(said).toMatchObject({ target: 'sheet:review', zone: 'UTC', missed: 'last', by: 'me', last: null });
    expect((await asked()).said).toEqual({ schedules: [said] });
    const id = String(said.id);
    expect((await asked('pause', id)).said).toMatchObject({ paused: true, next: null });
    expect((await asked('resume', id.slice(0, 8))).said).toMatchObject({ paused: false, next: said.next });
    expect((await asked('remove', id)).said).toEqual({ id, removed: true });
    expect((await asked()).said).toEqual({ schedules: [] });
  });

  it.each(
    inTurn(
      [
        [['sheet:review'], 'E_INPUT'],
        [['sheet:review', '--set', 'other=x'], 'E_INPUT'],
        [['sheet:none', '--set', 'change=x'], 'E_TARGET'],
        [['agent:none', '--input', 'Hi.'], 'E_TARGET'],
        [['sheet:review', '--set', 'change=@change.diff'], undefined],
        [['agent:desk', '--input', 'Hi.'], undefined],
        [['team:none.yaml'], 'E_TARGET'],
      ],
      4,
    ),
  )('add %j says what would keep the runs from starting: %s', async (args, code) => {
    const cwd = folderWith(TEMPLATE);
    const added = await cuebook(['schedule', 'add', ...args, '--cron', '0 9 * * 1'], { cwd });
    expect(added.code).toBe(0);
    expect(added.stderr.includes('these runs do not start')).toBe(code !== undefined);
    if (code !== undefined) expect(added.stderr).toContain(code);
    expect((await cuebook(['schedule'], { cwd })).stdout).toContain(String(args[0]));
  });

  it('an input that is set is that of each run', async () => {
    const cwd = folderWith(TEMPLATE);
    const add = ['schedule', 'add', 'sheet:review', '--cron', '* * * * *', '--set', 'change=@change.diff'];
    expect((await cuebook(add, { cwd })).code).toBe(0);
    const opened = await openStore({ file: join(cwd, '.cuebook/journal.db') });
    if (!opened.ok) throw new Error(opened.error.code);
    const [{ call }] = (await openSchedules(opened.value).list()) as [Schedule];
    await opened.value.close();
    expect(call.options).toEqual({ set: { change: TEMPLATE['change.diff'] } });
  });

  it.each(
    inTurn(
      [
        { args: ['add', 'agent:desk', '--cron', '* * * * *', '--set', 'a=b'], code: 2, says: '--input' },
        { args: ['add', 'sheet:review', '--cron', '* * * * *', '--set', 'a'], code: 2, says: 'NAME=VALUE' },
        { args: ['add', 'sheet:review'], code: 2, says: '--cron says when' },
        { args: ['add', 'sheet:review', '--cron', '* *'], code: 1, says: 'E_SCHEDULE_CRON' },
        { args: ['add', 'review', '--cron', '* * * * *'], code: 1, says: 'E_RUN_TARGET' },
        {
          args: ['add', 'sheet:review', '--cron', '* * * * *', '--missed', 'x'],
          code: 2,
          says: '--missed is one',
        },
        { args: ['add', 'sheet:review', '--cron', '* * * * *', '--usd', '-1'], code: 2, says: '--usd takes' },
        { args: ['remove', 'sch_none'], code: 1, says: 'E_SCHEDULE_UNKNOWN' },
      ],
      4,
    ),
  )('$args is answered with $code and why', async ({ args, code, says }) => {
    const answer = await cuebook(['schedule', ...args, '--json'], { cwd: folderWith(TEMPLATE) });
    expect(answer.code).toBe(code);
    expect(answer.stdout + answer.stderr).toContain(says);
  });
});
