import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { ROOT } from '../../../../test/root.js';
import { itInTurn as it } from '../../../../test/runs.js';
import { call, must, until } from '../../../server/test/server-stand.js';
import { brokenRules } from '../axe.js';
import { shoot } from '../browser-stand.js';
import type { WebStand } from './web-stand.js';

const HOSTILE =
  '<img src=x onerror="document.title=1"> **bold** \u202egnp.exe \x1b[31mred\x1b[0m ![p](http://192.0.2.1/p.png)';

/** Conversations, playback, and where the words of a prompt come from. */
export function promptTests(web: WebStand): void {
  it('shows hostile words as text, plays a run back, explains any byte, verifies, and fits a phone in the dark', async () => {
    const { page, problems, stand } = web;
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
    await page.getByText('A rehearsal: a script answers here, not a model.').waitFor();
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
    // The count is the last thing that moves what stands below the words.
    await page.getByText(/about [\d,]+ tokens/).waitFor();
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
    await shoot(page, 'phone-prompt');
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
    await page.setViewportSize({ width: 1200, height: 900 });
    await shoot(page, 'start');
    expect(problems).toEqual([]);
  });

  it('explains a byte inside an included text and inside the result of a tool, and offers a link to it', async () => {
    const { page, problems, stand } = web;
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
    await why.getByText('output of a tool or an agent').waitFor();
    await why.locator('dd', { hasText: /^tool$/ }).waitFor();
    await page.getByRole('button', { name: 'changed' }).click();
    await page.locator('.changed-new', { hasText: 'Order A-17: one lamp' }).waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.locator('.added', { hasText: 'Order A-17: one lamp' }).waitFor();
    await shoot(page, 'compare');
    await page.getByRole('button', { name: 'Whole request' }).click();
    await page.getByText('✓ These are exactly the bytes that were sent: the hash matches.').waitFor();
    await page.locator('.words', { hasText: 'Order A-17: one lamp' }).first().click();
    await why.getByText('output of a tool or an agent').waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'request');
    await page.goto(link);
    await why.getByTestId('place').getByText('agents/prompts/safety.ts:').waitFor();
    expect(problems).toEqual([]);
  });
}

const exampleScript = (name: string): string =>
  readFileSync(join(ROOT, 'examples', name, 'script.yaml'), 'utf8');

/** Goes to the prompt of a turn of the first agent of a run. */
async function openPrompt(page: Page, address: string, turn: number): Promise<void> {
  await page.goto(address);
  const shown = page.getByRole('article', { name: new RegExp(`^Turn ${turn} of`) });
  await shown.getByRole('link', { name: 'Prompt' }).click();
  await page.getByRole('heading', { name: 'Prompt' }).waitFor();
}
