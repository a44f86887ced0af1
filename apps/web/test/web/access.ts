import { expect, it } from 'vitest';
import { brokenRules } from '../axe.js';
import type { WebStand } from './web-stand.js';

/** Who may open the app. */
export function accessTests(web: WebStand): void {
  it('is opened by the link, which leaves no token in the address; without it there is nothing to see', async () => {
    const { page, problems, stand } = web;
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
}
