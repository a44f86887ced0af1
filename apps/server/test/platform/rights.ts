import { PLATFORM_ROUTES } from '@cuebook/api';
import type { PlatformRole } from '@cuebook/platform';
import { expect, test } from 'vitest';
import { must, type PlatformStand } from './platform-stand.js';
import { PLATFORM_RIGHTS } from './route-rights.js';

/** An agent with its own token may ask what the table says, and nothing else: on every route. */
export function agentRightsTests(standOf: () => PlatformStand): void {
  test('an agent may ask what the table of rights says, on every route', async () => {
    const { ask, connect } = standOf();
    const session = must(await connect('ada').session());
    const wrong: string[] = [];
    for (const [name, { method, path }] of Object.entries(PLATFORM_ROUTES)) {
      const may = PLATFORM_RIGHTS[name]?.split(' ') ?? [];
      const at = path.slice('/platform'.length).replace(/\{\w+\}/g, 'none');
      const { status, body } = await ask(session.token, method, at, method === 'GET' ? undefined : {});
      const isRefused = status === 403 && body.error?.code === 'E_ROLE_NOT_ALLOWED';
      const isLetIn = may.includes('agent') || may.includes('');
      if (isRefused === isLetIn)
        wrong.push(`${method} ${at}: ${status} ${JSON.stringify(body).slice(0, 100)}`);
    }
    expect(wrong).toEqual([]);
  });
}

/** Who may ask what. */
export function rightsTests(standOf: () => PlatformStand): void {
  test.each<[PlatformRole | 'other owner' | undefined, string, string, unknown, number]>([
    [undefined, 'GET', '', undefined, 401],
    ['auditor', 'GET', '', undefined, 200],
    ['owner', 'GET', '/audit', undefined, 403],
    ['auditor', 'POST', '/publish', {}, 403],
    ['owner', 'POST', '/cards/ada/approve', { cardVersion: 1, review: 'x' }, 403],
    ['reviewer', 'POST', '/publish', {}, 403],
    ['publisher', 'POST', '/cards/ada/reject', { cardVersion: 1, reason: 'x' }, 403],
    ['auditor', 'POST', '/credentials', { purpose: { kind: 'registry' } }, 403],
    ['auditor', 'POST', '/feedback/ada', { about: 'x' }, 403],
    ['owner', 'POST', '/feedback/nobody', { about: 'x' }, 404],
    ['owner', 'POST', '/experiments/warm/rollout', {}, 403],
    ['auditor', 'POST', '/experiments/warm/rollout', { dryRun: true }, 403],
    ['other owner', 'GET', '/cards/ada', undefined, 404],
    ['owner', 'GET', '/cards/ada', undefined, 200],
    ['reviewer', 'GET', '/cards/ada', undefined, 200],
    ['reviewer', 'GET', '/cards/nobody', undefined, 404],
    ['owner', 'PUT', '/cards/ada', { agent_id: 'ada' }, 400],
    ['owner', 'PUT', '/cards/a*', {}, 400],
    [undefined, 'GET', '/admissions/nobody', undefined, 404],
    [undefined, 'POST', '/admissions', { challenge: {}, signature: '' }, 400],
    [undefined, 'GET', '/objects/agents/all/ada.json', undefined, 401],
  ])('%s asks %s %s', async (as, method, path, body, status) => {
    const { ask } = standOf();
    expect((await ask(as, method, path, body)).status).toBe(status);
  });
}
