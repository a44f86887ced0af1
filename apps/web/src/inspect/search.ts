/** How the words of a prompt are coloured. */
export const LENSES = ['origin', 'trust', 'secrecy', 'volatility', 'changed'] as const;
export type Lens = (typeof LENSES)[number];

/** What is looked at. Left out in an address: the full prompt. */
export const PARTS = ['delta', 'both', 'wire', 'diff'] as const;
export type Part = (typeof PARTS)[number];

/** What the address of a prompt says. */
export interface InspectSearch {
  /** A byte of the whole text that is shown. */
  readonly byte?: number;
  readonly lens?: Lens;
  /** `delta`: what was really sent. `both`: beside the full prompt. `wire`: the whole body. `diff`: against another turn. */
  readonly part?: Part;
  /** The turn that it is compared with; left out: the one before. */
  readonly against?: string;
  /** Confidential words are shown: bytes count them. */
  readonly reveal?: true;
}

/** Reads the address; what does not fit is left out. */
export function readInspectSearch(given: Readonly<Record<string, unknown>>): InspectSearch {
  const { byte, lens, part, against, reveal } = given;
  return {
    ...(typeof byte === 'number' && Number.isInteger(byte) && byte >= 0 && { byte }),
    ...(LENSES.includes(lens as Lens) && { lens: lens as Lens }),
    ...(PARTS.includes(part as Part) && { part: part as Part }),
    ...(typeof against === 'string' && against !== '' && { against }),
    ...(reveal === true && { reveal }),
  };
}
