import { isDeepStrictEqual } from 'node:util';
import { certify, type JsonProblem, type ObjectError } from '@cuebook/bundle';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import type { PlatformParts } from './desk.js';
import { change, type LedgerSubject, type RecordError, stateOf } from './ledger.js';

/**
 * Something that the platform tells once and that never changes: feedback, the result of a request, a proposal. It is on
 * record without its certificate, so that it can be certified again when the key of the server changes.
 */
export interface Fact {
  /** Of the object. */
  readonly key: string;
  readonly kind: string;
  readonly subject: string;
  readonly body: Readonly<Record<string, JsonValue>>;
  readonly expires: number;
}

export type FactError = RecordError | ObjectError | JsonProblem;

const subjectOf = (key: string): LedgerSubject => ({ name: 'platform.fact', key });

/** Puts a fact on record and, certified, into the store. With `once` one that is there already is refused. */
export async function putFact(
  parts: PlatformParts,
  told: Omit<Fact, 'expires'>,
  { once = false }: { readonly once?: boolean } = {},
): Promise<Result<void, FactError>> {
  const fact: Fact = { ...told, expires: parts.now() + parts.lifetimes.fact };
  // Before it is on record: what no strict reader would take is not kept.
  const bytes = sealFact(parts, fact);
  if (!bytes.ok) return bytes;
  const kept = await change<Fact, boolean, never>(parts.store, subjectOf(fact.key), (before) => {
    // One that was cut off before its object was written is told again; another one stays what it is.
    if (once && before !== undefined) return ok({ events: [], answer: isSame(before, fact) });
    return ok({ events: [{ type: 'fact.told', data: fact as never }], state: fact, answer: true });
  });
  if (!kept.ok) return kept;
  if (!kept.value) return fail({ code: 'E_OBJECT', reason: 'exists', key: fact.key });
  return parts.objects.put(fact.key, bytes.value, { ifAbsent: once });
}

const isSame = (a: Fact, b: Fact): boolean =>
  a.kind === b.kind && a.subject === b.subject && isDeepStrictEqual(a.body, b.body);

/**
 * Certifies every fact again with the key that the server has now, if another did it before. One that has ended is left
 * alone. Answers how many were written.
 */
export async function renewFacts(parts: PlatformParts): Promise<Result<number, FactError>> {
  const { keyId } = parts.online;
  const by = await stateOf<string>(parts.store, SEALED);
  if (by === keyId) return ok(0);
  const facts = [...(await parts.store.projections('platform.fact'))].filter(([key]) => key.includes('/'));
  let written = 0;
  for (const [, value] of facts) {
    const fact = value as unknown as Fact;
    if (fact.expires <= parts.now()) continue;
    const bytes = sealFact(parts, fact);
    if (!bytes.ok) return bytes;
    const put = await parts.objects.put(fact.key, bytes.value);
    if (!put.ok) return put;
    written += 1;
  }
  const noted = await change<string, void, never>(parts.store, SEALED, () =>
    ok({
      events: [{ type: 'facts.renewed', data: { key: keyId, written } }],
      state: keyId,
      answer: undefined,
    }),
  );
  return noted.ok ? ok(written) : noted;
}

/** Which key certified the facts last. Keys of objects have a slash. */
const SEALED: LedgerSubject = { name: 'platform.fact', key: 'sealed' };

function sealFact(
  { online, name, now }: PlatformParts,
  { key, kind, subject, body, expires }: Fact,
): Result<Buffer, JsonProblem> {
  const binding = { kind, subject, objectKey: key };
  const at = now();
  return certify(body, {
    signer: online,
    issuer: name,
    version: 1,
    now: at,
    lifetimeMs: expires - at,
    binding,
  });
}
