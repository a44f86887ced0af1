import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../../test/runs.js';
import { cuebook, folderWith } from '../../test/cuebook.js';
import { TEMPLATE } from '../init/template.js';

describe('cuebook webhook', () => {
  it.each(
    inTurn(
      [
        [['sheet:review', '--take', 'changes=/x'], 'E_INPUT'],
        [['sheet:review'], 'E_INPUT'],
        [['sheet:none', '--take', 'change=/x'], 'E_TARGET'],
        [['sheet:review', '--take', 'change=/x'], undefined],
        [['sheet:review', '--set', 'change=x'], undefined],
        [['agent:desk', '--take', 'input=/x'], undefined],
      ],
      4,
    ),
  )('add %j says what would keep the runs from starting: %s', async (args, code) => {
    const added = await cuebook(['webhook', 'add', ...args], { cwd: folderWith(TEMPLATE) });
    expect(added.code).toBe(0);
    expect(added.stderr.includes('these runs do not start')).toBe(code !== undefined);
    if (code !== undefined) expect(added.stderr).toContain(code);
  });

  it('adds, lists, rotates and removes; a secret is shown once', async () => {
    const cwd = folderWith(TEMPLATE);
    const asked = async (...args: readonly string[]) => {
      const { stdout, code } = await cuebook(['webhook', ...args, '--json'], { cwd });
      return { code, said: JSON.parse(stdout) as Record<string, unknown> };
    };
    expect((await cuebook(['webhook'], { cwd })).stdout).toContain('No webhooks');
    const { said } = await asked(
      'add',
      'sheet:review',
      '--take',
      'change=/diff',
      '--turns',
      '3',
      '--by',
      'me',
    );
    const { secret, ...webhook } = said;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toMatchObject({
      ...{ act: 'start', target: 'sheet:review', takes: { change: '/diff' }, answers: [], by: 'me' },
      secrets: [{ expiresAt: null }],
    });
    const id = String(webhook.id);
    expect(webhook.path).toBe(`/api/v1/hooks/${id}`);
    expect((await asked()).said).toEqual({ webhooks: [webhook] });
    const rotated = (await asked('rotate', id.slice(0, 8), '--hours', '1')).said;
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.secrets).toHaveLength(2);
    expect((await asked('rotate', id, '--hours', '0')).said.secrets).toHaveLength(1);
    expect((await asked('remove', id)).said).toEqual({ id, removed: true });
    expect((await asked()).said).toEqual({ webhooks: [] });
    const answering = await asked('add', 'agent:desk', '--answers', 'question,approval');
    expect(answering.said).toMatchObject({ act: 'answer', answers: ['question', 'approval'], takes: {} });
  });

  it.each(
    inTurn(
      [
        { args: ['add'], code: 2, says: 'what to run' },
        { args: ['add', 'review'], code: 1, says: 'E_RUN_TARGET' },
        { args: ['add', 'sheet:review', '--take', 'change'], code: 2, says: '--take is the name' },
        { args: ['add', 'sheet:review', '--take', 'change=diff'], code: 1, says: 'E_WEBHOOK_TAKES' },
        { args: ['add', 'agent:desk', '--take', 'goal=/x'], code: 1, says: 'E_WEBHOOK_TAKES' },
        { args: ['add', 'agent:desk', '--answers', 'budget'], code: 2, says: '--answers takes' },
        {
          args: ['add', 'agent:desk', '--answers', 'question', '--turns', '1'],
          code: 2,
          says: '--turns belongs',
        },
        { args: ['rotate', 'whk_none'], code: 1, says: 'E_WEBHOOK_UNKNOWN' },
        { args: ['rotate', 'whk_none', '--hours', '1000'], code: 2, says: '--hours takes' },
        { args: ['remove', 'whk_none'], code: 1, says: 'E_WEBHOOK_UNKNOWN' },
      ],
      4,
    ),
  )('$args is answered with $code and why', async ({ args, code, says }) => {
    const answer = await cuebook(['webhook', ...args, '--json'], { cwd: folderWith(TEMPLATE) });
    expect(answer.code).toBe(code);
    expect(answer.stdout + answer.stderr).toContain(says);
  });
});
