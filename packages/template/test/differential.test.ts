import { beforeAll, expect, it } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn, SEED, share } from '../../../test/runs.js';
import { askOracle, buildOracle, type GoAnswer } from './go/ask.js';
import { type GeneratedCase, generateCase } from './go/cases.js';
import { type Difference, differenceOf, writeDifferences } from './go/compare.js';
import { readCorpus, recordCorpus } from './go/corpus.js';
import { countCoverage, showCounts } from './go/coverage.js';
import { ERROR_KINDS, errorKindOf } from './go/errors.js';
import { answerLine, ENGINES } from './go/ours.js';

// Every generated template goes through Go's own text/template and through our back ends. A difference is in
// `.cache/go-diff`. `CUEBOOK_SEED=… npm test -- differential` tries other templates; `CUEBOOK_RECORD=1` writes
// the corpus for machines without Go anew.

const CASES = share(1_500, 200_000);
const CHUNK = 20_000;
/** How often everything that is counted comes at least. */
const LEAST = CASES / 400;

describePart('go', 'the same answers as Go', ({ path }) => {
  let oracle: string;
  beforeAll(() => {
    oracle = buildOracle(path);
  });

  it('and each kind of error is what its snippets provoke', async () => {
    const snippets = ERROR_KINDS.flatMap((kind) => kind.snippets.map((snippet) => ({ ...kind, snippet })));
    const answers = await askOracle(
      oracle,
      snippets.map(({ snippet, data, missingKey = 'default' }) => {
        const member = data ? `"${data.member}":${data.root.json}` : '"data":{}';
        return `{"id":"","tmpl":${JSON.stringify(snippet.replaceAll('§', '1'))},${member},"missingkey":"${missingKey}"}`;
      }),
    );
    const kinds = answers.map(({ err }) => (err === null ? 'none' : errorKindOf(err)));
    expect(kinds).toEqual(snippets.map(({ name }) => name));
  });

  it('and the recorded answers are its own', async () => {
    const recorded = readCorpus();
    const answers = await askOracle(
      oracle,
      recorded.map(({ line }) => line),
    );
    expect(answers).toEqual(recorded.map(({ answer }) => answer));
  });

  it.each([
    '{{define "R"}}{{template "R"}}{{end}}{{template "R"}}',
    'a{{define "R"}}{{if .}}{{template "S" .}}{{end}}{{end}}{{define "S"}}\n{{template "R" $}}{{end}}{{template "R" 1}}',
  ])('for a template that calls itself: %s', async (tmpl) => {
    const line = JSON.stringify({ id: '', tmpl, data: null });
    const [go] = await askOracle(oracle, [line]);
    expect(go?.err).toContain('exceeded maximum template depth (100000)');
    for (const engine of ENGINES) expect(answerLine(line, engine).err).toBe(go?.err);
  });

  itInTurn(`for ${CASES} templates`, async () => {
    const differences: Difference[] = [];
    const failures: GoAnswer[] = [];
    const totals = new Map<string, number>();
    let beyond = 0;
    for (let start = 0; start < CASES; start += CHUNK) {
      const cases = Array.from({ length: Math.min(CHUNK, CASES - start) }, (_, at) =>
        generateCase(SEED, start + at),
      );
      const answers = await askOracle(
        oracle,
        cases.map(({ line }) => line),
      );
      for (const { name, count } of countCoverage(cases, answers).counts)
        totals.set(name, (totals.get(name) ?? 0) + count);
      beyond += answers.filter(({ limit }) => limit).length;
      failures.push(...answers.filter(({ ok, limit }) => !ok && !limit));
      differences.push(...differencesIn(cases, answers));
      if (start === 0 && process.env.CUEBOOK_RECORD === '1')
        console.log(`recorded ${recordCorpus(cases, answers)} cases`);
    }
    const counts = [...totals].map(([name, count]) => ({ name, count }));
    const summary = writeDifferences(differences, CASES);
    const inWords = differences.filter(({ sort }) => sort === 'error text').length;
    const sameWords = 1 - inWords / ENGINES.length / failures.length;
    console.log(
      `${showCounts(counts)}\n${failures.length} of ${CASES} fail; of their texts ${(sameWords * 100).toFixed(2)} % are the same`,
    );
    expect(beyond, 'cases past the bounds of the oracle').toBeLessThan(Math.max(15, CASES / 1000));
    expect(counts.filter(({ count }) => count < LEAST)).toEqual([]);
    expect(differences.filter(({ sort }) => sort !== 'error text').length, summary.slice(0, 4000)).toBe(0);
    expect(sameWords, summary.slice(0, 4000)).toBeGreaterThanOrEqual(0.995);
  });
});

function differencesIn(cases: readonly GeneratedCase[], answers: readonly GoAnswer[]): Difference[] {
  const found: Difference[] = [];
  for (const [index, { id, tmpl, line }] of cases.entries()) {
    const go = answers[index];
    if (!go || go.limit) continue;
    for (const engine of ENGINES) {
      const ours = answerLine(line, engine);
      const sort = differenceOf(go, ours);
      if (sort) found.push({ sort, engine, id, tmpl, line, go, ours });
    }
  }
  return found;
}
