import {
  type Approvals,
  type Budget,
  DEFAULT_STALL_RULES,
  EMPTY_BUDGET,
  type Exhausted,
  NO_APPROVALS,
  type StallRules,
  type StallVerdict,
} from '@cuebook/engine';
import type { SourcesPlace } from '@cuebook/host';
import type { ThreadCall } from './command.js';
import type { EnvLayer } from './env-value.js';
import type { Frame } from './frame.js';
import type { ThreadDiagnostic } from './outcome.js';

/** A run of a thread with all its sub-prompts and subagents. Plain JSON. */
export type ThreadRunState = {
  readonly mode: 'new' | 'active' | 'stopping' | 'stopped';
  /** The agent that it was begun with; a handoff does not change it. */
  readonly agent: string | null;
  /** How it was called; left out where another process could not call it so. */
  readonly call?: ThreadCall;
  /** What it is told from; left out where nothing was kept. */
  readonly sources?: SourcesPlace;
  readonly settings: { readonly stall: StallRules; readonly maxResultBytes: number };
  /** By id, in the order in which they were opened. The first is the thread itself. */
  readonly frames: { readonly [id: string]: Frame };
  /** Layers that all its threads share. */
  readonly account: EnvLayer;
  readonly instance: EnvLayer;
  readonly budget: Budget;
  /** What people were asked to allow, in all its conversations. */
  readonly approvals: Approvals;
  readonly pause: ThreadPause | null;
  /** A script has answered, not a model. */
  readonly rehearsal?: true;
  /** The provider's own sessions by lane, so that a rehearsal goes on where it was. */
  readonly voices: { readonly [lane: string]: string };
  /** Effects that a person was asked about after a crash. */
  readonly doubts: readonly string[];
  /** The newest ones; the log has all. */
  readonly diagnostics: readonly ThreadDiagnostic[];
};

export type ThreadPause =
  | { readonly kind: 'budget'; readonly exhausted: Exhausted }
  | { readonly kind: 'stall'; readonly frame: string; readonly verdict: StallVerdict };

/** The id of the thread itself. */
export const ROOT = 'main';
/** The scope of the budget. */
export const RUN_SCOPE = 'run';
/** Diagnostics that the state keeps. */
export const MAX_DIAGNOSTICS = 100;

export const NEW_THREAD: ThreadRunState = {
  mode: 'new',
  agent: null,
  settings: { stall: DEFAULT_STALL_RULES, maxResultBytes: 50_000 },
  frames: {},
  account: {},
  instance: {},
  budget: EMPTY_BUDGET,
  approvals: NO_APPROVALS,
  pause: null,
  voices: {},
  doubts: [],
  diagnostics: [],
};

export const findFrame = (state: ThreadRunState, id: string | null): Frame | undefined =>
  id !== null && Object.hasOwn(state.frames, id) ? state.frames[id] : undefined;

/** The state with one conversation changed; the same when it is not there. */
export function withFrame(
  state: ThreadRunState,
  id: string,
  update: (frame: Frame) => Partial<Frame>,
): ThreadRunState {
  const frame = findFrame(state, id);
  if (frame === undefined) return state;
  return { ...state, frames: { ...state.frames, [id]: { ...frame, ...update(frame) } } };
}

/** The thread that a frame is, or is part of. */
export function threadOf(state: ThreadRunState, frame: Frame): Frame {
  let found = frame;
  while (found.kind !== 'thread') {
    const parent = findFrame(state, found.parent);
    if (parent === undefined) return found;
    found = parent;
  }
  return found;
}

/** The frame that made a call. */
export const frameOfCall = (state: ThreadRunState, call: string): Frame | undefined =>
  Object.values(state.frames).find((frame) => frame.calls?.some(({ id }) => id === call));
