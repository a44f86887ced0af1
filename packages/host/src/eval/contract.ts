import type { Outcome } from '@cuebook/engine';
import type { BlockInput, JsonValue, OfferedTool, Result } from '@cuebook/prompt';
import type { HostError, StartCall } from '../contract.js';
import type { Ground } from '../kind.js';
import type { KeptSources } from '../sources-place.js';

/** One answer that an eval asks for. */
export type TakePlan = {
  /** `VARIANT/TAKE/CASE`: a lane of its own, so that takes do not wait for each other. */
  readonly lane: string;
  /** What makes it this take and no other: request, case, model, parameters, number. The list of takes has it by this. */
  readonly key: string;
  /** The number of its request among those that are kept with the run. */
  readonly request: number;
  /** The take was made before, in another run: it is not asked for. */
  readonly from?: { readonly run: string; readonly lane: string };
};

/** A request as it was composed when the run began. */
export type KeptRequest = {
  readonly blocks: readonly BlockInput[];
  readonly tools: readonly OfferedTool[];
  readonly params: Readonly<Record<string, unknown>>;
  readonly hash: string;
};

/** What a run is begun with. */
export interface EvalStart {
  readonly requests: readonly KeptRequest[];
  /** In the order in which they are asked for. */
  readonly takes: readonly TakePlan[];
  /** After so many takes each the run stands still, and somebody looks. The last is all of them. */
  readonly looks: readonly number[];
  /** How many are asked for at a time. */
  readonly jobs: number;
  /** What the caller needs to tell what came of it. */
  readonly about: JsonValue;
  /** Texts of files that words come from, by their path. */
  readonly files: Readonly<Record<string, string>>;
}

/** The first event of a run. */
export type EvalFacts = {
  readonly target: string;
  readonly provider: string;
  readonly model?: string;
  readonly scripted?: true;
  readonly sources?: KeptSources;
  readonly takes: readonly TakePlan[];
  readonly looks: readonly number[];
  readonly jobs: number;
  readonly about: JsonValue;
};

export interface EvalKindOptions {
  /** What is run for a target; left out: runs are gone on with here, and not begun. */
  readonly prepare?: (call: StartCall, ground: Ground) => Promise<Result<EvalStart, HostError>>;
  /** Makes a take that is more than one turn, such as a whole run; its outcome is that of a turn. Left out: the request is told. */
  readonly perform?: (take: TakePlan, signal: AbortSignal) => Promise<Outcome>;
}
