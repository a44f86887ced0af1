import { LENSES, type Lens } from '../inspect/search.js';

/** What the address of the library says. */
export interface LibrarySearch {
  readonly target?: string;
  /** A byte of the prompt as one text. */
  readonly byte?: number;
  readonly lens?: Lens;
  /** `changes`: what saving would change. */
  readonly part?: 'request' | 'changes';
}

/** Reads the address; what does not fit is left out. */
export function readLibrarySearch(given: Readonly<Record<string, unknown>>): LibrarySearch {
  const { target, byte, lens, part } = given;
  return {
    ...(typeof target === 'string' && target !== '' && { target }),
    ...(typeof byte === 'number' && Number.isInteger(byte) && byte >= 0 && { byte }),
    ...(LENSES.includes(lens as Lens) && { lens: lens as Lens }),
    ...((part === 'request' || part === 'changes') && { part }),
  };
}
