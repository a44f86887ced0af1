import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { HARMLESS } from '../../../server/test/played-nodes.js';
import { call, must, says, serverStand, start, team, until } from '../../../server/test/server-stand.js';
import { brokenRules } from '../axe.js';
import { openPage, shoot } from '../browser-stand.js';
import type { WebStand } from './web-stand.js';

/** What waits for a person beside approvals. */
export function waitTests(web: WebStand): void {
  it('settles a question of a workflow, a spent budget and a stall; two tabs and a terminal agree', async () => {
    const { browser, page, problems, stand } = web;
    const leader = (alias: string) => ({ alias, role: 'orchestrator', capabilities: HARMLESS });
    const finish = call('finish_run', { ok: true, summary: 'Out.' });
    const other = await openPage(browser);
    await other.page.goto(stand.server.link);
    await page.goto(stand.server.link);

    const ask = {
      widgetId: 'region',
      type: 'selection',
      message: 'Which region?',
      options: [{ value: 'eu', label: 'Europe' }],
    };
    const write = { path: '@project/artifacts/intake.md', content: 'a shop\n' };
    const steps = [
      { toolCalls: [{ id: 'w', name: 'fs.write', args: write }] },
      { toolCalls: [{ id: 'q', name: 'ui.ask_user', args: ask }] },
      { text: 'Thanks.' },
    ];
    const asked = must(
      await stand.client.startRun({
        ...{
          target: 'workflow:workflows/hb',
          input: 'Begin.',
          script: JSON.stringify({ lanes: { '*': steps } }),
        },
      }),
    ).run;
    const tabs = [page, other.page];
    for (const tab of tabs) await tab.getByText('Which region?').waitFor();
    await shoot(page, 'question');
    await page.goto(`${stand.server.url}/#/runs/${asked}?view=graph`);
    await page.locator('.agent-box', { hasText: 'end-99' }).getByText('not yet').waitFor();
    await page.locator('.agent-box', { hasText: 'step-01-intake' }).getByText('now').waitFor();
    const state = page.getByRole('region', { name: 'State of the workflow' });
    await state.getByText('0 of 5 steps').waitFor();
    await state.getByText('artifacts/intake.md').click();
    await state.getByText('a shop').waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'workflow');
    await page.getByRole('button', { name: /^Europe/ }).click();
    for (const tab of tabs) await tab.getByText('Which region?').waitFor({ state: 'detached' });
    await page.goto(`${stand.server.url}/#/`);
    await stand.client.stopRun({ run: asked });

    stand.script({ rich: [says('One.'), says('Two.', finish)] });
    const spent = await start(stand, team([leader('rich')], { mode: 'AUTO', budget: { turns: 1 } }));
    // The budget of the agent is spent, and then that of the run: each tab raises one.
    for (const [at, name] of ['rich has used up its budget', 'team has used up its budget'].entries()) {
      const asks = (tab: Page) => tab.getByRole('article', { name });
      for (const tab of tabs) await asks(tab).waitFor();
      const tab = tabs[at] as Page;
      await asks(tab).getByLabel('New limit of turns').fill('9');
      await asks(tab)
        .getByRole('button', { name: /^Answer/ })
        .click();
      for (const each of tabs) await asks(each).waitFor({ state: 'detached' });
    }
    await until(stand, spent, ({ status }) => status === 'completed');

    stand.script({ loop: [says('Again.'), says('Again.'), says('Again.'), says('Done.', finish)] });
    const stuck = await start(stand, team([leader('loop')], { mode: 'AUTO' }));
    const stall = (tab: Page) => tab.getByRole('article', { name: 'loop makes no progress' });
    for (const tab of tabs) await stall(tab).getByText('What shows it').waitFor();
    // A terminal answers: both tabs hear of it.
    const [wait] = must(await stand.client.listWaiting({ run: stuck })).waiting;
    must(await stand.client.answerWait({ run: stuck, wait: wait?.id ?? '', reply: { texts: ['resume'] } }));
    for (const tab of tabs) await stall(tab).waitFor({ state: 'detached' });
    await until(stand, stuck, ({ status }) => status === 'completed');
    await other.context.close();
    expect([...problems, ...other.problems]).toEqual([]);
  });

  it('settles a doubt: a turn that a crash cut off was not done, and is taken again', async () => {
    const { page, problems } = web;
    let crashed = await serverStand({ options: { limits: { leaseMs: 10_000 } } });
    onTestFinished(() => crashed.remove());
    crashed.script({
      busy: [[{ text: 'At work.' }, { waitFor: join(crashed.root, 'go') }], says('Again, and done.')],
    });
    const run = await start(crashed, team([{ alias: 'busy', capabilities: {} }]));
    must(await crashed.client.messageNode({ run, node: 'busy', text: 'Go.' }));
    await expect.poll(() => crashed.heard('busy').length).toBe(1);
    // What is on the disk in the middle of the turn is what a killed server leaves.
    const left = `${crashed.home}-left`;
    cpSync(crashed.home, left, { recursive: true });
    await crashed.server.close();
    rmSync(crashed.home, { recursive: true });
    renameSync(left, crashed.home);
    crashed = await crashed.restart();
    await page.goto(crashed.server.link);
    const doubt = page.getByRole('article', { name: /^busy: was this done/ });
    await doubt.getByText(/nobody knows whether it was done/).waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'doubt');
    await doubt.getByRole('button', { name: /^It was not done/ }).click();
    await doubt.waitFor({ state: 'detached' });
    await page.goto(`${crashed.server.url}/#/runs/${run}`);
    await page.getByText('Again, and done.').first().waitFor();
    expect(problems).toEqual([]);
  });
}
