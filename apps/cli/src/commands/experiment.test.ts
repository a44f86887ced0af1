import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { RunId } from '@cuebook/journal';
import { openPlatform, type Tallies } from '@cuebook/platform';
import { expect } from 'vitest';
import { itInTurn as test } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

/** Outcomes as if many days had been counted. */
async function tally(cwd: string, tallies: Tallies): Promise<void> {
  const opened = await openPlatform(join(cwd, '.cuebook', 'platform'), { env: {} });
  if (!opened.ok) throw new Error(opened.error.code);
  const { store, close } = opened.value;
  const run = 'run_counted' as RunId;
  const appended = await store.append({
    ...{ run, command: randomUUID(), target: 'warm', expectedSeq: (await store.head(run))?.seq ?? 0 },
    events: [{ type: 'outcomes.counted', data: {} }],
    projections: [{ name: 'platform.outcome', key: 'warm', value: tallies as never }],
  });
  await close();
  if (!appended.ok) throw new Error(appended.error.code);
}

test('cuebook experiment: a plan, a start, steps, a result and an end', async () => {
  const cwd = folderWith({ 'cuebook.yaml': 'roots: {}\n' });
  const call = (args: string) => cuebook(args.split(' '), { cwd });
  const json = async (args: string) => {
    const { stdout, code } = await call(`${args} --json`);
    return { code, value: stdout === '' ? undefined : JSON.parse(stdout) };
  };
  expect((await call('platform init --rehearsal --name town')).code).toBe(0);
  expect((await call('experiment')).stdout).toContain('cuebook experiment start NAME --scenario greeting');
  // The length is told before anything begins.
  const planned = (await json('experiment plan --agents 200 --effect 0.05 --baseline 0.3 --guard liked'))
    .value;
  expect(planned.length).toMatchObject({ days: 26, outcomes: { control: 2600, candidate: 2600 } });
  expect((await call('experiment plan --agents 200 --effect 0.05 --guard liked')).stdout).toContain(
    'length: 26 days, 2600 outcomes of control and 2600 of the candidate; computed power 0.8',
  );
  expect((await call('experiment plan --agents 10')).stdout).toMatch(
    /not within two years; about \d+ agents are needed/,
  );
  expect((await call('experiment plan --effect small')).code).toBe(2);

  expect((await call('experiment start warm --scenario greeting --candidate 9')).stderr).toContain(
    'E_EXPERIMENT',
  );
  expect((await call('experiment start warm --scenario reply --candidate 1')).stderr).toContain(
    'library new reply',
  );
  expect((await call('experiment start warm --scenario nothing')).code).toBe(2);
  const started = await json('experiment start warm --scenario greeting --effect 0.1');
  expect(started.value).toMatchObject({
    experiment: { control: 1, candidate: 2, share: 0.5 },
    plan: { effect: 0.1, metric: 'liked' },
    length: { days: null },
  });
  expect((await json('platform')).value.experiments).toMatchObject([{ id: 'warm', share: 0.5 }]);
  expect((await call('experiment step cold')).stderr).toContain('no experiment has this name');
  expect((await call('experiment step warm --stages 0.5,0.1')).stderr).toContain('the plan does not fit');
  expect((await call('experiment step warm --effect 0.2')).stderr).toContain('another plan');
  expect((await call('experiment step warm --id night-1')).stdout).toBe(
    [
      'warm: stays at share 0.5; liked has too few outcomes, or leaves too much doubt',
      '  liked: control 0, candidate 0, difference -1.000 to +1.000, open',
      '  answered: control 0, candidate 0, difference -1.000 to +1.000, open\n',
    ].join('\n'),
  );
  expect((await json('experiment step warm --id night-1')).value).toMatchObject({ type: 'hold', share: 0.5 });

  // The candidate does as well as it should: a person gives it to everybody. Then it does worse: nobody has it.
  const good = { control: { count: 2000, sum: 600 }, candidate: { count: 2000, sum: 900 } };
  const bad = { control: good.candidate, candidate: good.control };
  await tally(cwd, { liked: good, answered: good });
  expect((await call('experiment step warm')).stdout).toMatch(
    /^warm: stays at share 0.5; a person may give the candidate to everybody: `cuebook experiment step warm --promote`\n {2}liked: control 2000 \(0\.300\), candidate 2000 \(0\.450\), difference \+0\.\d{3} to \+0\.\d{3}, better\n/,
  );
  const page = (await json('experiment show warm')).value;
  expect(page).toMatchObject({ id: 'warm', status: 'running', next: 'ready', share: 0.5 });
  expect((await call('experiment show warm')).stdout).toContain('cuebook library pin greeting@2');
  expect((await call('experiment step warm --promote --dry-run')).stdout).toContain('Nothing was changed');
  expect((await call('experiment step warm --promote')).stdout).toContain(
    'share 0.5 to 1: everybody gets the candidate',
  );
  expect((await call('experiment step warm')).stdout).toContain('stays with the candidate for everybody');
  expect((await call('experiment')).stdout).toContain('share 1, finished');
  expect((await call('experiment start warm --scenario greeting --share 0.2')).code).toBe(0);
  await tally(cwd, { liked: good, answered: bad });
  const halted = await json('experiment count');
  expect([halted.code, halted.value.days[0].halted]).toEqual([
    1,
    [{ experiment: 'warm', metric: 'answered' }],
  ]);
  expect((await call('experiment step warm')).stdout).toContain('cuebook experiment end warm');
  expect((await call('experiment count')).stdout).toContain('Every day that has ended was counted before');
  expect((await call('experiment count 2026-02-30')).stderr).toContain('the calendar has no such day');
  expect((await call('experiment count 2999-01-01')).stderr).toContain('has not ended');
  expect((await call('experiment count soon')).code).toBe(2);
  expect((await call('experiment end warm')).code).toBe(0);
  expect((await json('experiment')).value.experiments).toEqual([]);
  expect((await json('experiment show warm')).value).toMatchObject({ status: 'ended', next: null });
  expect((await call('experiment start warm --scenario greeting')).stderr).toContain('take another name');
  expect((await call('experiment start a/b --scenario greeting')).stderr).toContain('a name has a-z');
});
