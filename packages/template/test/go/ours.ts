import { runCase } from '../case-runner.js';
import type { OurAnswer } from './compare.js';

/** Our back ends: each answers every case. */
export const ENGINES = ['code', 'closures'] as const;

/** The answer of one back end to the line of a case. What it throws is an answer like no other. */
export function answerLine(line: string, engine: (typeof ENGINES)[number]): OurAnswer {
  try {
    return runCase(line, engine);
  } catch (thrown) {
    return { ok: false, out: null, err: `thrown: ${thrown}` };
  }
}
