import type { LibraryVersions } from '@cuebook/bundle/profiles';
import { lazyKind, type RunKind } from '@cuebook/host';
import { textsOf } from '../library/revision.js';

/** The kinds of runs beside teams: each is loaded when a run of it is there or wanted. */
export const otherKinds = (versions?: LibraryVersions): readonly RunKind[] => [
  lazyKind({
    name: 'thread',
    prefixes: ['agent', 'prompt'],
    begins: 'thread.started',
    load: async () => (await import('@cuebook/thread')).threadRuns,
  }),
  lazyKind({
    name: 'workflow',
    prefixes: ['workflow'],
    begins: 'workflow.started',
    load: async () => (await import('@cuebook/workflow')).workflowRuns,
  }),
  lazyKind({
    name: 'resident',
    prefixes: ['resident'],
    begins: 'resident.opened',
    daily: true,
    load: async () => (await import('@cuebook/resident')).residentRuns,
  }),
  lazyKind({
    name: 'turn',
    prefixes: ['sheet', 'manifest', 'role', 'scenario'],
    begins: 'turn.started',
    load: async () =>
      (await import('@cuebook/turn')).profileTurns(
        {
          sheet: async () => (await import('@cuebook/sheet')).sheetProfile,
          manifest: async () => (await import('@cuebook/manifest')).manifestProfile,
          role: async () => (await import('@cuebook/team/profiles')).roleProfile,
          scenario: async () => (await import('@cuebook/bundle/profiles')).scenarioProfileOf(versions),
        },
        ({ folder, files, providers: { env }, hash }, target, profile) =>
          textsOf({ folder, files, env, hash }, target, { profile, now: files }),
      ),
  }),
];

/** Names and prefixes that kinds of a project cannot have. */
export const SHIPPED: ReadonlySet<string> = new Set([
  'team',
  'eval',
  ...otherKinds().flatMap(({ name, prefixes }) => [name, ...prefixes]),
]);
