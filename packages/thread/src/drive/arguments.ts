import type { ArgsCheck, JsonSchema } from '@cuebook/define';
import { guard } from '@cuebook/guard';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import { isRecord } from './hook-message.js';
import type { DriveParts } from './parts.js';

export type Args = { readonly [key: string]: JsonValue };

/** What a prompt's own schema makes of arguments, or what is wrong with them. */
export async function checkedArgs(
  { live }: DriveParts,
  prompt: string,
  input: Args,
): Promise<Result<Args, string>> {
  const checked = await live.check({ kind: 'prompt', name: prompt }, input);
  if (!checked.ok) return fail(problemsText(checked));
  return ok(isRecord(checked.value) ? checked.value : input);
}

/** What is wrong with arguments of which a request told only names, texts and paths. */
export function plainProblem(parameters: JsonSchema, args: Args): string | undefined {
  const properties = (parameters.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (parameters.required ?? []) as readonly string[];
  const known = Object.keys(properties);
  const strange = Object.keys(args).filter((name) => !known.includes(name));
  if (guard('arguments.known', strange.length > 0))
    return `${strange.join(', ')}: not an argument; it takes ${known.join(', ') || 'none'}`;
  const missing = required.filter((name) => !Object.hasOwn(args, name));
  if (missing.length > 0) return `${missing.join(', ')}: missing`;
  const wrong = known.find(
    (name) =>
      properties[name]?.type === 'string' && Object.hasOwn(args, name) && typeof args[name] !== 'string',
  );
  return wrong === undefined ? undefined : `${wrong}: a text is needed`;
}

export const problemsText = ({ problems }: Extract<ArgsCheck, { ok: false }>): string =>
  problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
