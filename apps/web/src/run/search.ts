/** What the address of a run says: who is selected, how it is looked at, and up to which event. */
export interface RunSearch {
  readonly agent?: string;
  readonly view?: 'graph' | 'timeline' | 'changes';
  /** The last event that is shown; left out: as it is now. */
  readonly at?: number;
}

/** Reads the address; what does not fit is left out. */
export function readRunSearch(given: Readonly<Record<string, unknown>>): RunSearch {
  const { agent, view, at } = given;
  return {
    ...(typeof agent === 'string' && agent !== '' && { agent }),
    ...((view === 'graph' || view === 'timeline' || view === 'changes') && { view }),
    ...(typeof at === 'number' && Number.isInteger(at) && at > 0 && { at }),
  };
}
