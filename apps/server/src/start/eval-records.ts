import { evalRuns, type RunKind, refuse } from '@cuebook/host';

/**
 * Evals and comparisons as they stand. The command that began one goes on with it: here they are shown, and no model is asked
 * for anything because a server is up.
 */
export const evalRecords: RunKind = {
  ...evalRuns(),
  // None is begun here.
  prefixes: [],
  attach(ground) {
    const { goOn: _, ...work } = evalRuns().attach(ground);
    return {
      ...work,
      start: async () => undefined,
      waits: async () => [],
      tell: async () =>
        refuse(
          'conflict',
          'E_WORD_UNKNOWN',
          'An eval goes on with the command that began it, and not from here.',
        ),
    };
  },
};
