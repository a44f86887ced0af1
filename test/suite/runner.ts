import { TestRunner } from 'vitest';

type Suite = Parameters<TestRunner['onBeforeRunSuite']>[0];

/**
 * Vitest's runner, but a suite without a test to run prepares nothing. Where scenarios take turns, a fifth of all files
 * has none this time, and some of them build programs and start servers before their first one.
 */
export default class Runner extends TestRunner {
  override async onBeforeRunSuite(suite: Suite): Promise<void> {
    if (!hasWork(suite)) suite.mode = 'skip';
    await super.onBeforeRunSuite(suite);
  }
}

/** What there is to know about a suite or a test. */
export interface Work {
  readonly type: string;
  readonly mode: string;
  readonly tasks?: readonly Work[];
}

/** Whether a test somewhere in a suite is to run. */
export const hasWork = ({ type, mode, tasks = [] }: Work): boolean =>
  type === 'test' ? mode === 'run' || mode === 'queued' : tasks.some(hasWork);
