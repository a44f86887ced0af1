/** What the address of a comparison says. */
export interface ComparisonSearch {
  /** The case whose answers are open. */
  readonly case?: string;
  /** Which take of it, from 1. */
  readonly take?: number;
}

/** Reads the address; what does not fit is left out. */
export function readComparisonSearch(given: Readonly<Record<string, unknown>>): ComparisonSearch {
  const { case: id, take } = given;
  return {
    ...((typeof id === 'string' || typeof id === 'number') && id !== '' && { case: String(id) }),
    ...(typeof take === 'number' && Number.isInteger(take) && take > 1 && { take }),
  };
}
