import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect, onTestFailed } from 'vitest';
import { WAIT_MS } from '../../../test/hung.js';
import { ROOT } from '../../../test/root.js';

/** One browser for all tests. */
export async function launch(path: string): Promise<Browser> {
  const quiet = [
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-dev-shm-usage',
  ];
  const args = [...quiet, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  // Loaded when it is used: most runs of a test file that imports this open no browser.
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath: path, headless: true, args });
}

/**
 * A page that notes every error, every broken rule of its policy, and every request to anybody else. A test that fails
 * prints what the page showed and which of its requests went wrong.
 */
export async function openPage(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ readonly context: BrowserContext; readonly page: Page; readonly problems: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('request', (request) => {
    if (new URL(request.url()).hostname !== '127.0.0.1') problems.push(`asked ${request.url()}`);
  });
  const wrong: string[] = [];
  page.on('requestfailed', (request) => wrong.push(`${request.url()}: ${request.failure()?.errorText}`));
  page.on(
    'response',
    (answer) => answer.status() >= 400 && wrong.push(`${answer.url()}: ${answer.status()}`),
  );
  onTestFailed(async () => {
    if (page.isClosed()) return;
    const shown = await page.evaluate('document.body.innerText').catch(String);
    const place = page.url().replace(/token=[\w.-]+/u, 'token=…');
    console.error([`The page ${place} showed:`, shown, ...problems, ...wrong].join('\n'));
  });
  return { context, page, problems };
}

/** A picture of the page, light and dark, where `SHOTS` names a folder of the checkout for it. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (folder === undefined) return;
  const session = await page.context().newCDPSession(page);
  const clip = await shownPart(page);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 60, clip });
    writeFileSync(join(ROOT, folder, `${name}-${colorScheme}.webp`), data, 'base64');
  }
}

/** What of the window has something in it: a short page has no empty half below, unless the links stand at the bottom. */
async function shownPart(page: Page) {
  const { width, height } = page.viewportSize() ?? { width: 1200, height: 900 };
  const end = await page.evaluate(END_OF_PAGE);
  return {
    x: 0,
    y: 0,
    width,
    height: width < 600 ? height : Math.min(height, Math.max(360, Number(end))),
    scale: 1,
  };
}

/** Where the last thing on a screen or in its navigation ends; a dialog over it may reach anywhere. */
const END_OF_PAGE = `document.querySelector('dialog[open], [role=dialog]') ? 9999 : Math.ceil(
  Math.max(...[...document.querySelectorAll('main > * *, main > *, nav.side > *')].map((each) => each.getBoundingClientRect().bottom)) + 24)`;

/** The page on a phone, where nothing is wider than the screen; then as it was. */
export async function shootPhone(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize(PHONE);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(PHONE.width);
  const current = page.locator('nav.side [aria-current]');
  if ((await current.count()) > 0) await expectInSight(current);
  await shoot(page, `${name}-phone`);
  if (before !== null) await page.setViewportSize(before);
}

const PHONE = { width: 390, height: 844 };

/** The link of the screen that is shown is not beside the phone. */
async function expectInSight(link: Locator): Promise<void> {
  await expect
    .poll(async () => {
      const box = await link.boundingBox();
      return box !== null && box.x >= 0 && box.x + box.width <= PHONE.width;
    })
    .toBe(true);
}
