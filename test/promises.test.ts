import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './root.js';

const PAGE = join(ROOT, 'docs/internals/promises.md');
const ROW = /^\| (?<promise>[^|]+?) \| \[[^\]]+\]\((?<link>[^)]+)\): (?<title>.+?) \|$/;

const lines = readFileSync(PAGE, 'utf8').split('\n');
const rows = lines.filter((line) => line.startsWith('| ') && !/^\| (promise|---) /.test(line));

describe('docs/internals/promises.md', () => {
  it('has rows, each with a promise, a file and a title', () => {
    expect(rows.filter((row) => !ROW.test(row))).toEqual([]);
  });

  it.each(rows)('names a test that exists: %s', (row) => {
    const { link = '', title = '' } = ROW.exec(row)?.groups ?? {};
    const file = join(dirname(PAGE), link);
    expect(existsSync(file), relative(ROOT, file)).toBe(true);
    expect(plain(readFileSync(file, 'utf8'))).toContain(plain(title));
  });
});

/** Titles are compared without the quoting of the page and of the source. */
function plain(text: string): string {
  return text.replace(/\\(['"`|])/g, '$1').replaceAll('`', '');
}
