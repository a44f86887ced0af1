import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../../test/root.js';
import { sourceFacts } from '../../../../test/source-facts.js';
import { filesUnder } from '../../../../test/workspaces.js';
import { WORKFLOW_TOOLS } from './catalog.js';

const SHIPPED = filesUnder('packages/workflow/src', ['.ts'])
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => ({ file, ...sourceFacts(file, readFileSync(join(ROOT, file), 'utf8')) }));

describe('a tool is one record', () => {
  it.each(WORKFLOW_TOOLS)('$name is named in the file of its record and nowhere else', ({ name }) => {
    const naming = SHIPPED.filter(({ strings }) => strings.includes(name)).map(({ file }) => file);
    expect(naming).toEqual([expect.stringMatching(/^packages\/workflow\/src\/tool\/[a-z-]+\.ts$/)]);
  });

  it('the list alone takes all records', () => {
    const records = WORKFLOW_TOOLS.flatMap(({ name }) =>
      SHIPPED.filter(({ strings }) => strings.includes(name)).map(({ file }) => file),
    );
    const importing = SHIPPED.filter(({ file, imports }) =>
      records.every((record) =>
        imports.some((path) => join(file, '..', path).replace(/\.js$/, '.ts') === record),
      ),
    );
    expect(importing.map(({ file }) => file)).toEqual(['packages/workflow/src/tool/catalog.ts']);
  });
});
