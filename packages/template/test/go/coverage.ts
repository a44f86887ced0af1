import type { GoAnswer } from './ask.js';
import { FEATURES, type GeneratedCase } from './cases.js';
import { ERROR_KINDS, errorKindOf } from './errors.js';

/** How often a run met a feature or a way to fail. */
export interface Count {
  readonly name: string;
  readonly count: number;
}

/**
 * The counts of a run, by Go's answers: a feature counts in templates that succeed, since what comes after a
 * failure is not reached. `call` counts in all: no JSON data holds a function.
 */
export function countCoverage(
  cases: readonly GeneratedCase[],
  answers: readonly GoAnswer[],
): { readonly counts: readonly Count[]; readonly unknown: readonly string[] } {
  const counts = new Map(
    [...FEATURES, ...ERROR_KINDS.map(({ name }) => `error ${name}`)].map((name) => [name, 0]),
  );
  const add = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const unknown: string[] = [];
  for (const [index, { used }] of cases.entries()) {
    const answer = answers[index];
    for (const feature of used) if (answer?.ok || feature === 'function call') add(feature);
    if (!answer?.err) continue;
    const kind = errorKindOf(answer.err);
    if (kind) add(`error ${kind}`);
    else unknown.push(answer.err);
  }
  return { counts: [...counts].map(([name, count]) => ({ name, count })), unknown };
}

/** The counts in columns, for people. */
export function showCounts(counts: readonly Count[]): string {
  const cells = counts.map(({ name, count }) => `${String(count).padStart(7)}  ${name}`.padEnd(54));
  const rows: string[] = [];
  for (let at = 0; at < cells.length; at += 3)
    rows.push(
      cells
        .slice(at, at + 3)
        .join('')
        .trimEnd(),
    );
  return rows.join('\n');
}
