import type { Scenario } from '@cuebook/bundle';
import type { LedgerSubject } from '../ledger.js';

/** One version of a scenario on its way through the library. Plain JSON. */
export interface TemplateRecord {
  readonly scenario: Scenario;
  /** `waiting` for a review, `approved` and not signed yet, `listed` in the signed library, or no more in it. */
  readonly status: 'waiting' | 'approved' | 'rejected' | 'listed' | 'retired';
  /** Goes with the next signature. */
  readonly retiring?: boolean;
  readonly by: string;
  readonly at: number;
  /** Test cases, as they stand in `scenarios/NAME.test.yaml`. They run before anybody signs. */
  readonly cases?: string;
  readonly decidedBy?: string;
  readonly reason?: string;
}

/** The library as it stands. One record, so that what belongs together changes together. */
export interface LibraryRecord {
  /** Of the signed list, and the list itself. */
  readonly version: number;
  readonly metadata: string;
  /** Agents with an older list than this may hold a retired version: they are published again. */
  readonly floor: number;
  /** By scenario: the version that is assigned where no experiment says otherwise. */
  readonly pins: Readonly<Record<string, number>>;
  /** By scenario: what was pinned before, the latest last. */
  readonly earlier: Readonly<Record<string, readonly number[]>>;
  readonly templates: readonly TemplateRecord[];
  /** By scenario: the highest number that a draft ever had. A number is never given to other words. */
  readonly numbers?: Readonly<Record<string, number>>;
}

export const LIBRARY: LedgerSubject = { name: 'platform.library', key: 'library' };

/** `E_LIBRARY`: why the library stays as it is. `what` names a scenario and version, `greeting@2`. */
export interface LibraryError {
  readonly code: 'E_LIBRARY';
  readonly reason:
    | 'unknown'
    | 'does-not-fit'
    | 'same'
    | 'too-many'
    | 'own-version'
    | 'decided'
    | 'replaced'
    | 'no-reason'
    | 'not-listed'
    | 'not-assigned'
    | 'nothing-before'
    | 'active'
    | 'in-experiment'
    | 'bad-file'
    | 'other-platform'
    | 'stale'
    | 'changed-version'
    | 'other-words'
    | 'expired'
    | 'other-list'
    | 'cases-fail'
    | 'cases-not-run';
  readonly what: string;
  readonly problems?: readonly string[];
}

/** `greeting@2` */
export const versionName = ({ id, version }: Pick<Scenario, 'id' | 'version'>): string => `${id}@${version}`;
