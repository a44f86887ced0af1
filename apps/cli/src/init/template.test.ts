import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { TEMPLATE } from './template.js';

const EXAMPLE = fileURLToPath(new URL('../../../../examples/review-desk', import.meta.url));

it('examples/review-desk is what init writes: `cuebook init examples/review-desk` makes it', () => {
  const files = readdirSync(EXAMPLE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const example = Object.fromEntries(
    files.map((file) => [file.slice(EXAMPLE.length + 1).replaceAll('\\', '/'), readFileSync(file, 'utf8')]),
  );
  expect(example).toEqual(TEMPLATE);
});
