import type { EngineFault } from '@cuebook/engine';
import type { StoreFaultPoint } from '@cuebook/journal';

/** What a child process is told to do. */
export interface ChildTask {
  /** Its home, its project's files and the world that its tools change. */
  readonly folder: string;
  readonly kill?: KillPoint;
}

/** Where the process is to kill itself, at the n-th time that it comes there. */
export type KillPoint =
  | { readonly part: 'engine'; readonly point: Parameters<EngineFault>[0]; readonly hit: number }
  | {
      readonly part: 'store';
      readonly point: StoreFaultPoint;
      readonly when: 'before' | 'after';
      readonly hit: number;
    };

/** The file that the tools of the test write to. */
export const WORLD = 'world.txt';
