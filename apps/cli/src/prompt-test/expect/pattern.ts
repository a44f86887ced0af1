import vm from 'node:vm';
import { guarded } from '@cuebook/guard';

/** How long one pattern may look at one text. */
const PATTERN_MS = 1_000;

/**
 * Whether a regular expression is found in a text, or why that cannot be said. The time is bounded, because a
 * pattern can take longer than anybody waits on a text that a model wrote.
 */
export function findPattern(pattern: string, text: string): boolean | string {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, 'u');
  } catch (error) {
    return error instanceof Error ? error.message : 'not a regular expression';
  }
  try {
    const limit = guarded('test.pattern', () => ({ timeout: PATTERN_MS }));
    return vm.runInNewContext('expression.test(text)', { expression, text }, limit) === true;
  } catch {
    // The only thing that can throw here is the clock.
    return 'the pattern takes too long on this text';
  }
}
