import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { HARMLESS } from '../../../server/test/played-nodes.js';
import { says, start, team, until } from '../../../server/test/server-stand.js';
import { shoot } from '../browser-stand.js';
import type { WebStand } from './web-stand.js';

/** Words that are found, and large teams. */
export function searchTests(web: WebStand): void {
  it('finds words of prompts by the palette, and shows a team of 500 agents', async () => {
    const { page, problems, stand } = web;
    stand.script({ n0: [says('Looking.')] });
    const run = await start(
      stand,
      team([{ alias: 'n0', capabilities: HARMLESS }], { goal: 'Find the needle in the hay.' }),
    );
    await until(stand, run, ({ quiet, turns }) => quiet && turns > 0);
    const none = { events: [], after: 0, last: 0, more: true };
    await page.route(`**/runs/${run}/log?*`, (route) => route.fulfill({ json: none }));
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
    await page.getByRole('searchbox', { name: 'Only agents that match' }).fill('n499');
    await page.getByRole('button', { name: /n499/ }).click();
    await page.locator('.agent-box[data-selected="true"]', { hasText: 'n499' }).waitFor();
    await expect.poll(() => boxHeight(page, 'n499')).toBeGreaterThan(40);
    expect(page.url()).toContain('agent=');
    await shoot(page, 'graph-500');
    await stand.client.stopRun({ run });
    expect(problems).toEqual([]);
  });
}

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
