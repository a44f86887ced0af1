import { expect } from 'vitest';
import { itInTurn as it } from '../../../../test/runs.js';
import { HARMLESS } from '../../../server/test/played-nodes.js';
import { must, start, team } from '../../../server/test/server-stand.js';
import type { WebStand } from './web-stand.js';

/** Pages of others, and a server that is started again. */
export function connectionTests(web: WebStand): void {
  it('cannot be used by a page of another origin: it reads nothing and writes nothing', async () => {
    const { page, stand } = web;
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

  it('continues by itself when the server was ended and started again', async () => {
    const { page } = web;
    await page.goto(web.stand.server.link);
    await page.locator('.live-state.live').waitFor();
    await web.stand.server.close();
    await page.getByText(/The server does not answer/).waitFor();
    web.stand = await web.stand.restart();
    await page.getByText(/The server does not answer/).waitFor({ state: 'detached' });
    await page.locator('.live-state.live').waitFor();
  });

  it.each(['503', 'nobody'] as const)(
    'shows what it could not read at first without being loaded again: %s',
    async (says) => {
      const { page, stand } = web;
      await page.goto(stand.server.link);
      await page.locator('.live-state.live').waitFor();
      // More often than one look is tried at once.
      let left = 6;
      await page.route('**/api/v1/library', (route) => {
        left -= 1;
        if (left < 0) return route.continue();
        return says === 'nobody' ? route.abort() : route.fulfill({ status: Number(says), body: '' });
      });
      await page.evaluate(`location.hash = '#/library'`);
      await page.getByRole('alert').first().waitFor();
      await page.getByRole('heading', { name: 'Library' }).waitFor();
      expect(left).toBeLessThan(0);
    },
  );
}
