import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { replacePictures } from '../scripts/screens.mjs';
import { ROOT } from './root.js';

const filesBelow = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath, entry.name));

describe('the pictures of the documentation', () => {
  const pictures = readdirSync(join(ROOT, 'docs/screens'));

  it('are each taken by a browser test, and shown on a page', () => {
    const tests = filesBelow('apps/web/test', '.ts').map((file) => readFileSync(file, 'utf8'));
    const pages = [...filesBelow('docs', '.md'), join(ROOT, 'README.md')].map((file) =>
      readFileSync(file, 'utf8'),
    );
    for (const picture of pictures) {
      const name = picture.replace(/-(?:light|dark)\.webp$/, '');
      expect(
        tests.some((text) => text.includes(`'${name}');`)),
        picture,
      ).toBe(true);
      expect(
        pages.some((text) => text.includes(`screens/${picture}`)),
        picture,
      ).toBe(true);
    }
  });

  it('are replaced by those that were taken, and one that was not is named', () => {
    const folder = mkdtempSync(join(tmpdir(), 'cuebook-screens-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [taken, docs] = [join(folder, 'taken'), join(folder, 'docs')];
    for (const each of [taken, docs]) mkdirSync(each);
    for (const name of ['a-light.webp', 'gone-dark.webp']) writeFileSync(join(docs, name), 'old');
    for (const name of ['a-light.webp', 'other-light.webp']) writeFileSync(join(taken, name), 'new');
    expect(replacePictures(taken, docs)).toEqual({ replaced: 1, missing: ['gone-dark.webp'] });
    expect(readdirSync(docs)).toEqual(['a-light.webp', 'gone-dark.webp']);
    expect(readFileSync(join(docs, 'a-light.webp'), 'utf8')).toBe('new');
  });
});
