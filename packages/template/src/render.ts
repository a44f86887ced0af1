import { compileCode } from './code/run-code.js';
import { execError, type TemplateError } from './error.js';
import { compileClosures, type RunProcedure } from './exec/closures.js';
import { runDeep } from './exec/deep.js';
import { checkOutput, newBounds, type RenderLimits } from './exec/limits.js';
import type { Procedure, Program, Sites } from './exec/program.js';
import { pathOf } from './exec/refused-path.js';
import { ExecFailure, type MissingKey, type RenderState } from './exec/state.js';
import { wordsOf } from './exec/thrown.js';
import type { Forgetful } from './forgetful.js';
import { LazyRendered, type Rendered } from './rendered.js';
import type { Result } from './result.js';
import { RefusedData } from './value/data.js';
import type { TemplateFunction, Value } from './value/value.js';

export interface RenderOptions {
  readonly limits?: RenderLimits;
  /** Takes the place of functions that the template was parsed with, of the same signature. */
  readonly functions?: Readonly<Record<string, TemplateFunction>>;
}

/** What runs a template: generated code, closures, or whichever is allowed and worth it. */
export type RenderEngine = 'code' | 'closures' | 'auto';

/** Tests run all of a template by what else runs only its deepest calls. */
export type AnyEngine = RenderEngine | 'deep';

export interface Renderable {
  readonly name: string;
  readonly plan: Forgetful<Program>;
  readonly functions: ReadonlyMap<string, TemplateFunction>;
  readonly missingKey: MissingKey;
  readonly engine: AnyEngine;
}

/** The `render` of a template. */
export function newRenderer(
  renderable: Renderable,
): (data: unknown, options?: RenderOptions) => Result<Rendered, TemplateError> {
  const runner = newRunner(renderable);
  return (data, options = {}) => {
    const state = newState(renderable, runner, data as Value, options);
    try {
      runner.next()(state);
      checkOutput(state);
    } catch (error) {
      const failure = failureOf(error, state, data);
      // Nothing was begun: the plan itself nests too deep.
      const sites = failure.site < 0 ? undefined : runner.sites();
      return { ok: false, error: execError(renderable.name, sites, failure) };
    }
    const { out, pieces, origins } = state;
    return { ok: true, value: new LazyRendered({ out, pieces, origins, sites: runner.sites }) };
  };
}

/** What runs a template, render by render. */
interface Runner {
  readonly sites: () => Sites;
  readonly procedures: () => readonly Procedure[];
  next(): RunProcedure;
}

/** Renders by closures before `auto` makes code: fewer renders than that would not repay it. */
const FIRST_RENDERS = 2;

/** Programs of more sites than this stay closures: engines give up on functions that long. */
const MOST_SITES = 20_000;

/** Planning is cheap and always the same, so the plan is let go once something runs it. */
function newRunner({ plan, engine }: Renderable): Runner {
  let renders = 0;
  let run: RunProcedure | undefined;
  let isSettled = engine === 'deep';
  if (engine === 'deep') run = (state) => runDeep(state, 0);
  const next = (): RunProcedure => {
    if (run && isSettled) return run;
    renders++;
    const isWarm = renders > FIRST_RENDERS;
    const wantsCode = engine === 'code' || (engine === 'auto' && isWarm && !isLong(plan.get()));
    isSettled = isWarm || engine !== 'auto';
    if (run && !wantsCode) return run;
    run = (wantsCode ? compileCode(plan.get()) : undefined) ?? run ?? compileClosures(plan.get());
    plan.forget();
    return run;
  };
  return { sites: () => plan.get().sites, procedures: () => plan.get().procedures, next };
}

const isLong = ({ sites }: Program): boolean => sites.nodes.length > MOST_SITES;

function newState(
  { functions, missingKey }: Renderable,
  { sites, procedures }: Runner,
  data: Value,
  options: RenderOptions,
): RenderState {
  return {
    out: '',
    pieces: [],
    origins: undefined,
    at: -1,
    vars: [],
    dot: data ?? undefined,
    isDotPlain: false,
    isDotInterface: false,
    fieldHolder: undefined,
    depth: 0,
    budget: 0,
    bounds: newBounds(options.limits ?? {}),
    functions: options.functions ? new Map([...functions, ...Object.entries(options.functions)]) : functions,
    missingKey,
    sites,
    procedures,
  };
}

/** Everything that can go wrong is a failure with a place: the data may throw too, when it is read. */
function failureOf(error: unknown, { at, bounds }: RenderState, data: unknown): ExecFailure {
  if (isOf(error, ExecFailure)) return error;
  if (isOf(error, RefusedData)) {
    const path = pathOf(data, error.value);
    return new ExecFailure(`${path ?? 'the value'} is ${error.what}`, at);
  }
  if (isOf(error, RangeError)) {
    const isLength = wordsOf(error).includes('string length');
    const bound = isLength
      ? `more than ${bounds.outputBytes} bytes of output`
      : 'nests deeper than the stack';
    return new ExecFailure(bound, at, true);
  }
  return new ExecFailure(`the data cannot be read: ${wordsOf(error)}`, at);
}

/** `instanceof`, also for a proxy that does not say what it is. */
function isOf<Type>(thrown: unknown, type: new (...args: never[]) => Type): thrown is Type {
  try {
    return thrown instanceof type;
  } catch {
    return false;
  }
}
