import { join } from 'node:path';
import { APPROVALS_PROJECTION } from '@cuebook/engine';
import { openStore, type RunId } from '@cuebook/journal';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { describePart } from '../../../test/part.js';
import { HARMLESS, lookAt } from './played-nodes.js';
import {
  call,
  must,
  nodeOf,
  type ServerStand,
  says,
  serverStand,
  start,
  team,
  until,
} from './server-stand.js';

const LIMIT = 60_000;
const WEAVER =
  '[template]\nname = "weaver"\nversion = "1"\ncapabilities = ["edge_management_all", "write_code", "run_commands"]\nconstraints = []\n\nYou weave.\n';

describePart('chromium', 'the page in a real browser', ({ path }) => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let stand: ServerStand;
  const problems: string[] = [];
  beforeAll(async () => {
    const quiet = [
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-dev-shm-usage',
    ];
    const args = [...quiet, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
    browser = await chromium.launch({ executablePath: path, headless: true, args });
    stand = await serverStand({ git: true, files: { 'a.txt': 'a\n', 'docs/templates/weaver.md': WEAVER } });
  }, LIMIT);
  afterAll(async () => {
    await browser?.close();
    await stand?.remove();
  });
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1000, height: 900 } });
    context.setDefaultTimeout(LIMIT);
    page = await context.newPage();
    problems.length = 0;
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  });
  afterEach(async () => {
    await context.close();
  });

  it('is opened by the link, which leaves no token in the address; without it there is nothing to see', async () => {
    await page.goto(`${stand.server.url}/`);
    await page.getByText('This page needs its link').waitFor();
    await page.goto(stand.server.link);
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    expect(page.url()).not.toContain(stand.server.token);
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(problems).toEqual([]);
  });

  it('shows a run as it happens: words, the very command that waits, a change of it, a message, the prompt and the diff', async () => {
    const capabilities = { ...HARMLESS, edgeManagement: 'all' };
    stand.script({
      lead: [
        [
          { waitFor: join(stand.root, 'begin') },
          { text: 'I begin <b>now</b>.\n' },
          { waitFor: join(stand.root, 'go') },
          { text: 'I go on.' },
        ],
        says('Heard.', call('finish_run', { ok: true, summary: 'The end.' })),
      ],
      maker: [
        [
          { write: { path: 'made.txt', content: 'made by hand\n' } },
          { ask: { tool: 'Bash', input: { command: 'rm -r build' } } },
          { text: 'Made.' },
        ],
      ],
    });
    const maker = {
      alias: 'maker',
      label: 'Maker',
      role: 'weaver',
      provider: 'claude-like',
      workspace: 'own',
      capabilities: { edgeManagement: 'all' },
      permissions: { cliPermissionsMode: 'gated' },
    };
    const run = await start(
      stand,
      team([{ alias: 'lead', label: 'Lead', role: 'orchestrator', capabilities }, maker], {
        goal: 'Show the page.',
      }),
    );
    await page.goto(stand.server.link);
    await page.getByRole('link', { name: 'Show the page.' }).first().click();
    await page.locator('#connection', { hasText: 'live' }).waitFor();
    stand.write('../begin', '');
    await page.locator('.node', { hasText: 'Lead' }).getByText('I begin <b>now</b>.').waitFor();
    await stand.client.messageNode({ run, node: 'maker', text: 'Go.' });
    const asked = page.locator('.approval', { hasText: 'maker asks: Bash' });
    await asked.getByText('$ rm -r build').waitFor();
    if (process.env.SHOTS)
      await page.screenshot({ path: join(process.env.SHOTS, 'run.png'), fullPage: true });
    await asked.getByText('Change it').click();
    await asked.getByLabel('The changed input').fill('{ "command": "rm -r build/old" }');
    await asked.getByRole('button', { name: 'Do this instead' }).click();
    await asked.waitFor({ state: 'detached' });

    const lead = page.locator('.node', { hasText: 'Lead' });
    await lead.getByLabel('Message').fill('Hurry.');
    stand.write('../go', '');
    await lead.getByText('I go on.').waitFor();
    await lead.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Done: The end.').waitFor();
    const played = await lookAt(stand, run);
    expect(await played.prompt('lead', 1)).toContain('Hurry.');

    const turn = page.locator('.turn', { hasText: 'made.txt' });
    await turn.getByRole('button', { name: 'Diff' }).click();
    await page.getByText('+made by hand').waitFor();
    expect(await page.locator('#reader-text .added', { hasText: 'made by hand' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Close' }).click();
    await turn.getByRole('button', { name: 'Prompt' }).click();
    await page.locator('#reader-text', { hasText: 'You weave.' }).waitFor();
    await page.getByRole('button', { name: 'In blocks' }).click();
    await page.locator('#reader-text', { hasText: '── role (system)' }).waitFor();
    if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, 'prompt.png') });
    expect(problems).toEqual([]);
  });

  it('denies with words, pauses and resumes, interrupts, and goes on after a hold', async () => {
    const capabilities = { ...HARMLESS, edgeManagement: 'all' };
    stand.script({
      worker: [
        says(call('spawn_node', { label: 'Kid', alias: 'kid', roleTemplate: 'planner' })),
        [{ text: 'On it.' }, { hang: true }],
        says('Back.'),
      ],
    });
    const run = await start(
      stand,
      team([{ alias: 'worker', label: 'Worker', role: 'weaver', capabilities }], { goal: 'Deny it.' }),
    );
    await page.goto(stand.server.link);
    await page.goto(`${stand.server.url}/#/run/${run}`);
    const asked = page.locator('.approval', { hasText: 'spawn_node' });
    await asked.getByLabel('Why not').fill('Not today.');
    await asked.getByRole('button', { name: 'Deny' }).click();
    await page.locator('.node').getByText('On it.').waitFor();
    expect(JSON.stringify((await lookAt(stand, run, false)).results('worker'))).toContain('Not today.');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Interrupt', exact: true }).click();
    await page
      .getByText(/Interrupted by owner/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.locator('.node').getByText('Back.').waitFor();
    expect(nodeOf(must(await stand.client.getRun({ run })), 'worker').hold).toBeNull();
    expect(problems).toEqual([]);
  });

  it('says that a rehearsal is one, fits a phone, and has a dark side', async () => {
    const lines = {
      lanes: { lead: [{ text: `Hello.\n${call('finish_run', { ok: true, summary: 'Played.' })}` }] },
    };
    const text = JSON.stringify({
      goal: 'Rehearse.',
      nodes: [{ alias: 'lead', role: 'orchestrator', provider: 'rehearsal' }],
    });
    const { run } = must(await stand.client.startRun({ team: { text }, script: JSON.stringify(lines) }));
    await until(stand, run, ({ status }) => status === 'completed');
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(stand.server.link);
    await page.goto(`${stand.server.url}/#/run/${run}`);
    await page.getByText('A rehearsal: a script speaks here, not a model.').waitFor();
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide).toBeLessThanOrEqual(360);
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await ground();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await ground()).not.toBe(light);
    if (process.env.SHOTS)
      await page.screenshot({ path: join(process.env.SHOTS, 'phone.png'), fullPage: true });
    expect(problems).toEqual([]);
  });

  it('shows what a workflow asks, in its own words, with the command that answers it', async () => {
    const opened = await openStore({ file: join(stand.home, 'journal.db') });
    if (!opened.ok) throw new Error(opened.error.code);
    const input = { message: 'Is <b>this</b> right?', plan: '1. Go\n', type: 'plan_review', widgetId: 'p' };
    const row = {
      ...{ run: 'run_w', lane: 'workflow', id: 'apr_w', about: 'call_w', tool: 'ui.ask_user', input },
      ...{ askedAt: 1, expiresAt: null, question: { answers: ['approve', 'TEXT'], example: 'approve' } },
    };
    await opened.value.append({
      ...{ run: 'run_w' as RunId, command: 'c', target: 't', expectedSeq: 0 },
      events: [{ type: 'workflow.started', data: null }],
      projections: [{ name: APPROVALS_PROJECTION, key: 'run_w/apr_w', value: row }],
    });
    await opened.value.close();
    await page.goto(stand.server.link);
    const card = page.locator('.card', { hasText: 'Is <b>this</b> right?' });
    await card.getByText('cuebook approvals answer apr_w approve').waitFor();
    await card.getByText('Answer with approve, TEXT').waitFor();
    await card.getByText('1. Go').waitFor();
    await page.getByText(/^[1-9]\d* waiting for you\.$/).waitFor();
    expect(problems).toEqual([]);
  });

  it('cannot be used by a page of another origin: it reads nothing and writes nothing', async () => {
    const run = await start(stand, team([{ alias: 'calm', capabilities: HARMLESS }]));
    const foreign = await context.newPage();
    await foreign.goto('data:text/html,<title>other</title>');
    const tried = await foreign.evaluate(
      async ([url, token, id]) => {
        const tries = [
          fetch(`${url}/api/v1/runs`, { headers: { authorization: `Bearer ${token}` } }),
          fetch(`${url}/api/v1/runs`, { mode: 'no-cors' }),
          fetch(`${url}/api/v1/runs/${id}/stop`, {
            method: 'POST',
            mode: 'no-cors',
            headers: { 'content-type': 'text/plain' },
            body: '{}',
          }),
        ];
        const done = await Promise.allSettled(tries);
        return Promise.all(
          done.map(async (each) =>
            each.status === 'rejected' ? 'refused' : (await each.value.text()) || 'nothing',
          ),
        );
      },
      [stand.server.url, stand.server.token, run],
    );
    expect(tried).toEqual(['refused', 'refused', 'refused']);
    expect(must(await stand.client.getRun({ run })).status).toBe('running');
  });
});
