/** What the address of the fragments says. */
export interface FragmentSearch {
  readonly from?: 'project' | 'cluster';
  /** `namespace/name/key` */
  readonly fragment?: string;
}

/** Reads the address; what does not fit is left out. */
export function readFragmentSearch(given: Readonly<Record<string, unknown>>): FragmentSearch {
  const { from, fragment } = given;
  return {
    ...((from === 'project' || from === 'cluster') && { from }),
    ...(typeof fragment === 'string' && fragment !== '' && { fragment }),
  };
}
