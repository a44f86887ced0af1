import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lookAt } from '../../../server/test/played-nodes.js';
import { must, says, start, team } from '../../../server/test/server-stand.js';
import { brokenRules } from '../axe.js';
import { shoot } from '../browser-stand.js';
import type { WebStand } from './web-stand.js';

/** The review of changes. */
export function reviewTests(web: WebStand): void {
  it('reviews changes: comments go to the agent, some files into the project; agents are joined by drawing', async () => {
    const { page, problems, stand } = web;
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
}
