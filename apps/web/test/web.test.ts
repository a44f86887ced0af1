import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { packageTexts } from '../../../packages/workflow/test/fixture.js';
import { describePart } from '../../../test/part.js';
import { ROOT } from '../../../test/root.js';
import { filesUnder } from '../../../test/workspaces.js';
import { HARMLESS, lookAt } from '../../server/test/played-nodes.js';
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
  weaver,
} from '../../server/test/server-stand.js';
import { brokenRules } from './axe.js';
import { LIMIT, launch, openPage, shoot } from './browser-stand.js';

const WEAVER = weaver(['edge_management_all', 'write_code', 'run_commands']);
const HOSTILE =
  '<img src=x onerror="document.title=1"> **bold** \u202egnp.exe \x1b[31mred\x1b[0m ![p](http://192.0.2.1/p.png)';

describePart('chromium', 'the web app in a real browser', ({ path }) => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let problems: string[];
  let stand: ServerStand;
  beforeAll(async () => {
    browser = await launch(path);
    const files = { 'a.txt': 'a\n', 'docs/templates/weaver.md': WEAVER, ...definitions() };
    stand = await serverStand({ git: true, files });
  }, LIMIT);
  afterAll(async () => {
    await browser?.close();
    await stand?.remove();
  });
  beforeEach(async () => {
    ({ context, page, problems } = await openPage(browser));
  });
  afterEach(() => context.close());

  it('is opened by the link, which leaves no token in the address; without it there is nothing to see', async () => {
    await page.goto(`${stand.server.url}/`);
    await page.getByText('This page needs its link').waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await page.goto(stand.server.link);
    await page.reload();
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    expect(page.url()).not.toContain(stand.server.token);
    expect(await page.evaluate('document.cookie')).toBe('');
    const { headers } = await fetch(stand.server.url);
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|\*|data:/);
    expect(problems).toEqual([]);
  });

  it('answers an approval without a mouse: the very command, changed in an editor', async () => {
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
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('Show the page');
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
    await page.getByRole('button', { name: 'Graph' }).click();
    await page.locator('.agent-box', { hasText: 'maker' }).waitFor();
    await shoot(page, 'graph');
    await page.getByRole('button', { name: 'Conversation' }).click();
    await shoot(page, 'run');
    expect(problems).toEqual([]);
  });

  it('denies with words, pauses and resumes, interrupts, and goes on after a hold', async () => {
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

  it('shows hostile words as text, plays a run back, explains any byte, verifies, and fits a phone in the dark', async () => {
    const lines = {
      lanes: { lead: [{ text: `${HOSTILE}\n\n${call('finish_run', { ok: true, summary: 'Played.' })}` }] },
    };
    const text = JSON.stringify({
      goal: 'Rehearse.',
      nodes: [{ alias: 'lead', role: 'orchestrator', provider: 'rehearsal' }],
    });
    const { run } = must(await stand.client.startRun({ team: { text }, script: JSON.stringify(lines) }));
    await until(stand, run, ({ status }) => status === 'completed');
    await page.goto(stand.server.link);
    await page.goto(`${stand.server.url}/#/runs/${run}`);
    await page.getByText('A rehearsal: a script speaks here, not a model.').waitFor();
    const said = page.getByRole('article', { name: 'Turn 1 of lead' });
    await said.getByText('[U+202E]gnp.exe red').waitFor();
    await said.getByText('<img src=x').waitFor();
    await said.locator('strong', { hasText: 'bold' }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    const whole = await page.locator('.conversation').innerText();
    await page.getByLabel('Play back').fill('3');
    await page.getByRole('button', { name: 'Back to now' }).waitFor();
    expect(page.url()).toContain('at=3');
    expect(await said.count()).toBe(0);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await said.waitFor();
    expect(await page.locator('.conversation').innerText()).toBe(whole);

    await said.getByRole('link', { name: 'Prompt' }).click();
    await page.getByRole('button', { name: 'Verify here' }).click();
    await page.getByText('✓ the same hash').waitFor();
    await page.locator('.words').first().click();
    await page.getByTestId('place').getByText(/\S/).waitFor();
    expect(page.url()).toMatch(/byte=\d+/);
    await shoot(page, 'prompt');
    expect(await brokenRules(page)).toEqual([]);
    await page.reload();
    await page.getByTestId('place').waitFor();

    await page.setViewportSize({ width: 360, height: 740 });
    const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await ground();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await ground()).not.toBe(light);
    for (const place of [`/runs/${run}`, '/runs', '/', '/start']) {
      await page.goto(`${stand.server.url}/#${place}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      expect(await brokenRules(page)).toEqual([]);
      await shoot(page, `phone${place.replace(/run_.*/, 'one').replaceAll('/', '-')}`);
    }
    expect(problems).toEqual([]);
  });

  it('explains a byte inside an included text and inside the result of a tool, and offers a link to it', async () => {
    const guided = must(
      await stand.client.startRun({
        ...{ target: 'agent:museum', input: 'Hello.', script: exampleScript('definitions-includes') },
      }),
    );
    await page.goto(stand.server.link);
    await openPrompt(page, `${stand.server.url}/#/runs/${guided.run}`, 1);
    await page.locator('.words', { hasText: 'Never send anybody onto the quay' }).click();
    const why = page.getByRole('complementary', { name: 'Where these words come from' });
    await why.getByTestId('place').getByText('agents/prompts/safety.ts:').waitFor();
    await why.getByText('agents/prompts/house_rules.ts:').waitFor();
    await why.getByText('agents/prompts/guide.ts:').waitFor();
    await why.getByTestId('commit').getByText('first').waitFor();
    await page.getByText(/about [\d,]+ tokens/).waitFor();
    await page.getByRole('button', { name: 'Check signature and chain' }).click();
    await page.getByText('✓ signature, chain and every hash of the run are right').waitFor();
    await shoot(page, 'prompt-included');
    const link = page.url();

    const helped = must(
      await stand.client.startRun({
        ...{ target: 'agent:counter', input: 'Order A-17.', script: exampleScript('definitions-tools') },
      }),
    );
    await openPrompt(page, `${stand.server.url}/#/runs/${helped.run}`, 2);
    await page.locator('.words', { hasText: 'Order A-17: one lamp' }).click();
    await why.getByText('what a tool or an agent answered').waitFor();
    await why.locator('dd', { hasText: /^tool$/ }).waitFor();
    await page.getByRole('button', { name: 'changed' }).click();
    await page.locator('.changed-new', { hasText: 'Order A-17: one lamp' }).waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.locator('.added', { hasText: 'Order A-17: one lamp' }).waitFor();
    await shoot(page, 'compare');
    await page.getByRole('button', { name: 'Whole request' }).click();
    await page.getByText('✓ These are the very bytes that were sent, by their hash.').waitFor();
    await page.locator('.words', { hasText: 'Order A-17: one lamp' }).first().click();
    await why.getByText('what a tool or an agent answered').waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'request');
    await page.goto(link);
    await why.getByTestId('place').getByText('agents/prompts/safety.ts:').waitFor();
    expect(problems).toEqual([]);
  });

  it('reviews changes: comments go to the agent, some files into the project; agents are joined by drawing', async () => {
    stand.script({
      writer: [
        [
          { write: { path: 'one.txt', content: 'one\n' } },
          { write: { path: 'two.txt', content: 'two\n' } },
          { text: 'Made.' },
        ],
        says('Heard.'),
      ],
      other: [says('Here.')],
    });
    const node = {
      ...{ role: 'weaver', provider: 'claude-like', capabilities: { edgeManagement: 'all' } },
      permissions: { cliPermissionsMode: 'skip' },
    };
    const nodes = [
      { ...node, alias: 'writer', workspace: 'own' },
      { ...node, alias: 'other' },
    ];
    const run = await start(stand, team(nodes, { goal: 'Review it.', edges: [] }));
    await page.goto(stand.server.link);
    await page.goto(`${stand.server.url}/#/runs/${run}?view=changes`);
    const file = page.locator('.changed-file', { hasText: 'one.txt' });
    await file.getByRole('button', { name: 'Comment on line 1' }).click();
    await page.getByRole('textbox', { name: 'Comment on line 1' }).fill('Say it in German.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Side by side' }).click();
    await shoot(page, 'review');
    expect(await brokenRules(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send 1 comment to writer' }).click();
    await page.getByRole('button', { name: 'Conversation' }).click();
    await page.getByText('Heard.').first().waitFor();
    expect(await (await lookAt(stand, run)).prompt('writer', 1)).toMatch(
      /one\.txt:1\n> one\nSay it in German\./,
    );
    await page.getByRole('button', { name: 'Changes' }).click();
    await page.getByRole('checkbox', { name: /two\.txt/ }).uncheck();
    await page.getByRole('button', { name: 'Apply 1 file' }).click();
    await page.getByText('Applied 1 file.').waitFor();
    expect(existsSync(join(stand.project, 'one.txt')) && !existsSync(join(stand.project, 'two.txt'))).toBe(
      true,
    );

    await page.getByRole('button', { name: 'Graph' }).click();
    const box = (name: string, side: 'source' | 'target') =>
      page.locator('.react-flow__node', { hasText: name }).locator(`.react-flow__handle.${side}`);
    await box('writer', 'source').hover();
    await page.mouse.down();
    await box('other', 'target').hover();
    await page.mouse.up();
    await page.locator('.react-flow__edge').waitFor({ state: 'attached' });
    await shoot(page, 'graph-joined');
    const { edges } = must(await stand.client.getRun({ run }));
    expect(edges).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it('settles a question of a workflow, a spent budget and a stall; two tabs and a terminal agree', async () => {
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
    const stall = (tab: Page) => tab.getByRole('article', { name: 'loop brings nothing new' });
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
    let crashed = await serverStand({ options: { limits: { leaseMs: 500 } } });
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

  it('finds words of prompts by the palette, and shows a team of 500 agents', async () => {
    stand.script({ n0: [says('Looking.')] });
    const run = await start(
      stand,
      team([{ alias: 'n0', capabilities: HARMLESS }], { goal: 'Find the needle in the hay.' }),
    );
    await until(stand, run, ({ quiet, turns }) => quiet && turns > 0);
    await page.route(`**/runs/${run}/events?*`, async (route) => {
      const body = manyAgents(run, route.request().url());
      // Who has heard everything goes on listening.
      if (body !== undefined) await route.fulfill({ contentType: 'text/event-stream', body });
    });
    await page.goto(stand.server.link);
    await page.locator('.live-state.live').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('needle in the hay');
    await page
      .getByRole('option', { name: /prompt: / })
      .first()
      .click();
    await page.locator('.words[data-pointed="true"]', { hasText: 'needle in the hay' }).waitFor();
    await page.goto(`${stand.server.url}/#/runs/${run}?view=graph&agent=`);
    await page.getByRole('searchbox', { name: 'Only agents with these words' }).fill('n499');
    await page.getByRole('button', { name: /n499/ }).click();
    await page.locator('.agent-box[data-selected="true"]', { hasText: 'n499' }).waitFor();
    await expect.poll(() => boxHeight(page, 'n499')).toBeGreaterThan(40);
    expect(page.url()).toContain('agent=');
    await shoot(page, 'graph-500');
    await stand.client.stopRun({ run });
    expect(problems).toEqual([]);
  });

  it('cannot be used by a page of another origin: it reads nothing and writes nothing', async () => {
    const run = await start(stand, team([{ alias: 'calm', capabilities: HARMLESS }]));
    await page.goto('data:text/html,<title>other</title>');
    const tried = await page.evaluate(
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

  it('goes on by itself when the server was ended and started again', async () => {
    await page.goto(stand.server.link);
    await page.locator('.live-state.live').waitFor();
    await stand.server.close();
    await page.getByText(/The server does not answer/).waitFor();
    stand = await stand.restart();
    await page.getByText(/The server does not answer/).waitFor({ state: 'detached' });
    await page.locator('.live-state.live').waitFor();
  });
});

/** The definitions of two examples and a workflow in one project. */
function definitions(): Readonly<Record<string, string>> {
  const found = ['definitions-includes', 'definitions-tools'].flatMap((name) =>
    filesUnder(`examples/${name}/agents`, ['.ts']).map((file) => [
      file.slice(`examples/${name}/`.length),
      readFileSync(join(ROOT, file), 'utf8'),
    ]),
  );
  const workflow = Object.entries(packageTexts()).map(([path, text]) => [`workflows/hb/${path}`, text]);
  return Object.fromEntries([...found, ...workflow]) as Readonly<Record<string, string>>;
}

const exampleScript = (name: string): string =>
  readFileSync(join(ROOT, 'examples', name, 'script.yaml'), 'utf8');

/** The record of a run with 500 agents, each joined with one before it, behind the cursor of a request, if there is more. */
function manyAgents(run: string, url: string): string | undefined {
  const agents = Array.from({ length: 500 }, (_, at) => ({ id: `node_${at}`, alias: `n${at}` }));
  const happened = [
    ...agents.map((node) => ({
      type: 'node.added',
      data: { node: { ...node, role: 'planner', provider: 'cli' } },
    })),
    ...agents.slice(1).map(({ id }, at) => ({
      type: 'edge.added',
      data: { edge: { id: `edge_${at}`, from: `node_${at >> 2}`, to: id, type: 'handoff' } },
    })),
  ];
  const after = Number(new URL(url).searchParams.get('after'));
  if (after >= happened.length) return undefined;
  const lines = happened.map((each, at) =>
    JSON.stringify({ ...each, id: `${run}/${at + 1}`, run, seq: at + 1, at: 0, command: 'c', hash: 'h' }),
  );
  const events = lines.slice(after).map((line) => `event: event\ndata: ${line}\n\n`);
  return `${events.join('')}event: ready\ndata: {"seq":${lines.length}}\n\n`;
}

const boxHeight = async (page: Page, name: string): Promise<number> =>
  (await page.locator('.agent-box', { hasText: name }).boundingBox())?.height ?? 0;

/** Goes to the prompt of a turn of the first agent of a run. */
async function openPrompt(page: Page, address: string, turn: number): Promise<void> {
  await page.goto(address);
  const shown = page.getByRole('article', { name: new RegExp(`^Turn ${turn} of`) });
  await shown.getByRole('link', { name: 'Prompt' }).click();
  await page.getByRole('heading', { name: 'Prompt' }).waitFor();
}

describe('the built app', () => {
  it('loads Needs you with at most 220 KB compressed', () => {
    const folder = join(ROOT, 'apps/server/page');
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    const first = [...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, file = '']) => file);
    const bytes = ['index.html', ...first].map((file) => gzipSync(readFileSync(join(folder, file))).length);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(220 * 1024);
    expect(first.length).toBeGreaterThan(1);
  });
});
