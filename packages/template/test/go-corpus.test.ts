import { describe, expect } from 'vitest';
import { itInTurn as it } from '../../../test/runs.js';
import { differenceOf } from './go/compare.js';
import { readCorpus } from './go/corpus.js';
import { answerLine, ENGINES } from './go/ours.js';

const RECORDED = readCorpus();

describe('recorded answers of Go', () => {
  it('are at least 2,000', () => {
    expect(RECORDED.length).toBeGreaterThanOrEqual(2000);
  });

  it.each(ENGINES)('are those of %s', (engine) => {
    const wrong = RECORDED.flatMap(({ tmpl, line, answer }) => {
      const ours = answerLine(line, engine);
      return differenceOf(answer, ours) ? [{ tmpl, go: answer, ours }] : [];
    });
    expect(wrong).toEqual([]);
  });
});
