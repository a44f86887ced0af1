import { type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { HostError, StartCall } from '../contract.js';
import { refuse } from '../errors.js';
import type { ScheduledCall } from '../schedule/schedule.js';

/** The inputs that a target of a kind may have from a body, or why these cannot be. */
export function takesProblem(target: string, takes: Readonly<Record<string, string>>): string | undefined {
  const prefix = target.slice(0, target.indexOf(':'));
  const names = Object.keys(takes);
  if (names.length > MOST_INPUTS) return `at most ${MOST_INPUTS} inputs are taken`;
  const bad = Object.values(takes).find((pointer) => pointer.length > 500 || !POINTER.test(pointer));
  if (bad !== undefined) return `${JSON.stringify(bad.slice(0, 80))} is no JSON pointer: /issue/title`;
  if (prefix === 'sheet') return undefined;
  if (!TEXT_KINDS.includes(prefix))
    return names.length === 0 ? undefined : `a ${prefix} takes no input of a body`;
  return names.every((name) => name === 'input') ? undefined : `a ${prefix} takes one input: input`;
}

/** The call with what a body says. A value that the body does not have is left out. */
export function callWith(
  call: ScheduledCall,
  takes: Readonly<Record<string, string>>,
  body: JsonValue,
): Result<Omit<StartCall, 'id' | 'by'>, HostError> {
  const taken: Record<string, string> = {};
  for (const [name, pointer] of Object.entries(takes)) {
    const value = valueAt(body, pointer);
    if (value === undefined) continue;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (text.length > LONGEST)
      return refuse('invalid', 'E_WEBHOOK_BODY', `${name}: the value is longer than ${LONGEST} characters.`);
    if (text !== '') taken[name] = text;
  }
  if (Object.keys(taken).length === 0) return ok(call);
  if (!call.target.startsWith('sheet:'))
    return ok({ ...call, ...(taken.input !== undefined && { input: taken.input }) });
  const { set } = (call.options ?? {}) as { readonly set?: Readonly<Record<string, string>> };
  return ok({ ...call, options: { ...call.options, set: { ...set, ...taken } } });
}

/** The value that a JSON pointer (RFC 6901) names; undefined: there is none. The empty one is the whole. */
export function valueAt(whole: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = whole;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value) && !/^(?:0|[1-9]\d{0,8})$/.test(key)) return undefined;
    value = Object.hasOwn(value, key) ? (value as Readonly<Record<string, JsonValue>>)[key] : undefined;
  }
  return value;
}

const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;
/** Kinds of target that are told one text first. */
const TEXT_KINDS: readonly string[] = ['agent', 'prompt', 'workflow', 'team'];
const MOST_INPUTS = 50;
const LONGEST = 64_000;
