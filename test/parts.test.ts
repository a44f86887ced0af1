import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { part, partTable } from './part.js';
import { ROOT } from './root.js';
import { filesUnder, workspaces } from './workspaces.js';

const TEST_FILES = ['test', ...workspaces().map(({ folder }) => folder)].flatMap((folder) =>
  filesUnder(folder, ['.test.ts', '.test.tsx']),
);

/** The names of the parts a test file asks for. */
const partsAskedBy = (file: string): readonly string[] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\b(?:part|describePart)\('([\w-]+)'/g)].map(
    ([, name = '']) => name,
  );

describe('the table of parts', () => {
  it.each(partTable())('lists the users of $name', ({ name, usedBy }) => {
    expect(usedBy).toEqual(TEST_FILES.filter((file) => partsAskedBy(file).includes(name)));
  });

  it('refuses a name it does not have', () => {
    const unknown = ['no', 'such', 'part'].join('-');
    expect(() => part(unknown)).toThrow(unknown);
  });

  it('gives a reason for each part that is not there, and a path for each that is', () => {
    for (const { name } of partTable()) {
      const { available, path, reason } = part(name);
      expect(available ? path !== '' && reason === '' : reason.includes(name)).toBe(true);
    }
  });
});
