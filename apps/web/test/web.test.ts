import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { packageTexts } from '../../../packages/workflow/test/fixture.js';
import { describePart } from '../../../test/part.js';
import { ROOT } from '../../../test/root.js';
import { filesUnder } from '../../../test/workspaces.js';
import { serverStand, weaver } from '../../server/test/server-stand.js';
import { launch, openPage } from './browser-stand.js';
import { accessTests } from './web/access.js';
import { approvalTests } from './web/approvals.js';
import { connectionTests } from './web/connection.js';
import { promptTests } from './web/prompts.js';
import { reviewTests } from './web/review.js';
import { searchTests } from './web/search.js';
import { waitTests } from './web/waits.js';
import type { WebStand } from './web/web-stand.js';

const WEAVER = weaver(['edge_management_all', 'write_code', 'run_commands']);

// One browser and one server serve all of them: to start these costs more than most tests.
describePart('chromium', 'the web app in a real browser', ({ path }) => {
  let browser: Browser;
  let context: BrowserContext;
  const web = {} as { -readonly [Part in keyof WebStand]: WebStand[Part] };
  beforeAll(async () => {
    browser = await launch(path);
    web.browser = browser;
    const files = { 'a.txt': 'a\n', 'docs/templates/weaver.md': WEAVER, ...definitions() };
    web.stand = await serverStand({ git: true, files });
  });
  afterAll(async () => {
    await browser?.close();
    await web.stand?.remove();
  });
  beforeEach(async () => {
    const opened = await openPage(browser);
    context = opened.context;
    web.page = opened.page;
    web.problems = opened.problems;
  });
  afterEach(() => context.close());

  accessTests(web);
  approvalTests(web);
  promptTests(web);
  reviewTests(web);
  waitTests(web);
  searchTests(web);
  connectionTests(web);
});

/** The definitions of two examples and a workflow in one project. */
function definitions(): Readonly<Record<string, string>> {
  const found = ['definitions-includes', 'definitions-tools'].flatMap((name) =>
    filesUnder(`examples/${name}/agents`, ['.ts']).map((file) => [
      file.slice(`examples/${name}/`.length),
      readFileSync(join(ROOT, file), 'utf8'),
    ]),
  );
  const workflow = Object.entries(packageTexts()).map(([path, text]) => [`workflows/hb/${path}`, text]);
  return Object.fromEntries([...found, ...workflow]) as Readonly<Record<string, string>>;
}

describe('the built app', () => {
  it('loads Needs you with at most 220 KB compressed', () => {
    const folder = join(ROOT, 'apps/server/page');
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    const first = [...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, file = '']) => file);
    const bytes = ['index.html', ...first].map((file) => gzipSync(readFileSync(join(folder, file))).length);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(220 * 1024);
    expect(first.length).toBeGreaterThan(1);
  });
});
