import type { WorkView } from '@cuebook/api';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as it } from '../../../test/runs.js';
import { must, type ServerStand, serverStand } from '../../server/test/server-stand.js';
import { brokenRules } from './axe.js';
import { launch, openPage, shoot, shootPhone } from './browser-stand.js';

const WORKER = 'worker-3f9c2b7a10';
const up = { version: '0.1.0', startedAt: Date.now(), kinds: ['team', 'thread'], draining: false };
const SHARED: WorkView = {
  isShared: true,
  workers: [
    {
      ...{ ...up, id: 'server-0a1b2c3d4e', role: 'server', machine: 'm0123456789abcdef', pid: 12 },
      ...{ slots: 0, labels: [], runs: [], isAsked: true },
    },
    {
      ...{
        ...up,
        id: WORKER,
        role: 'worker',
        machine: 'mfedcba9876543210',
        pid: 4711,
        slots: 16,
        labels: ['eu'],
      },
      ...{ runs: ['run_0123456789abcdef01234567', 'run_89abcdef0123456789abcdef'], isAsked: false },
    },
    {
      ...{ ...up, id: 'worker-77aa88bb99', role: 'worker', machine: 'm1111222233334444', pid: 99, slots: 16 },
      ...{ labels: [], runs: ['run_fedcba9876543210fedcba98'], isAsked: false, draining: true },
    },
  ],
  running: [{ kind: 'thread', count: 6 }],
  queued: [{ kind: 'thread', label: 'gpu', count: 3, oldestMs: 90_000 }],
  waits: [{ for: 'approval', count: 2 }],
  oldestApprovalMs: 320_000,
};

const REVIEW = `title: Review
inputs: { change: { trust: operator, secrecy: public, volatility: turn } }
blocks: [{ name: change, role: user, parts: [{ input: change }] }]
`;

