import type { TemplateFunction, Value } from '../value/value.js';
import type { Procedure, Sites } from './program.js';

/** What a render has come to. One object a render; both back ends change it in place. */
export interface RenderState {
  out: string;
  /** The site and the end in `out`, in UTF-16 units, of each piece, one after the other. */
  readonly pieces: number[];
  /** What functions said of the pieces that begin at an index of `pieces`. */
  origins: Map<number, unknown> | undefined;
  /** The site of the last thing begun: what an error names. */
  at: number;
  /** Variables of the procedure that runs; closures only. */
  vars: Value[];
  dot: Value;
  /** Whether `dot` is an object literal: asked once, when it becomes the dot. */
  isDotPlain: boolean;
  /** Whether `dot` came out of an interface, which error texts say. */
  isDotInterface: boolean;
  /** What the last field read stands in: only out of a struct it is in no interface. */
  fieldHolder: Value;
  depth: number;
  /** Rounds and calls until the bounds are looked at again. */
  budget: number;
  readonly bounds: Bounds;
  readonly functions: ReadonlyMap<string, TemplateFunction>;
  readonly missingKey: MissingKey;
  readonly sites: () => Sites;
  /** The program, for what lies too deep for the stack. */
  readonly procedures: () => readonly Procedure[];
}

/** What a missing key of a map is. `invalid` is Go's other name for `default`. */
export type MissingKey = 'default' | 'invalid' | 'zero' | 'error';

/** The bounds of a render, and how much of them is used. */
export interface Bounds {
  readonly outputBytes: number;
  readonly depth: number;
  readonly steps: number;
  stepsTaken: number;
  readonly deadline: number;
  readonly now: (() => number) | undefined;
}

/** Leaves a render; `render` makes the error of it. Not an Error: a stack would cost more than it says. */
export class ExecFailure {
  readonly message: string;
  readonly site: number;
  readonly isLimit: boolean;
  constructor(message: string, site: number, isLimit = false) {
    this.message = message;
    this.site = site;
    this.isLimit = isLimit;
  }
}

export function fail(state: RenderState, message: string): never {
  throw new ExecFailure(message, state.at);
}
