import { createHash, randomUUID } from 'node:crypto';
import { type CheckedRequest, commandIdSchema, type Route } from '@cuebook/api';
import { type JsonProblem, readJson } from '@cuebook/bundle/json';
import { holdsCredential } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { fail, ok, type Redactor, type Result } from '@cuebook/prompt';
import type { z } from 'zod';
import { badField, type HttpError } from './error.js';

/** A request as it came in, before anybody has looked at it. */
export interface RawRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** The whole body as text, within the limit. */
  readonly body: string;
}

/** A request that fits its route, and the id of its command. */
export interface ReadRequest {
  readonly asked: CheckedRequest<Route>;
  readonly command: string;
}

/** Checks every part of a request. What does not fit is told with the name of its field. */
export function readRequest(
  route: Route,
  raw: RawRequest,
  redactor: Redactor,
): Result<ReadRequest, HttpError> {
  const params = check(route.params, raw.params);
  if (!params.ok) return params;
  const twice = [...new Set(raw.query.keys())].find((name) => raw.query.getAll(name).length > 1);
  if (guard('request.twice', twice !== undefined)) return fail(badField(twice ?? '', 'given more than once'));
  const query = check(route.query, Object.fromEntries(raw.query));
  if (!query.ok) return query;
  const body = readBody(route, raw);
  if (!body.ok) return body;
  const command = commandOf(raw.headers, body.value);
  if (!command.ok) return command;
  const asked = { params: params.value, query: query.value, body: body.value } as CheckedRequest<Route>;
  // An id of our own is nobody's credential: nothing is looked for in it.
  const { value: named } = command;
  return ok({ asked, command: named === undefined ? `http_${randomUUID()}` : keptId(named, redactor) });
}

function readBody(route: Route, { headers, body }: RawRequest): Result<unknown, HttpError> {
  if (route.body === undefined) return ok(undefined);
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  // Forms of other pages cannot say this type.
  if (guard('request.type', body !== '' && type !== 'application/json'))
    return fail({ status: 415, code: 'E_REQUEST', message: 'The body is sent as application/json.' });
  const parsed = parseJson(body === '' ? '{}' : body);
  if (!parsed.ok) return parsed;
  return check(route.body, parsed.value);
}

/** A value that every parser reads alike: what one would read otherwise than another is refused. */
export function parseJson(text: string): Result<unknown, HttpError> {
  const read = readJson(Buffer.from(text), { bytes: Number.POSITIVE_INFINITY, depth: MAX_DEPTH + 1 });
  const unlike = read.ok ? undefined : UNLIKE[read.error.reason];
  if (guard('request.unlike', unlike !== undefined)) return fail(badField('body', unlike ?? ''));
  try {
    const value: unknown = JSON.parse(text);
    return guard('request.depth', depthOf(value) > MAX_DEPTH)
      ? fail(badField('body', `nested deeper than ${MAX_DEPTH}`))
      : ok(value);
  } catch (error) {
    const why = error instanceof SyntaxError ? 'not JSON' : 'not readable';
    return fail(badField('body', why));
  }
}

const MAX_DEPTH = 64;

const UNLIKE: Readonly<Partial<Record<JsonProblem['reason'], string>>> = {
  duplicate: 'holds a member twice',
  surrogate: 'holds half a character (a lone surrogate)',
  number: 'holds a number that not every reader keeps',
  prototype: 'holds a member __proto__',
};

/** How deep a value goes, one past the limit at most. Without recursion: it may be deeper than the stack. */
function depthOf(value: unknown): number {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const next = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    );
    if (next.length === 0) return depth;
    level = next;
  }
  return MAX_DEPTH + 1;
}

/** The header and the body may both name it, and then they say the same; undefined: neither does. */
function commandOf(headers: Headers, body: unknown): Result<string | undefined, HttpError> {
  const header = headers.get('idempotency-key');
  const named = typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined;
  const own = typeof named === 'string' ? named : undefined;
  if (header === null) return ok(own);
  const parsed = commandIdSchema.safeParse(header);
  if (!parsed.success) return fail(badField('Idempotency-Key', sentence(parsed.error)));
  if (own !== undefined && own !== header)
    return fail(badField('Idempotency-Key', 'another id than in the body'));
  return ok(header);
}

/** The id of a command is kept with what it did. One that is a credential is kept by its hash: the same id, the same command. */
export const keptId = (command: string, redactor: Redactor): string =>
  guard('request.credential', holdsCredential(redactor, command))
    ? `id_${createHash('sha256').update(command).digest('hex')}`
    : command;

function check(schema: z.ZodType, value: unknown): Result<unknown, HttpError> {
  const parsed = schema.safeParse(value);
  if (!guard('request.shape', !parsed.success) || parsed.success)
    return ok(parsed.success ? parsed.data : value);
  const issue = deepest(parsed.error.issues);
  return fail(badField(fieldOf(issue), issue?.message ?? 'does not fit'));
}

type Issue = z.core.$ZodIssue;

/** Of the branches of a union the one that came furthest says most. */
function deepest(issues: readonly Issue[]): Issue | undefined {
  const [first] = issues;
  if (first?.code !== 'invalid_union') return first;
  const branches = first.errors
    .map((branch) => deepest(branch))
    .filter((issue) => issue !== undefined)
    .sort((a, b) => rank(b) - rank(a));
  const [best] = branches;
  return best === undefined ? first : { ...best, path: [...first.path, ...best.path] };
}

/** A branch that has all its keys and one wrong value is closer than one with a key that it does not know. */
const rank = (issue: Issue): number => issue.path.length * 2 + (issue.code === 'unrecognized_keys' ? 0 : 1);

function fieldOf(issue: Issue | undefined): string {
  if (issue === undefined) return 'body';
  const path = issue.path.map(String);
  const field = issue.code === 'unrecognized_keys' ? [...path, String(issue.keys[0])] : path;
  return field.length === 0 ? 'body' : field.join('.').slice(0, 200);
}

const sentence = (error: z.ZodError): string => error.issues[0]?.message ?? 'does not fit';