describePart('chromium', 'people, schedules and machines in a real browser', ({ path }) => {
  let browser: Browser;
  let stand: ServerStand;
  beforeAll(async () => {
    browser = await launch(path);
    stand = await serverStand({ files: { 'sheets/review.yaml': REVIEW } });
  });
  afterAll(async () => {
    await browser?.close();
    await stand?.remove();
  });

  it('an owner adds, changes and removes people from the keyboard; others see why they cannot', async () => {
    const { context, page, problems } = await openPage(browser);
    await page.goto(stand.server.link);
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('u');
    await page.getByText('Only you, with the link of the server.').waitFor();
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Name/).fill('Ada Lovelace');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByRole('alert').getByText('E_REQUEST').waitFor();
    await dialog.getByLabel(/^Name/).fill('ada');
    await dialog.getByLabel('Role').selectOption('reviewer');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Add' }).press('Enter');
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    expect(token).toMatch(/^cbu\./);
    await page.getByRole('article', { name: 'ada', exact: true }).getByText('1 token').waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'people');
    await shootPhone(page, 'people');
    await page.getByRole('button', { name: 'Hide the token' }).click();
    expect(await page.content()).not.toContain(token);
    await page.getByLabel('Role of ada').selectOption('viewer');

    const other = await openPage(browser);
    await other.page.goto(`${stand.server.url}/#token=${token}`);
    await other.page.getByRole('heading', { name: 'Needs you' }).waitFor();
    await other.page.getByRole('link', { name: 'People' }).click();
    await other.page.getByText('You are ada, viewer.').waitFor();
    await other.page.getByText('Owners manage who works with the project.').waitFor();
    await other.page.getByRole('link', { name: 'Schedules' }).click();
    await other.page.getByText('There are no schedules.').waitFor();
    expect(await other.page.getByRole('button', { name: /^Add/ }).count()).toBe(0);
    expect(other.problems).toEqual([]);
    await other.page.getByRole('link', { name: 'Needs you' }).click();

    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await dialog.getByRole('button', { name: 'Revoke everything of ada' }).click();
    await page.getByText('Only you, with the link of the server.').waitFor();
    // What was open with the token ends: the other page says that its link counts no more.
    await other.page.getByRole('heading', { name: 'This page needs its link' }).waitFor();
    await other.context.close();
    expect(problems.filter((each) => !each.includes('400'))).toEqual([]);
    await context.close();
  });

  it('limits: an owner sees those of everybody, others their own, with what is used and what is left', async () => {
    const { client } = stand;
    must(await client.setQuota({ subject: 'project', limits: { runsPerDay: 1_000, usdPerMonth: 99.5 } }));
    must(await client.setQuota({ subject: 'person:grace', limits: { runsAtOnce: 0, tokensPerDay: 20_000 } }));
    const { token } = must(await client.addPerson({ name: 'grace', role: 'operator' }));
    for (const [link, whose] of [
      [stand.server.link, 'project'],
      [`${stand.server.url}/#token=${token}`, 'grace'],
    ] as const) {
      const { context, page, problems } = await openPage(browser);
      await page.goto(link);
      await page.getByRole('heading', { name: 'Needs you' }).waitFor();
      await page.getByRole('link', { name: 'People' }).click();
      const limits = page.getByRole('region', { name: 'Limits' });
      await limits.getByRole('cell', { name: whose, exact: true }).first().waitFor();
      for (const words of ['0 runs at once', '20,000 tokens a day'])
        await limits.getByRole('cell', { name: words }).waitFor();
      expect(await brokenRules(page)).toEqual([]);
      await shoot(page, `limits-${whose}`);
      await shootPhone(page, `limits-${whose}`);
      expect(problems).toEqual([]);
      await context.close();
    }
    for (const subject of ['project', 'person:grace']) must(await client.removeQuota({ subject }));
    must(await client.removePerson({ person: 'grace' }));
  });

  it('schedules are added, paused and removed, and say their next time and what came of the last', async () => {
    const { context, page, problems } = await openPage(browser, { timezoneId: 'Europe/Zurich' });
    await page.goto(stand.server.link);
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByText('There are no schedules.').waitFor();
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Target/).fill('team:team.yaml');
    expect(await dialog.getByLabel('Time zone').inputValue()).toBe('Europe/Zurich');
    await dialog.getByLabel(/^Times: minute/).fill('61 9 * * *');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel(/^Times: minute/).fill('0 4 * * 1-5');
    await dialog.getByText('Monday to Friday at 04:00').waitFor();
    await dialog.getByRole('button', { name: 'Add' }).click();
    const row = page.getByRole('article', { name: 'team:team.yaml' });
    await row.getByText(/^next /).waitFor();
    await row.getByText('It has not started a run yet.').waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'schedules');
    await shootPhone(page, 'schedules');
    await page.keyboard.press('j');
    await page.keyboard.press('p');
    await row.getByText('paused').waitFor();
    await row.getByRole('button', { name: 'Resume' }).click();
    await row.getByText(/^next /).waitFor();
    await row.getByRole('button', { name: 'Remove' }).click();
    await row.getByRole('button', { name: 'Remove it?' }).click();
    await page.getByText('There are no schedules.').waitFor();
    // A sheet asks for the texts of its inputs; another target does not.
    await page.keyboard.press('a');
    await dialog.getByLabel(/^Target/).fill('sheet:review');
    await dialog.getByLabel('change', { exact: true }).fill('A line of the diff.');
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'schedule-inputs');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('article', { name: 'sheet:review' }).getByText('sets change').waitFor();
    const added = must(await stand.client.listSchedules({})).schedules;
    expect(added).toMatchObject([{ target: 'sheet:review', inputs: ['change'] }]);
    await page.keyboard.press('a');
    await dialog.getByLabel(/^Target/).fill('agent:desk');
    await expect.poll(() => dialog.getByLabel('change', { exact: true }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    must(await stand.client.removeSchedule({ schedule: added[0]?.id ?? '' }));
    expect(problems.filter((each) => !each.includes('400'))).toEqual([]);
    await context.close();
  });

  it('machines: who is up and what is left to do, also where one process works alone', async () => {
    const { context, page, problems } = await openPage(browser);
    await page.goto(stand.server.link);
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.getByText('answers this page').waitFor();
    await page.getByText('One process works on all runs.').waitFor();
    await page.getByText('waits for a person').waitFor();
    expect(problems).toEqual([]);

    // As a server on a database answers, which `workers.test.ts` shows.
    const drained: string[] = [];
    await page.route('**/api/v1/workers', (route) => route.fulfill({ json: SHARED }));
    await page.route('**/api/v1/workers/*/drain', (route) => {
      drained.push(new URL(route.request().url()).pathname);
      return route.fulfill({ json: { done: true } });
    });
    const worker = page.getByRole('article', { name: WORKER });
    await worker.getByText('2 of 16 slots').waitFor();
    await page
      .getByText('3 runs of kind thread that need the label gpu, waiting for up to 1 min 30 s')
      .waitFor();
    expect(await page.getByRole('button', { name: /^Drain/ }).count()).toBe(1);
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'machines');
    await worker.getByRole('button', { name: 'Drain' }).press('Enter');
    expect(drained).toEqual([]);
    await worker.getByRole('button', { name: 'It ends. Drain it?' }).press('Enter');
    await worker.getByText('Asked to end …').waitFor();
    await expect.poll(() => drained).toEqual([`/api/v1/workers/${WORKER}/drain`]);
    await shootPhone(page, 'machines');
    await context.close();
  });
});
