import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import { badField, type HttpError } from '../http/error.js';

type Inputs = Readonly<Record<string, string>>;
type Options = Readonly<Record<string, JsonValue>>;

/** What only a sheet takes, with texts for its inputs. */
export function withInputs(
  target: string,
  inputs: Inputs | undefined,
  options?: Options,
): Result<Options | undefined, HttpError> {
  if (inputs === undefined || Object.keys(inputs).length === 0) return ok(options);
  if (!target.startsWith('sheet:'))
    return fail(badField('inputs', 'names inputs of a sheet; other targets take input'));
  if (options?.set !== undefined) return fail(badField('inputs', 'is set twice: leave options.set out'));
  return ok({ ...options, set: inputs });
}

/** The inputs of a sheet that a call sets, by name. */
export const inputNames = (options: unknown): string[] =>
  Object.keys(Object(Object(options).set) as Inputs).sort();
