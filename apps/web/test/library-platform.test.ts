import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as bundle from '@cuebook/bundle';
import * as files from '@cuebook/files';
import * as platform from '@cuebook/platform';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { makePlatform } from '../../../scripts/start/platform.mjs';
import { describePart } from '../../../test/part.js';
import { itInTurn as it } from '../../../test/runs.js';
import { must, type ServerStand, serverStand } from '../../server/test/server-stand.js';
import { brokenRules } from './axe.js';
import { launch, openPage, shoot } from './browser-stand.js';

const ROLE =
  '[template]\nname = "weaver"\nversion = "1"\ncapabilities = []\nconstraints = []\n\nYou weave. NEVER stop.\n';
const SHEET = `inputs:
  change: { trust: external, secrecy: public, volatility: turn, description: What to review, example: An example. }
blocks:
  - name: rules
    role: system
    parts:
      - text: "Review it.\\n"
      - include: tone
  - name: change
    role: user
    parts:
      - input: change
`;

describePart('chromium', 'library and platform in a real browser', ({ path }) => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let problems: string[];
  let stand: ServerStand;
  beforeAll(async () => {
    browser = await launch(path);
    stand = await serverStand({
      files: { 'docs/templates/weaver.md': ROLE, 'sheets/review.yaml': SHEET, 'texts/tone.md': 'Be kind.\n' },
    });
    await makePlatform(stand.home, { bundle, files, platform });
    stand = await stand.restart();
  });
  afterAll(async () => {
    await browser?.close();
    await stand?.remove();
  });
  beforeEach(async () => {
    ({ context, page, problems } = await openPage(browser));
    await page.goto(stand.server.link);
    // Keys are heard once the first screen is shown.
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  });
  afterEach(() => context.close());
  const go = (place: string) => page.goto(`${stand.server.url}/#${place}`);

  it('renders a prompt as its inputs and files are edited, explains it, saves, and tells of a conflict', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.getByRole('link', { name: 'review', exact: true }).click();
    await page.getByLabel('change', { exact: true }).fill('My own change.');
    await page.locator('.words', { hasText: 'My own change.' }).waitFor();
    await page.locator('.words', { hasText: 'Be kind.' }).click();
    const why = page.getByRole('complementary', { name: 'Where these words come from' });
    await why.getByTestId('place').getByText('texts/tone.md:').waitFor();
    await why.getByText('sheets/review.yaml:').waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'library');

    const files = page.getByRole('group', { name: 'Files' });
    const editor = page.locator('.editor').getByRole('textbox');
    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('  - bad');
    await page.locator('.editor .note.error').first().waitFor();
    await page.getByText('It cannot be composed as it is').waitFor();
    await page.getByRole('button', { name: 'Discard my changes' }).click();
    await page.getByText('It cannot be composed as it is').waitFor({ state: 'detached' });

    await files.getByRole('button', { name: 'texts/tone.md' }).click();
    await page.getByRole('textbox', { name: 'texts/tone.md' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('NEVER guess.');
    await page.locator('.words', { hasText: 'NEVER guess.' }).waitFor();
    await page.getByRole('button', { name: 'What saving would change' }).click();
    await page.locator('.good', { hasText: 'NEVER guess.' }).waitFor();
    await page.locator('.reached', { hasText: 'sheet:review' }).waitFor();
    await shoot(page, 'library-changes');
    expect(await brokenRules(page)).toEqual([]);
    expect(readFileSync(join(stand.project, 'texts/tone.md'), 'utf8')).toBe('Be kind.\n');
    stand.write('texts/tone.md', 'Somebody else.\n');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const conflict = page.getByRole('region', { name: 'Changed meanwhile' });
    await conflict.getByText('Somebody else.').waitFor();
    await shoot(page, 'library-conflict');
    expect(readFileSync(join(stand.project, 'texts/tone.md'), 'utf8')).toBe('Somebody else.\n');
    await conflict.getByRole('button', { name: 'Overwrite it with mine' }).click();
    await page.getByText('Saved.').waitFor();
    expect(readFileSync(join(stand.project, 'texts/tone.md'), 'utf8')).toBe('Be kind.\nNEVER guess.');
    // The browser itself notes every answer that is a no.
    expect(problems.filter((each) => !each.includes('409'))).toEqual([]);
  });

  it('edits a card with what models will read beside it, and rejects one with words', async () => {
    await go('/platform?tab=cards&of=ada');
    await page.getByLabel('Bio').fill('Lives near the river.');
    await page.getByRole('region', { name: 'Base prompt' }).getByText('Lives near the river.').waitFor();
    await page.getByRole('region', { name: 'Prompt view' }).getByText('Ada').waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'platform-card');
    // Ann owns this card, and nobody saves somebody else's.
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('not-owner').waitFor();
    await go('/platform?tab=cards&of=new');
    await page.getByLabel('Id').fill('cy');
    await page.getByLabel('Name').fill('Cy');
    await page.getByRole('region', { name: 'Prompt view' }).getByText('Cy').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Version 1, pending').waitFor();
    await go('/platform?tab=review');
    const card = page.getByRole('article', { name: 'Card of Bo' });
    await card.getByLabel(/Why not/).fill('Say more about yourself.');
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'platform-review');
    await card.getByRole('button', { name: 'Reject' }).click();
    await card.waitFor({ state: 'detached' });
    const bo = must(await stand.client.getCard({ agent: 'bo' }));
    expect(bo).toMatchObject({ status: 'rejected', reason: 'Say more about yourself.' });
    expect(problems.filter((each) => !each.includes('403'))).toEqual([]);
  });

  it('decides on proposals of agents, and turns the weekly event on and off', async () => {
    const opened = await platform.openPlatform(join(stand.home, 'platform'), { env: {} });
    if (!opened.ok) throw new Error(opened.error.code);
    const content = { type: 'propose_task', title: 'A map of nests', summary: 'Draw <b>all</b> of them.' };
    for (const request of ['one', 'two'])
      await opened.value.objects.put(
        bundle.KEYS.request('hall', 'ada', request),
        Buffer.from(
          JSON.stringify({ agent_id: 'ada', content: { ...content, expected_outputs: ['map.svg'] } }),
        ),
      );
    await opened.value.close();
    await go('/platform?tab=proposals');
    const one = page.getByRole('article', { name: 'Proposal hall/ada/one' });
    await one.getByText('Draw <b>all</b> of them.').waitFor();
    await one.getByText('map.svg').waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'platform-proposals');
    await one.getByRole('button', { name: 'Accept' }).click();
    await one.waitFor({ state: 'detached' });
    const two = page.getByRole('article', { name: 'Proposal hall/ada/two' });
    await two.getByLabel(/Reason for a rejection/).selectOption('unsafe');
    await two.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('No proposal waits for a decision.').waitFor();
    const { places } = must(await stand.client.getPlatform());
    expect(places.map(({ place }) => place.title)).toContain('A map of nests');

    await go('/platform?tab=schedule');
    const weekly = page.getByRole('article', { name: 'Weekly public event' });
    await weekly.getByRole('button', { name: 'Turn on' }).click();
    await weekly.getByRole('button', { name: 'Turn off' }).waitFor();
    expect(must(await stand.client.listJobs()).jobs).toContainEqual(
      expect.objectContaining({ job: 'event', on: true }),
    );
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'platform-schedule');
    await weekly.getByRole('button', { name: 'Turn off' }).click();
    await weekly.getByRole('button', { name: 'Turn on' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('shows whether what is published verifies, and no word of what does not', async () => {
    const objects = join(stand.home, 'platform/objects');
    await go('/platform?tab=published&of=ada');
    const ada = page.getByRole('article', { name: 'Published for ada' });
    await ada.getByText('✓ verified').waitFor();
    await ada.getByText('Counts birds').first().waitFor();
    await shoot(page, 'platform-published');
    await go('/platform?tab=places');
    const hall = page.getByRole('article', { name: 'topic hall' });
    await hall.getByText('The great hall').waitFor();
    await shoot(page, 'platform-places');
    for (const [file, from, to] of [
      ['agents/prompts/ada/bundle.json', 'Counts birds', 'Counts money'],
      ['topics/hall/manifest.json', 'The great hall', 'The great trap'],
    ] as const) {
      const text = readFileSync(join(objects, file), 'utf8');
      expect(text).toContain(from);
      writeFileSync(join(objects, file), text.replaceAll(from, to));
    }
    await page.reload();
    await hall.getByText('✕ refused').waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/great/);
    await go('/platform?tab=published&of=ada');
    await ada.getByText('✕ refused').waitFor();
    expect(await page.locator('main').innerText()).not.toMatch(/money|birds/);
    await shoot(page, 'platform-refused');
    await ada.getByRole('button', { name: 'Publish it again' }).click();
    await ada.getByText('✓ verified').waitFor();
    for (const tab of ['library', 'experiments', 'fleet', 'health', 'audit']) {
      await go(`/platform?tab=${tab}`);
      await page.locator('.tabs [aria-current]').waitFor();
      await page.locator('main p.quiet', { hasText: /…$/ }).first().waitFor({ state: 'detached' });
      expect(await brokenRules(page)).toEqual([]);
      await shoot(page, `platform-${tab}`);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    for (const place of ['/platform', '/platform?tab=fleet', '/library?target=role:weaver', '/library']) {
      await go(place);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.locator(':is(main table, main .words, main .target-list):visible').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      expect(await brokenRules(page)).toEqual([]);
      await shoot(page, `phone${place.replace(/[/?=:]/g, '-')}`);
    }
    expect(problems.filter((each) => !each.includes('404'))).toEqual([]);
  });
});
