import type { IntegerType } from '../value/number.js';
import type { TemplateFunction, Value } from '../value/value.js';

/**
 * The type of a parameter: what a template may pass, and what error texts call it. `tagged` is any value too, and a text
 * that says where it came from arrives with that: a function that returns it unchanged keeps its origin.
 */
export type ParamType = 'any' | 'tagged' | 'string' | 'bool' | 'int' | IntegerType | 'float32' | 'float64';

/**
 * `any` is what data holds, as it lies there. `data` is what that is to a template: the builtin functions look into
 * it. `index` is the same, but what is still inside an interface is marked: `slice` takes no such index.
 */
export type ParameterType = ParamType | 'data' | 'index';

/** What a function takes. Variadic: any number of values of the last type. */
export interface Signature {
  readonly params: readonly ParameterType[];
  readonly variadic: boolean;
}

/** What a builtin may know of a render: how much it may print. */
export interface BuiltinState {
  readonly bounds: { readonly outputBytes: number };
}

/** A function as templates find it by name. */
export interface FunctionEntry {
  readonly name: string;
  readonly signature: Signature;
  /** Builtins have their code here; other functions are looked up in the state, which a render may fill. */
  readonly builtin: ((state: BuiltinState, args: readonly Value[]) => Value) | undefined;
}

/** A function with the types of its parameters, so that wrong arguments fail as they do in Go. */
export type SignedFunction = TemplateFunction & { readonly signature: Signature };

/**
 * Declares what a function takes. Without it a function takes any number of any values.
 * `signed(['string'], (path: string) => …)` fails as `func(string) (string, error)` does.
 */
export function signed<Args extends readonly unknown[]>(
  params: readonly ParamType[],
  call: (...args: Args) => unknown,
  { variadic = false }: { readonly variadic?: boolean } = {},
): SignedFunction {
  return Object.assign((...args: Args) => call(...args), { signature: { params, variadic } });
}

export function signatureOf(call: TemplateFunction): Signature {
  const { signature } = call as Partial<SignedFunction>;
  return isSignature(signature) ? signature : ANYTHING;
}

/** A function may have a property of that name for reasons of its own. */
const isSignature = (value: unknown): value is Signature =>
  typeof value === 'object' && value !== null && Array.isArray((value as Partial<Signature>).params);

const ANYTHING: Signature = { params: ['any'], variadic: true };

/** What is wrong with the number of arguments, if anything; `hasFirst` says whether one more is piped in. */
export function countProblem(
  name: string,
  { params, variadic }: Signature,
  given: number,
  hasFirst: boolean,
): string | undefined {
  const all = given + (hasFirst ? 1 : 0);
  if (!variadic) {
    return all === params.length
      ? undefined
      : `wrong number of args for ${name}: want ${params.length} got ${all}`;
  }
  // Go leaves the value piped in out of this count.
  const least = params.length - 1;
  return all < least ? `wrong number of args for ${name}: want at least ${least} got ${given}` : undefined;
}

/** The type of the parameter at a place. */
export const paramAt = ({ params }: Signature, index: number): ParameterType =>
  params[Math.min(index, params.length - 1)] ?? 'any';
