import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleForBrowser } from './browser/bundle.js';
import { scenario as promptScenario } from './browser/prompt-scenario.js';
import { scenario as templateScenario } from './browser/template-scenario.js';
import { describePart } from './part.js';
import { ROOT } from './root.js';
import { itInTurn } from './runs.js';

/** Packages that run in a browser, each with a scenario that exports `scenario()`. */
const SCENARIOS = [
  {
    package: 'packages/prompt',
    entry: 'test/browser/prompt-scenario.ts',
    inNode: promptScenario,
    has: ['prompt.blocks.length', 2],
  },
  {
    package: 'packages/template',
    entry: 'test/browser/template-scenario.ts',
    inNode: templateScenario,
    has: ['answers.length', 15],
  },
] as const;

describePart('chromium', 'in a real browser', ({ path }) => {
  let browser: Browser;

  beforeAll(async () => {
    const quiet = ['--disable-gpu', '--no-first-run', '--disable-background-networking'];
    const still = ['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'];
    // Chromium refuses its sandbox to root; the only page it opens is our own script.
    const args = [...quiet, ...still, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
    browser = await chromium.launch({ executablePath: path, headless: true, args });
  });
  afterAll(async () => {
    await browser?.close();
  });

  itInTurn.each(SCENARIOS)('$package answers as in Node', async ({ entry, inNode, has: [path, value] }) => {
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    await page.addScriptTag({ content: await bundleForBrowser(join(ROOT, entry), 'bundle') });
    const answer = await page.evaluate('JSON.stringify(bundle.scenario())');
    expect(errors).toEqual([]);
    expect(JSON.parse(String(answer))).toEqual(JSON.parse(JSON.stringify(inNode())));
    expect(JSON.parse(String(answer))).toHaveProperty(path, value);
  });

  it('packages/template answers the same under a policy that forbids code from strings', async () => {
    const page = await browser.newPage();
    const bundle = await bundleForBrowser(join(ROOT, 'test/browser/template-scenario.ts'), 'bundle');
    const script = `${bundle}
let isForbidden = false;
try { new Function('return 1')(); } catch { isForbidden = true; }
document.body.textContent = JSON.stringify({ isForbidden, ...bundle.scenario() });`;
    const html = '<!doctype html><meta charset="utf-8"><body><script src="/page.js"></script></body>';
    const policy = { 'content-security-policy': "default-src 'none'; script-src 'self'" };
    await page.route('http://127.0.0.1/**', (route) =>
      route.request().url().endsWith('/page.js')
        ? route.fulfill({ contentType: 'text/javascript; charset=utf-8', body: script })
        : route.fulfill({ headers: { 'content-type': 'text/html', ...policy }, body: html }),
    );
    await page.goto('http://127.0.0.1/');
    const answer = JSON.parse((await page.textContent('body')) ?? '');
    expect(answer).toEqual({ isForbidden: true, ...JSON.parse(JSON.stringify(templateScenario())) });
  });
});

describe('bundleForBrowser', () => {
  it.each(SCENARIOS)('bundles $package whole', async ({ package: folder }) => {
    expect(await bundleForBrowser(join(ROOT, folder, 'src', 'index.ts'), 'bundle')).toContain('var bundle');
  });

  it('refuses a Node module and names its importer', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cuebook-bundle-'));
    writeFileSync(
      join(folder, 'leaky.js'),
      "import { readFileSync } from 'node:fs';\nexport const x = readFileSync;\n",
    );
    const bundled = bundleForBrowser(join(folder, 'leaky.js'), 'bundle');
    await expect(bundled).rejects.toThrow(/leaky\.js imports node:fs/);
    rmSync(folder, { recursive: true });
  });
});
