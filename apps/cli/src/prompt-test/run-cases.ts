import type { TestCase } from './case-file.js';
import { type CaseDesk, type CaseResult, runCase } from './run-case.js';

/** Runs cases side by side; results are in the order of the cases. */
export async function runCases(
  desk: CaseDesk,
  cases: readonly TestCase[],
  { jobs, onDone }: { readonly jobs: number; readonly onDone: (done: number) => void },
): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  let next = 0;
  let done = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < cases.length; index = next++) {
      results[index] = await runCase(desk, cases[index] as TestCase);
      done += 1;
      onDone(done);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, cases.length) }, worker));
  return results;
}
