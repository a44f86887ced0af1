import { guard } from '@cuebook/guard';
import { fail, ok } from '@cuebook/prompt';
import { canonicalJson } from '../canonical-json.js';
import type { JournalResult } from '../result.js';

/** What one write may hold. A caller that needs more puts the content into blobs or writes in steps. */
export const BOUNDS = {
  /** Bytes of a name: a command id, an event type, the name and key of a projection, a scope, an owner. */
  name: 512,
  /** Bytes of a command's target. */
  target: 1024,
  /** Bytes of the canonical JSON of one event, one projection or one answer. */
  value: 4 * 1024 * 1024,
  events: 10_000,
  projections: 10_000,
  blobs: 10_000,
  /** Bytes of all events, answers and names of one append. */
  append: 32 * 1024 * 1024,
  /** Bytes of one blob. */
  blob: 64 * 1024 * 1024,
} as const;

/** A name that can be kept exactly: not empty, not too long, no NUL, no half character. */
export function checkName(what: string, text: string, limit: number = BOUNDS.name): JournalResult<string> {
  const size = typeof text === 'string' ? Buffer.byteLength(text) : 0;
  if (guard('bound.name', size > limit)) return fail({ code: 'E_JOURNAL_TOO_LARGE', what, size, limit });
  const bad = size === 0 || text.includes('\0') || /\p{Surrogate}/u.test(text);
  if (guard('bound.text', bad)) {
    const reason = 'a name is not empty, has no NUL and is well-formed Unicode';
    return fail({ code: 'E_JOURNAL_INVALID', what, reason });
  }
  return ok(text);
}

/** The id of a run. */
export function checkRun(run: string): JournalResult<string> {
  const fits = typeof run === 'string' && /^run_[A-Za-z0-9]{1,60}$/.test(run);
  if (guard('bound.text', !fits)) {
    const reason = 'it is `run_` and up to 60 letters or digits';
    return fail({ code: 'E_JOURNAL_INVALID', what: 'the id of the run', reason });
  }
  return ok(run);
}

/** The canonical JSON of a value (RFC 8785): the one text that is stored and hashed. */
export function canonicalText(what: string, value: unknown): JournalResult<string> {
  const text = tryCanonicalize(value);
  if (guard('bound.json', text === undefined)) {
    const reason = 'it is not JSON: no NaN, no lone surrogate, no cycle, not too deep';
    return fail({ code: 'E_JOURNAL_INVALID', what, reason });
  }
  const size = Buffer.byteLength(text ?? 'null');
  const limit = BOUNDS.value;
  if (guard('bound.event', size > limit)) return fail({ code: 'E_JOURNAL_TOO_LARGE', what, size, limit });
  return ok(text ?? 'null');
}

function tryCanonicalize(value: unknown): string | undefined {
  try {
    return canonicalJson(value);
  } catch {
    return undefined; // Not a value of JSON, or deeper than the stack: the caller names it.
  }
}
