import type { StoreFaultPoint, StorePlace } from '@cuebook/journal';
import type { Skew } from '../../../../test/skewed-clock.js';
import type { EnginePoint } from '../../src/loop/fault.js';
import type { Errand } from '../errands.js';

/** What a child process is told to do. */
export interface ChildTask {
  readonly place: StorePlace;
  /** A file, or a database with a table `world`. */
  readonly world: { readonly file: string } | { readonly databaseUrl: string };
  readonly owner: string;
  /** `alone`: submits the errands and sees them done. `shared`: works with others until it is told to end. */
  readonly mode: 'alone' | 'shared';
  readonly leaseMs: number;
  readonly errands: readonly Errand[];
  /** How the clock of its machine is wrong; left out: it is right. */
  readonly skew?: Skew;
  /** Where the process is to kill itself, at the n-th time that it comes there. */
  readonly kill?: KillPoint;
}

export type KillPoint =
  | {
      readonly part: 'store';
      readonly point: StoreFaultPoint;
      readonly when: 'before' | 'after';
      readonly hit: number;
    }
  | { readonly part: 'engine'; readonly point: EnginePoint; readonly hit: number };

export const describeKill = (kill: KillPoint): string =>
  kill.part === 'store' ? `${kill.when} ${kill.point}` : `engine ${kill.point}`;
