import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as it } from '../../../test/runs.js';
import { oidcStand } from '../../server/test/oidc-stand.js';
import { must, serverStand, startOptions } from '../../server/test/server-stand.js';
import { launch, openPage } from './browser-stand.js';

describePart('chromium', 'signing in in a real browser', ({ path }) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(path);
  });
  afterAll(() => browser?.close());

  it('goes to the provider and back, opens the app, and ends with a sign-out', async () => {
    const oidc = await oidcStand();
    onTestFinished(() => oidc.close());
    const env = {
      ...startOptions('/nowhere').env,
      CUEBOOK_OIDC_ISSUER: oidc.issuer,
      CUEBOOK_OIDC_CLIENT_ID: oidc.client.id,
      CUEBOOK_OIDC_CLIENT_SECRET: oidc.client.secret,
    };
    const { server, client, remove } = await serverStand({ options: { env } });
    onTestFinished(remove);
    oidc.serve(`${server.url}/`);
    const { context, page, problems } = await openPage(browser);
    onTestFinished(() => context.close());
    const button = page.getByRole('button', { name: `Sign in with ${new URL(oidc.issuer).host}` });
    oidc.person({ email: 'ada@example.com', email_verified: true });
    await page.goto(server.url);
    await button.click();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('Nobody of this address');
    expect(page.url()).toBe(`${server.url}/`);
    must(await client.addPerson({ name: 'ada', role: 'viewer', email: 'ada@example.com' }));
    await button.click();
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    expect(page.url()).not.toContain('code=');
    expect(must(await client.listPeople()).people[0]?.tokens).toHaveLength(2);
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await button.waitFor();
    expect(must(await client.listPeople()).people[0]?.tokens).toHaveLength(1);
    // The link of a person opens the app too.
    const { token } = must(await client.addPersonToken({ person: 'ada' }));
    await page.goto(`${server.url}/#token=${token}`);
    await page.reload();
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    expect(problems.filter((each) => !each.includes('403') && !each.includes('401'))).toEqual([]);
  });
});
