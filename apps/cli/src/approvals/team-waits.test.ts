import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { env, waiting } from '../../test/asking.js';
import { cuebook, folderWith } from '../../test/cuebook.js';

const TEAM = 'goal: Look.\nmode: INTERACTIVE\nnodes: [{ alias: dev, role: implementer }]\n';

describe('a team that stands still', () => {
  it('is listed with its node and its reason, and is answered at the terminal without a server', async () => {
    const cwd = folderWith({
      'cuebook.yaml': '',
      'team.yaml': TEAM,
      'script.json': JSON.stringify({ lanes: { dev: [{ error: { status: 500 } }, { text: 'Looked.' }] } }),
    });
    const call = (...args: readonly string[]) => cuebook(args, { cwd, env });
    const begun = await call('run', 'team:team.yaml', '--script', 'script.json', '--json');
    const { run, status } = JSON.parse(begun.stdout) as { readonly run: string; readonly status: string };
    expect([begun.code, status]).toEqual([1, 'waiting']);
    const [row] = await waiting(cwd);
    expect(row).toMatchObject({
      kind: 'team',
      for: 'input',
      id: `${run}/dev`,
      alias: 'dev',
      answers: ['resume', 'TEXT'],
    });
    const listed = await call('approvals');
    expect(listed.stdout).toContain(`${run}/dev`);
    expect((await call('approvals', 'show', `${run}/dev`)).stdout).toContain(
      `cuebook approvals answer ${run}/dev resume`,
    );
    expect((await call('runs')).stdout).toMatch(new RegExp(`^${run}  waiting  .*1 waiting for you`, 'm'));
    expect((await call('approvals', 'allow', `${run}/dev`)).code).toBe(2);
    const went = await call('approvals', 'answer', `${run}/dev`, 'resume', '--json');
    expect(JSON.parse(went.stdout)).toMatchObject({ run, status: 'waiting', turns: 2 });
    // Everybody is done, and nobody has finished the run: that is listed too, and a word ends it.
    expect(await waiting(cwd)).toMatchObject([{ for: 'input', id: run, answers: ['TEXT', 'finish'] }]);
    expect((await call('approvals', 'answer', run, 'finish')).code).toBe(0);
    expect((await call('approvals')).stdout).toBe('Nothing waits for you.\n');
  });
});
