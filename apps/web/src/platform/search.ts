/** The parts of the platform's screen. */
export const TABS = [
  ['cards', 'Cards'],
  ['review', 'Review'],
  ['library', 'Scenarios'],
  ['published', 'Published'],
  ['experiments', 'Experiments'],
  ['fleet', 'Fleet'],
  ['health', 'Keys and expiries'],
  ['audit', 'Audit'],
  ['places', 'Places'],
  ['proposals', 'Proposals'],
  ['schedule', 'Schedule'],
] as const;

export type Tab = (typeof TABS)[number][0];

/** What the address of the platform says. */
export interface PlatformSearch {
  readonly tab?: Tab;
  /** The agent, place or scenario that is looked at. */
  readonly of?: string;
}

/** Reads the address; what does not fit is left out. */
export function readPlatformSearch({ tab, of }: Readonly<Record<string, unknown>>): PlatformSearch {
  return {
    ...(TABS.some(([name]) => name === tab) && { tab: tab as Tab }),
    ...(typeof of === 'string' && of !== '' && { of }),
  };
}
