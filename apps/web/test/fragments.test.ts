import { parseManifests } from '@cuebook/manifest';
import { ok } from '@cuebook/prompt';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as it } from '../../../test/runs.js';
import { type ServerStand, serverStand } from '../../server/test/server-stand.js';
import { brokenRules } from './axe.js';
import { launch, openPage, shoot } from './browser-stand.js';

const map = (data: object): string =>
  JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', data },
    metadata: { name: 'team', labels: { 'kagent.dev/prompt-library': 'true' } },
  });
const agent = (name: string): string =>
  JSON.stringify({
    ...{ apiVersion: 'kagent.dev/v1alpha2', kind: 'Agent', metadata: { name } },
    spec: {
      declarative: {
        systemMessage: 'You are {{.AgentName}}. {{include "team/tone"}}',
        promptTemplate: { dataSources: [{ kind: 'ConfigMap', name: 'team' }] },
      },
    },
  });

describePart('chromium', 'fragments in a real browser', ({ path }) => {
  let browser: Browser;
  let stand: ServerStand;
  beforeAll(async () => {
    browser = await launch(path);
    const live = parseManifests([
      ['team', map({ tone: 'Live words.' })],
      ['l', agent('live')],
    ]);
    stand = await serverStand({
      files: {
        'manifests/team.yaml': map({ tone: 'Be kind. Never lie.', spare: 'x' }),
        'manifests/a.yaml': agent('a'),
        'manifests/b.yaml': agent('b'),
      },
      options: { cluster: async () => ok(live) },
    });
  });
  afterAll(async () => {
    await browser?.close();
    await stand?.remove();
  });

  it('shows who includes each, and what other words would do to all of them', async () => {
    const { context, page, problems } = await openPage(browser);
    await page.goto(stand.server.link);
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await page.getByRole('link', { name: /^tone/ }).click();
    const agents = page.getByRole('list', { name: 'Agents' });
    await agents.getByText('default/a').waitFor();
    await agents.getByText('default/b').waitFor();
    await page.getByLabel('Text of the fragment').fill('Be kind. Always cite a source.');
    await page
      .getByText('2 get a new prompt, and their pods restart. 0 cannot be resolved with it.')
      .waitFor();
    await page.locator('details', { hasText: 'default/a' }).locator('summary').click();
    await page.getByText('Always cite a source.').first().waitFor();
    expect(await brokenRules(page)).toEqual([]);
    await shoot(page, 'fragments');
    await page.getByRole('button', { name: 'Cluster' }).click();
    await page.getByRole('link', { name: /^tone/ }).click();
    await agents.getByText('default/live').waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });
});
