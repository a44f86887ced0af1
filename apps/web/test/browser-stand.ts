import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { ROOT } from '../../../test/root.js';

/** Only a page that hangs takes this long. */
export const LIMIT = 60_000;

/** One browser for all tests. */
export async function launch(path: string): Promise<Browser> {
  const quiet = [
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-dev-shm-usage',
  ];
  const args = [...quiet, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  return chromium.launch({ executablePath: path, headless: true, args });
}

/** A page that notes every error, every broken rule of its policy, and every request to anybody else. */
export async function openPage(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ readonly context: BrowserContext; readonly page: Page; readonly problems: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  context.setDefaultTimeout(LIMIT);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('request', (request) => {
    if (new URL(request.url()).hostname !== '127.0.0.1') problems.push(`asked ${request.url()}`);
  });
  return { context, page, problems };
}

/** A picture of the page, light and dark, where `SHOTS` names a folder of the checkout for it. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (folder === undefined) return;
  const session = await page.context().newCDPSession(page);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 60 });
    writeFileSync(join(ROOT, folder, `${name}-${colorScheme}.webp`), data, 'base64');
  }
}

/** The page on a phone, where nothing is wider than the screen; then as it was. */
export async function shootPhone(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize(PHONE);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
  await shoot(page, `${name}-phone`);
  if (before !== null) await page.setViewportSize(before);
}

const PHONE = { width: 390, height: 844 };
