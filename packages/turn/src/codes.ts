import type { CodeEntry } from '@cuebook/prompt';

/** The codes of runs of one turn. */
export const TURN_CODES = {
  E_TURN_CHANGED: {
    title: 'The prompt of a turn is not the one that it began with',
    cause: 'What is private here has changed since the run began, so the same sources give another prompt.',
    fix: 'Run the target again: it is composed again.',
  },
} as const satisfies Readonly<Record<string, CodeEntry>>;
