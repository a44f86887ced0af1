import { guard, guarded } from '@cuebook/guard';
import { byteLength } from '../fmt/bytes.js';
import { type Bounds, ExecFailure, type RenderState } from './state.js';

/** Bounds of a render. Each has a default; a clock is needed for the one on time. */
export interface RenderLimits {
  /** Bytes of output, and of any one text on the way to it. 16 MiB. */
  readonly outputBytes?: number;
  /** Rounds of loops and calls of templates. Five million. */
  readonly steps?: number;
  /** Templates that call templates. Go's bound of 100,000, and its error text there. */
  readonly depth?: number;
  /** Milliseconds by `now`. */
  readonly time?: number;
  readonly now?: () => number;
}

/** Go's own bound on templates that call templates. */
export const MAX_DEPTH = 100_000;

const DEFAULT_OUTPUT = 16 * 2 ** 20;
const DEFAULT_STEPS = 5_000_000;

/** Steps between two looks at the clock. */
const SLICE = 256;

export function newBounds({ outputBytes, steps, depth, time, now }: RenderLimits): Bounds {
  return {
    outputBytes: outputBytes ?? DEFAULT_OUTPUT,
    steps: steps ?? DEFAULT_STEPS,
    stepsTaken: 0,
    depth: Math.min(depth ?? MAX_DEPTH, MAX_DEPTH),
    deadline: now && time !== undefined ? now() + time : Number.POSITIVE_INFINITY,
    now,
  };
}

/** One round of a loop, or one call of a template, with `length` units of output so far. */
export function step(state: RenderState, length: number): void {
  if (length > state.bounds.outputBytes) failForOutput(state);
  if (--state.budget < 0) takeSlice(state);
}

function takeSlice(state: RenderState): void {
  const { bounds } = state;
  const left = bounds.steps - bounds.stepsTaken;
  if (guard('limit.steps', left <= 0))
    throw new ExecFailure(`more than ${bounds.steps} steps`, state.at, true);
  if (bounds.now && guard('limit.time', bounds.now() > bounds.deadline)) {
    throw new ExecFailure('out of time', state.at, true);
  }
  const slice = left > 0 ? Math.min(left, SLICE) : SLICE;
  bounds.stepsTaken += slice;
  state.budget = slice - 1;
}

/** The output is whole: now its bytes are counted, unless there can be no question. */
export function checkOutput(state: RenderState): void {
  const { outputBytes } = state.bounds;
  if (state.out.length > outputBytes) failForOutput(state);
  // A unit of UTF-16 is three bytes at most.
  if (state.out.length * 3 > outputBytes && byteLength(state.out) > outputBytes) failForOutput(state);
}

function failForOutput(state: RenderState): void {
  guarded('limit.output', () => {
    throw new ExecFailure(`more than ${state.bounds.outputBytes} bytes of output`, state.at, true);
  });
}

/** Fails where templates call templates too deep: in Go's words at Go's bound, in ours before. */
export function checkDepth(state: RenderState): void {
  if (!guard('limit.depth', state.depth >= state.bounds.depth)) return;
  if (state.bounds.depth < MAX_DEPTH) {
    throw new ExecFailure(`templates call templates deeper than ${state.bounds.depth}`, state.at, true);
  }
  throw new ExecFailure(`exceeded maximum template depth (${MAX_DEPTH})`, state.at);
}
