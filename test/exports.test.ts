import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exportedNames, exportsOf, importsFrom } from './exports.js';
import { ROOT } from './root.js';

/** Entry points that people import in code of their own, and the page that shows how. */
const LIBRARIES: Readonly<Record<string, string>> = {
  '@cuebook/controller': 'packages/controller/README.md',
  '@cuebook/define': 'docs/user/definitions.md',
  '@cuebook/define/source': 'packages/define/README.md',
  '@cuebook/template': 'packages/template/README.md',
  cuebook: 'README.md',
};

/** Tables of codes are read whole, whatever their names are. */
const isReadWhole = (entry: string): boolean => entry.endsWith('/codes');

it('a package exports what somebody outside imports, or what its README names, and nothing else', () => {
  const unused = exportedNames().filter(
    ({ isUsed, entry }) => !isUsed && !(entry in LIBRARIES) && !isReadWhole(entry),
  );
  expect(unused.map(({ entry, name }) => `${entry} ${name}`)).toEqual([]);
});

it.each(Object.entries(LIBRARIES))('%s is a library: %s shows how it is imported', (entry, page) => {
  expect(readFileSync(join(ROOT, page), 'utf8')).toContain(`from '${entry}'`);
});

it('the readers of this test see every way to export and to import', () => {
  const source = "export { type A, b as c } from './x.js';\nexport const d = 1;\nexport interface E {}\n";
  expect(exportsOf(source)).toEqual(['A', 'c', 'd', 'E']);
  const user =
    "import { type A, c as x } from '@p/q';\nexport type { E } from '@p/q';\nimport { z } from '@p/q/r';";
  expect(importsFrom(user, '@p/q')).toEqual(['A', 'c', 'E']);
  expect(importsFrom("const { d } = await import('@p/q');", '@p/q')).toContain('d');
});
