import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { WORKFLOW_TEMPLATE } from './template.js';

it('examples/requests is what init writes: `cuebook init --workflow examples/requests` makes it', () => {
  const example = new URL('../../../../../examples/requests/', import.meta.url);
  const same = (path: string, text: string) => (path.endsWith('.json') ? JSON.parse(text) : text);
  for (const [path, text] of Object.entries(WORKFLOW_TEMPLATE)) {
    // What is made in a clone stays out of it.
    if (path === '.gitignore') continue;
    expect([path, same(path, readFileSync(new URL(path, example), 'utf8'))]).toEqual([
      path,
      same(path, text),
    ]);
  }
});
