import type { RunId } from '@cuebook/journal';
import type { HostOptions } from '../../src/host.js';
import type { RunKind, RunReport, StartCall, Word } from '../../src/index.js';
import type { Stand } from '../stand.js';

/**
 * What a kind hands in to be held to the promises of every kind. A part that its record lacks is left out, and the
 * refusal is tested in its place; every other part is there.
 */
export interface KindFixture {
  /** Made anew for each process. */
  readonly kind: () => RunKind;
  readonly files: Readonly<Record<string, string>>;
  /** What else the project needs before a run. */
  readonly prepare?: (stand: Stand) => Promise<void>;
  readonly target: string;
  /** What the report names as its target; left out: the same. */
  readonly shownTarget?: string | null;
  /** What else a host of this kind is made of: a clock. */
  readonly host?: () => Partial<Pick<HostOptions, 'clock'>>;
  /** The run that a call with an id begins; left out: as a host names it. */
  readonly run?: RunId;
  /** Which `performed` of the engine is that of the first turn; left out: the first. */
  readonly turnHit?: number;
  /** What a run is started with beside its target; left out: a word. */
  readonly call?: Pick<StartCall, 'input' | 'options'>;
  /** A script in which whoever is asked first takes these steps. */
  readonly script: (steps: readonly object[]) => string;
  /** A step that only says something. */
  readonly says?: (text: string) => object;
  /** How the report stands after a turn that only says something. */
  readonly afterWords: RunReport['status'];
  /** The words that its turns said; left out: the report tells them. */
  readonly heard?: (stand: Stand, run: RunId) => Promise<string>;
  /** How a person has it take another turn, and after which step; left out: by a word, after words. */
  readonly again?: { readonly after: object; readonly word: Word };
  /** Words of its first prompt, and the origin of them. */
  readonly told: { readonly text: string; readonly ref: string };
  /** An edit of a source that changes what every turn is told; left out: runs of the kind keep what they began with. */
  readonly edit?: { readonly file: string; readonly from: string; readonly to: string };
  /** Why the files of the project are no sources of its words; left out: they are. */
  readonly certified?: string;
  /** A step that asks a person for a permission, and what of the project tells that it was done. */
  readonly asks?: Asks;
  /** A step that brings nothing new when it is taken again. */
  readonly stalls?: object;
  /** A step whose work nobody can vouch for after a crash, the moment of it, and how often it was done. */
  readonly doubts?: Doubts;
}

/** What a person is asked for. */
export interface Asks {
  readonly step: object;
  /** What the project has for this part beside its files. */
  readonly files?: Readonly<Record<string, string>>;
  /** What is asked for instead. */
  readonly changed?: object;
  readonly isDone: (stand: Stand) => string | undefined;
  readonly done: string;
  readonly changedTo: string;
  readonly call?: Partial<StartCall>;
}

/** What nobody can vouch for after a crash. */
export interface Doubts {
  readonly step: object;
  /** Which `performed` of the engine it is. */
  readonly hit: number;
  readonly isDone: (stand: Stand) => string | undefined;
  readonly done: string;
  readonly call?: Partial<StartCall>;
}
