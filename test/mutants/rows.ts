/** A guard and the test that fails when the guard is switched off. */
export interface Mutant {
  readonly guard: string;
  /** The folder of the package whose `src/guard.ts` names the guard. */
  readonly package: string;
  /** The test file, from the top of the checkout. */
  readonly file: string;
  /** The title of the test as it is reported, without the titles of its suites. */
  readonly test: string;
}

/** The rows of guards whose tests stand in one file. */
export function rows(
  folder: string,
  file: string,
  tests: Readonly<Record<string, string>>,
): readonly Mutant[] {
  return Object.entries(tests).map(([guard, test]) => ({
    guard,
    package: folder,
    file: `${folder}/${file}`,
    test,
  }));
}
