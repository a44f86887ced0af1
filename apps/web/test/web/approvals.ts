import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { HARMLESS, lookAt } from '../../../server/test/played-nodes.js';
import { call, must, nodeOf, says, start, team } from '../../../server/test/server-stand.js';
import { brokenRules } from '../axe.js';
import { shoot } from '../browser-stand.js';
import type { WebStand } from './web-stand.js';

/** Approvals, and what steers a run. */
export function approvalTests(web: WebStand): void {
  it('answers an approval without a mouse: the very command, changed in an editor', async () => {
    const { page, problems, stand } = web;
    stand.script({
      lead: [says('Wait.'), says('Heard.', call('finish_run', { ok: true, summary: 'The end.' }))],
      maker: [
        [
          { write: { path: 'made.txt', content: 'made by hand\n' } },
          { ask: { tool: 'Bash', input: { command: 'rm -r build' } } },
          { text: 'Made.' },
        ],
      ],
    });
    const lead = {
      ...{ alias: 'lead', label: 'Lead', role: 'orchestrator' },
      capabilities: { ...HARMLESS, edgeManagement: 'all' },
    };
    const maker = {
      ...{ alias: 'maker', label: 'Maker', role: 'weaver', provider: 'claude-like', workspace: 'own' },
      ...{ capabilities: { edgeManagement: 'all' }, permissions: { cliPermissionsMode: 'gated' } },
    };
    const run = await start(stand, team([lead, maker], { goal: 'Show the page.' }));
    await page.goto(stand.server.link);
    await stand.client.messageNode({ run, node: 'maker', text: 'Go.' });
    const asked = page.getByRole('article', { name: 'maker asks to run a command' });
    await asked.getByText('$ rm -r build').waitFor();
    await page.waitForFunction('document.title.startsWith("(")');
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'needs');
    await page.keyboard.press('e');
    await page.locator('.editor').getByRole('textbox').waitFor();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('/old');
    await page.keyboard.press('Control+Enter');
    await asked.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'runs');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await shoot(page, 'help');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.locator('[role=combobox]:focus').waitFor();
    await page.keyboard.type('Show the page');
    await page
      .getByRole('option', { name: /Show the page/ })
      .first()
      .waitFor();
    await shoot(page, 'palette');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Show the page.' }).waitFor();
    await page.getByText('Changed by owner').first().waitFor({ state: 'attached' });
    const calls = (await stand.client.listEvents({ run, limit: 1_000 })) as unknown as {
      value: { events: unknown };
    };
    expect(JSON.stringify(calls.value.events)).toContain('rm -r build/old');

    await page.goto(
      `${stand.server.url}/#/runs/${run}?agent=${nodeOf(must(await stand.client.getRun({ run })), 'lead').id}`,
    );
    await page.keyboard.press('m');
    await page.getByLabel('Message to lead').fill('Hurry.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Done: The end.').waitFor();
    expect(await (await lookAt(stand, run)).prompt('lead', 1)).toContain('Hurry.');
    expect(await brokenRules(page)).toEqual([]);
    await page.getByRole('button', { name: 'Changes' }).click();
    await page.getByRole('button', { name: 'All agents' }).click();
    await page.locator('.added', { hasText: '+made by hand' }).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'changes');
    await page.getByRole('button', { name: 'Timeline' }).click();
    expect(await page.locator('.bar').count()).toBeGreaterThanOrEqual(3);
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'timeline');
    await page.getByRole('button', { name: 'Graph' }).click();
    await page.locator('.agent-box', { hasText: 'maker' }).waitFor();
    await shoot(page, 'graph');
    await page.getByRole('button', { name: 'Conversation' }).click();
    await shoot(page, 'run');
    expect(problems).toEqual([]);
  });

  it('denies with words, pauses and resumes, interrupts, and goes on after a hold', async () => {
    const { page, problems, stand } = web;
    stand.script({
      worker: [
        says(call('spawn_node', { label: 'Kid', alias: 'kid', roleTemplate: 'planner' })),
        [{ text: 'On it.' }, { hang: true }],
        says('Back.'),
      ],
    });
    const capabilities = { ...HARMLESS, edgeManagement: 'all' };
    const run = await start(
      stand,
      team([{ alias: 'worker', label: 'Worker', role: 'weaver', capabilities }], { goal: 'Deny it.' }),
    );
    await page.goto(stand.server.link);
    await page.goto(`${stand.server.url}/#/runs/${run}`);
    await page.getByRole('article', { name: 'worker asks to use spawn_node' }).waitFor();
    await page.keyboard.press('d');
    await page.getByLabel('Why not').fill('Not today.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('On it.').first().waitFor();
    expect(JSON.stringify((await lookAt(stand, run, false)).results('worker'))).toContain('Not today.');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Interrupt', exact: true }).click();
    await page.getByRole('button', { name: /^Go on/ }).click();
    await page.getByText('Back.').first().waitFor();
    expect(nodeOf(must(await stand.client.getRun({ run })), 'worker').hold).toBeNull();
    expect(problems).toEqual([]);
  });
}
