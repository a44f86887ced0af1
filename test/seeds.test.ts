import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './root.js';
import { evidenceOf, linksOf, problemOf, rowsOf, targetOf } from './rows.js';

const PAGE = join(ROOT, 'docs/internals/seeds.md');
const [tables = '', owed = ''] = readFileSync(PAGE, 'utf8').split(/^## Not yet$/m);
const rows = rowsOf(tables);
const SEEDS = ['000', '001', '002', '003', '004'];
const NOT_YET = 'not yet';
/** `- 000-17, 000-18: what lacks` */
const open = owed.split('\n').filter((line) => line.startsWith('- '));
const openIds = open.flatMap((line) => line.match(/\b\d{3}-\d+\b/g) ?? []);
const ids = rows.map(([id = '']) => id);

const isRuling = (link: string): boolean => targetOf(PAGE, link).startsWith('docs/decisions/');
const isTest = (link: string): boolean => /\.test\.ts$|\/test\//.test(targetOf(PAGE, link));

describe('docs/internals/seeds.md', () => {
  it('has a requirement in every row, under an id of its own, seed by seed', () => {
    expect(rows.filter((row) => row.length !== 4 || row.some((cell) => cell === ''))).toEqual([]);
    const expected = SEEDS.flatMap((seed) =>
      ids.filter((id) => id.startsWith(`${seed}-`)).map((_, index) => `${seed}-${index + 1}`),
    );
    expect(ids).toEqual(expected);
    for (const seed of SEEDS) expect(ids).toContain(`${seed}-1`);
  });

  it('says each requirement once', () => {
    const said = rows.map(([id = '', requirement]) => `${id.slice(0, 3)} ${requirement}`);
    expect(said.filter((each, index) => said.indexOf(each) !== index)).toEqual([]);
  });

  it.each(rows)('%s has a file and a test, or a ruling: %s', (id, _requirement, files = '', shown = '') => {
    for (const link of linksOf(files))
      expect([link, existsSync(join(ROOT, targetOf(PAGE, link)))]).toEqual([link, true]);
    if (shown === NOT_YET) {
      expect(openIds).toContain(id);
      return;
    }
    const evidence = evidenceOf(shown) ?? [];
    expect(evidence.filter(({ link }) => !isTest(link) && !isRuling(link))).toEqual([]);
    expect(evidence.length).toBeGreaterThan(0);
    const isRuled = evidence.some(({ link }) => isRuling(link));
    expect(isRuled || linksOf(files).length > 0).toBe(true);
    expect(evidence.flatMap((each) => problemOf(PAGE, each) ?? [])).toEqual([]);
  });

  it('tells at its end what every requirement that is not met yet lacks', () => {
    expect(openIds.filter((id) => !ids.includes(id))).toEqual([]);
    expect(openIds.filter((id, index) => openIds.indexOf(id) !== index)).toEqual([]);
    for (const line of open) expect(line).toMatch(/^- (?:\d{3}-\d+(?:, |: ))+\S.{8,}$/);
  });
});
