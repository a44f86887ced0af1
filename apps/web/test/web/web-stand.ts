import type { Browser, Page } from 'playwright-core';
import type { ServerStand } from '../../../server/test/server-stand.js';

/** What the tests of the app share: one browser and one server, and for each test a page that has opened nothing. */
export interface WebStand {
  readonly browser: Browser;
  readonly page: Page;
  /** What the page complained of, or asked of anybody else. */
  readonly problems: readonly string[];
  /** Started again by a test, it is another one. */
  stand: ServerStand;
}
