import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { share } from '../../../../test/runs.js';
import { findObligations, forceOf } from './obligations.js';

interface Row {
  readonly lang: string;
  readonly text: string;
  readonly force: 'MUST' | 'NEVER' | 'SHOULD' | null;
}

const ROWS: readonly Row[] = readFileSync(
  fileURLToPath(new URL('../../test/obligations.jsonl', import.meta.url)),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const LANGUAGES = [...new Set(ROWS.map(({ lang }) => lang))];

/** Of what was found, how much is right; of what there is, how much was found. */
function measure(rows: readonly Row[]) {
  const found = rows.map((row) => ({ ...row, told: forceOf(row.text) ?? null }));
  const right = found.filter(({ told, force }) => told !== null && told === force).length;
  const [told, there] = [
    found.filter((each) => each.told !== null),
    found.filter((each) => each.force !== null),
  ];
  return { precision: right / told.length, recall: right / there.length };
}

describe('sentences that a person has labelled', () => {
  it('are 600 or more, in eight languages', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(600);
    expect(LANGUAGES.sort()).toEqual(['de', 'en', 'es', 'fr', 'it', 'ja', 'pt', 'zh']);
  });

  it('are read rightly in nine of ten, found and not made up', () => {
    const all = measure(ROWS);
    console.info(`obligations: precision ${all.precision.toFixed(3)}, recall ${all.recall.toFixed(3)}`);
    expect(all.precision).toBeGreaterThanOrEqual(0.95);
    expect(all.recall).toBeGreaterThanOrEqual(0.95);
  });

  it.each(LANGUAGES)('in %s', (lang) => {
    const { precision, recall } = measure(ROWS.filter((row) => row.lang === lang));
    expect(precision).toBeGreaterThanOrEqual(0.9);
    expect(recall).toBeGreaterThanOrEqual(0.9);
  });
});

describe('how a text is read', () => {
  it.each([
    ['You must\nnot lie.\nBe kind.', ['NEVER You must not lie.', 'MUST Be kind.']],
    ['```\nNever do this.\n```\nCite sources.', ['MUST Cite sources.']],
    ['The phrase "never lie" is short.', []],
    ['Use e.g. JSON. Do not use XML.', ['MUST Use e.g. JSON.', 'NEVER Do not use XML.']],
    ['## Verboten:\n- Lügen\n- Raten\n\nSchluss.', ['NEVER Lügen', 'NEVER Raten']],
    ['Never:\r\n- Guess\r\n', ['NEVER Guess']],
    ['必须引用来源。不要猜测。', ['MUST 必须引用来源。', 'NEVER 不要猜测。']],
    ['Must you always shout?', []],
  ])('%j', (text, expected) => {
    expect(findObligations(text).map(({ force, text: said }) => `${force} ${said}`)).toEqual(expected);
  });

  it('ends for any text, in time that grows with its length', () => {
    const part = fc.constantFrom(
      'must ',
      'not ',
      'never, ',
      'if you ',
      'do ',
      'no ',
      'que ',
      'nicht ',
      ', ',
      'a',
      '- ',
      '请',
      'ない',
      '. ',
      "n'",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 400 }), (parts) => {
        const text = parts.join('');
        for (const { text: said } of findObligations(text)) expect(said.trim()).not.toBe('');
      }),
      { numRuns: share(50, 2000) },
    );
    const long = 'if you do not have to no one may never, and '.repeat(20_000);
    expect(findObligations(long).length).toBeLessThanOrEqual(1);
  });
});
