import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './root.js';

/** The cells of every row below the heads of the tables of a page, in the order of the page. */
export const rowsOf = (text: string): readonly (readonly string[])[] => {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const isHead = /^\| -+ \|/.test(lines[index + 1] ?? '') || /^\| -+ \|/.test(line);
    return line.startsWith('| ') && !isHead ? [cellsOf(line)] : [];
  });
};

const cellsOf = (row: string): readonly string[] =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

/** A file and words that stand in it: the title of a test, or a ruling. */
export interface Evidence {
  readonly link: string;
  readonly words: string;
}

/** The evidence of a cell, `[file](link): words` once or more; undefined for a cell that says anything else. */
export function evidenceOf(cell: string): readonly Evidence[] | undefined {
  const found = cell.split('<br>').map((each) => /^\[[^\]]+\]\(([^)]+)\): (.+)$/.exec(each.trim()));
  if (found.some((each) => each === null)) return undefined;
  return found.map((each) => ({ link: each?.[1] ?? '', words: each?.[2] ?? '' }));
}

/** The targets of the links of a cell. */
export const linksOf = (cell: string): readonly string[] =>
  [...cell.matchAll(/\[[^\]]+\]\(([^)]+)\)/g)].map(([, link = '']) => link);

/** What a link of a page leads to, from the top of the checkout. */
export const targetOf = (page: string, link: string): string =>
  relative(ROOT, join(dirname(page), link.replace(/#.*$/, '')));

/** What is wrong with a piece of evidence, or nothing. `title › row` names a row of the table that a test runs over. */
export function problemOf(page: string, { link, words }: Evidence): string | undefined {
  const file = targetOf(page, link);
  if (!existsSync(join(ROOT, file))) return `${file} is not there`;
  const text = plain(readFileSync(join(ROOT, file), 'utf8'));
  const lost = words.split(' › ').find((part) => !text.includes(plain(part)));
  return lost === undefined ? undefined : `${file} has no "${lost}"`;
}

/** Titles are compared without the quoting of the page and of the source. */
const plain = (text: string): string => text.replace(/\\(['"`|])/g, '$1').replaceAll('`', '');
