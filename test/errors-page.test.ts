import { join } from 'node:path';
import { expect, it } from 'vitest';
import { registeredCodes } from './codes.js';
import { errorsPage } from './docs/errors-page.js';
import { ROOT } from './root.js';

it('the page of error codes has an entry for every code and no other', async () => {
  const page = join(ROOT, 'docs', 'user', 'errors.md');
  await expect(errorsPage((await registeredCodes()).values())).toMatchFileSnapshot(page);
});
