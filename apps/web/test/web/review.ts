import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
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

    // The person has written the other file too: that is told, and nothing is applied over it.
    writeFileSync(join(stand.project, 'two.txt'), 'mine\n');
    await page.reload();
    await page.getByText('conflict: you and the agent changed the same place').waitFor();
    await shoot(page, 'review-conflict');
    expect(await brokenRules(page)).toEqual([]);
    expect(await page.getByRole('button', { name: 'Apply 1 file' }).isDisabled()).toBe(true);
    rmSync(join(stand.project, 'two.txt'));
    const remote = join(stand.root, 'remote.git');
    execFileSync('git', ['init', '-q', '--bare', remote]);
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-C', stand.project, ...args], { encoding: 'utf8' }).trim();
    git('remote', 'add', 'origin', remote);
    git('config', 'user.name', 't');
    git('config', 'user.email', 't@t');
    await page.reload();
    await page.getByRole('textbox', { name: /^Message of a commit/ }).fill('two: added');
    await page.getByRole('button', { name: 'Apply 1 file and commit' }).click();
    await page.getByRole('textbox', { name: 'Branch to push to' }).fill('not a branch');
    await page.getByRole('button', { name: 'Push' }).click();
    await page.getByText('That is not the name of a branch.').waitFor();
    await page.getByRole('textbox', { name: 'Branch to push to' }).fill('work/review');
    await page.getByRole('button', { name: 'Push' }).click();
    await page.getByText(/^Pushed [0-9a-f]{10} to work\/review of origin\.$/).waitFor();
    await shoot(page, 'review-pushed');
    const pushed = execFileSync('git', ['-C', remote, 'log', '-1', '--format=%H %s', 'work/review'], {
      encoding: 'utf8',
    });
    expect(pushed.trim()).toBe(`${git('rev-parse', 'HEAD')} two: added`);
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
    // The browser reports the refused push on its own.
    expect(problems.filter((each) => !/status of 4\d\d/.test(each))).toEqual([]);
  });
}
