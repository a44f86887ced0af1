import { beforeAll, expect } from 'vitest';
import { describePart } from '../../../test/part.js';
import { itInTurn as it, SEED, sampled, share } from '../../../test/runs.js';
import { askOracle, buildOracle, type GoAnswer } from './go/ask.js';
import { type Difference, differenceOf, writeDifferences } from './go/compare.js';
import { DATA, runSet, type SetStep, setProgram } from './go/set.js';
import { answerCase, lineOf, showsAddress, type WideCase, wideCase } from './go/wide/case.js';
import { gridCases } from './go/wide/grid.js';
import { smallCases } from './go/wide/small.js';

// Templates from every corner of the grammar and of fmt, with data of every type, through Go's own text/template and
// through ours. A difference is in `.cache/go-diff`.

const CASES = share(700, 1_000_000);
const PROGRAMS = share(400, 20_000);
const CHUNK = 5000;

/** Differences in a million templates that are bearable; in fewer than 100,000 none is. */
const BEARABLE = 10;

describePart('go', 'the same answers as Go in every corner', ({ path }) => {
  let oracle: string;
  beforeAll(() => {
    oracle = buildOracle(path, 'wide');
  });

  it.each([
    ['every verb with every flag, width and precision on every kind of value', gridCases, 150],
    ['every short number, character, string, action and sequence of actions', smallCases, 3000],
  ] as const)('for %s', async (_, cases, inTest) => {
    const tried = sampled(cases(), inTest);
    const differences: Difference[] = [];
    for (let start = 0; start < tried.length; start += CHUNK) {
      const chunk = tried.slice(start, start + CHUNK);
      const answers = await askOracle(oracle, chunk.map(lineOf));
      differences.push(
        ...chunk.flatMap((one, index) => differencesOf(one, answers[index] as GoAnswer, index)),
      );
    }
    const summary = differences.length > 0 ? writeDifferences(differences, tried.length) : '';
    expect(differences.length, summary.slice(0, 4000)).toBe(0);
  });

  it(`for ${CASES} templates, in output and in error text`, async () => {
    const differences: Difference[] = [];
    const counts = { ok: 0, parse: 0, execute: 0, beyond: 0 };
    for (let start = 0; start < CASES; start += CHUNK) {
      const cases = Array.from({ length: Math.min(CHUNK, CASES - start) }, (_, at) =>
        wideCase(SEED, start + at),
      );
      const answers = await askOracle(oracle, cases.map(lineOf));
      for (const [index, one] of cases.entries()) {
        const go = answers[index] as GoAnswer;
        counts[
          go.limit ? 'beyond' : go.ok ? 'ok' : go.err?.includes('failed to parse') ? 'parse' : 'execute'
        ]++;
        if (!go.limit) differences.push(...differencesOf(one, go, index));
      }
    }
    const rate = (differences.length / CASES) * 1e6;
    console.log(
      `${CASES} templates, ${JSON.stringify(counts)}: ${differences.length} differ, ${rate.toFixed(1)} in a million`,
    );
    const summary = differences.length > 0 ? writeDifferences(differences, CASES) : '';
    expect(counts.beyond, 'cases past the bounds of the oracle').toBeLessThan(Math.max(5, CASES / 200));
    expect(Math.min(counts.ok, counts.parse, counts.execute)).toBeGreaterThan(CASES / 20);
    expect(differences.length, summary.slice(0, 4000)).toBeLessThanOrEqual((CASES * BEARABLE) / 1e6);
  });

  it(`for ${PROGRAMS} programs that call the methods of templates in any order`, async () => {
    const programs = Array.from({ length: PROGRAMS }, (_, index) => setProgram(SEED, index));
    const lines = programs.map((steps, index) => JSON.stringify({ id: String(index), steps, data: DATA }));
    const answers = await askOracle(oracle, lines);
    const methods = new Map<string, number>();
    const wrong: unknown[] = [];
    for (const [index, steps] of programs.entries()) {
      const go = answers[index] as GoAnswer;
      if (go.limit) continue;
      for (const step of steps) methods.set(step.do, (methods.get(step.do) ?? 0) + 1);
      const ours = runSet(steps, index % 8 === 0 ? 'code' : 'closures');
      if (ours !== go.out) wrong.push(firstDifference(steps, go.out ?? go.err ?? '', ours));
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(answers.filter(({ limit }) => limit).length).toBeLessThan(PROGRAMS / 20);
    expect(methods.size).toBe(13);
    expect(Math.min(...methods.values())).toBeGreaterThan(PROGRAMS / 20);
  });
});

/** Closures answer every case, generated code every eighth: that both agree is tested elsewhere. */
function differencesOf(one: WideCase, go: GoAnswer, index: number): Difference[] {
  const engines = index % 8 === 0 ? (['closures', 'code'] as const) : (['closures'] as const);
  return engines.flatMap((engine) => {
    const ours = answerCase(one, engine);
    if (!ours) return [];
    const sort = differenceOf(go, ours);
    const isAddress =
      showsAddress(one) && withoutDigits(go.err ?? go.out) === withoutDigits(ours.err ?? ours.out);
    return sort && !isAddress
      ? [{ sort, engine, id: one.id, tmpl: one.tmpl, line: lineOf(one), go, ours }]
      : [];
  });
}

/** An address in any base and width is digits and padding. */
const withoutDigits = (text: string | null): string => (text ?? '').replace(/[0-9a-fA-FxX\s+]+/g, '');

/** The step of a program whose answers differ, with those before it. */
function firstDifference(steps: readonly SetStep[], go: string, ours: string): unknown {
  const [theirs, mine] = [go.split('\n'), ours.split('\n')];
  const at = theirs.findIndex((line, index) => line !== mine[index]);
  return { steps: steps.slice(0, at + 1), go: theirs[at], ours: mine[at] };
}
