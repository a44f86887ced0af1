import { expect, it } from 'vitest';
import * as zod from 'zod';

it('the one file of zod that definitions load has all that the package exports, and is built', async () => {
  const built = await import(new URL('../../dist/zod/zod.js', import.meta.url).href);
  expect(Object.keys(built).sort()).toEqual(Object.keys(zod).sort());
  expect(built.z.core.version).toEqual(zod.z.core.version);
});
