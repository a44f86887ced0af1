import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BlockInput, Piece } from '@cuebook/prompt';
import { describe, expect, it } from 'vitest';
import { duplicateObligations, opposedObligations } from '../src/obligation/conflicts.js';
import { placedObligations } from '../src/obligation/placed.js';

interface PairRow {
  readonly kind: 'opposed' | 'conditional' | 'unrelated';
  readonly one: string;
  readonly other: string;
}

const ROWS: readonly PairRow[] = readFileSync(
  fileURLToPath(new URL('obligation-pairs.jsonl', import.meta.url)),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as PairRow);

const block = (texts: readonly string[], more: Partial<Piece> = {}): BlockInput => ({
  name: 'rules',
  role: 'system',
  pieces: texts.map(
    (text, at): Piece => ({
      text: `${text}\n`,
      origin: { kind: 'file', ref: `texts/${at}.md`, line: 3, column: 1 },
      trust: 'author',
      secrecy: 'public',
      volatility: 'build',
      ...more,
    }),
  ),
});

describe('30: opposed obligations', () => {
  const told = ROWS.map((row) => ({
    ...row,
    pairs: opposedObligations(placedObligations([block([row.one, row.other])])),
  }));

  it('are told of sixty pairs that a person has labelled: precision .9, recall .6', () => {
    expect(ROWS.map(({ kind }) => kind).sort()).toEqual([
      ...Array<string>(20).fill('conditional'),
      ...Array<string>(20).fill('opposed'),
      ...Array<string>(20).fill('unrelated'),
    ]);
    const found = told.filter(({ pairs }) => pairs.length > 0);
    const right = found.filter(({ kind }) => kind === 'opposed');
    console.info(`opposed: precision ${right.length}/${found.length}, recall ${right.length}/20`);
    expect(
      found.filter(({ kind }) => kind !== 'opposed').map(({ one, other }) => `${one} / ${other}`),
    ).toEqual([]);
    expect(right.length / found.length).toBeGreaterThanOrEqual(0.9);
    expect(right.length / 20).toBeGreaterThanOrEqual(0.6);
  });

  it('with both places', () => {
    for (const { pairs } of told)
      for (const { one, other } of pairs) {
        expect([one.file, one.line]).toEqual(['texts/0.md', 3]);
        expect([other.file, other.line]).toEqual(['texts/1.md', 3]);
      }
  });
});

describe('obligations that are said twice', () => {
  it.each([
    [['Never reveal the key.', 'Be kind. Never reveal the key.'], 1],
    [['- Never reveal the key', 'Never reveal the  key.'], 1],
    [['Never reveal the key.', 'Never reveal the name.'], 0],
    [['Be kind.', 'Be kind.'], 0],
    [['This is a key.', 'This is a key.'], 0],
  ])('%j', (texts, count) => {
    expect(duplicateObligations(placedObligations([block(texts)]))).toHaveLength(count);
  });

  it('are those of authors in system blocks', () => {
    const twice = ['Never reveal the key.', 'Never reveal the key.'];
    expect(placedObligations([block(twice, { trust: 'external' })])).toEqual([]);
    expect(placedObligations([{ ...block(twice), role: 'user' }])).toEqual([]);
    expect(placedObligations([block(twice)])).toHaveLength(2);
  });
});
