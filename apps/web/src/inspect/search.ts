/** How the words of a prompt are coloured. */
export const LENSES = ['origin', 'trust', 'secrecy', 'volatility'] as const;
export type Lens = (typeof LENSES)[number];

/** What the address of a prompt says. */
export interface InspectSearch {
  /** A byte of the whole prompt as one text. */
  readonly byte?: number;
  readonly lens?: Lens;
  /** `delta`: what was really sent. */
  readonly part?: 'delta' | 'diff';
}

/** Reads the address; what does not fit is left out. */
export function readInspectSearch(given: Readonly<Record<string, unknown>>): InspectSearch {
  const { byte, lens, part } = given;
  return {
    ...(typeof byte === 'number' && Number.isInteger(byte) && byte >= 0 && { byte }),
    ...(LENSES.includes(lens as Lens) && { lens: lens as Lens }),
    ...((part === 'delta' || part === 'diff') && { part }),
  };
}
