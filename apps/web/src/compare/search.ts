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

/** What the address of the marking page says. */
export interface MarkingSearch {
  readonly judge?: string;
}

/** Reads the address; what does not fit is left out. */
export const readMarkingSearch = ({ judge }: Readonly<Record<string, unknown>>): MarkingSearch =>
  typeof judge === 'string' && /^[a-z][a-z0-9-]{0,39}$/u.test(judge) ? { judge } : {};
