import type { Files } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { ok, type Result } from '@cuebook/prompt';
import { printTime } from '../cert/cert.js';
import type { Accepted } from './accept.js';
import { CLOCK_SKEW, provenTime } from './clock.js';
import { placeOf, type TrustError } from './error.js';
import { type FailureNote, readNotes, saveNotes } from './notes.js';
import { readState, saveState, type TrustState, type TrustStateError } from './state.js';
import { type SyncOptions, syncTrust, type TrustAnchor, verifyState } from './sync.js';

/** The named moments of an update. Tests hand in a callback that kills the process there. */
export type UpdatePoint = 'state-read' | 'state-verified' | 'update-verified' | 'update-saved';

export interface UpdateOptions extends TrustAnchor {
  readonly objects: SyncOptions['objects'];
  /** Where the state is kept, readable by the agent alone. */
  readonly files: Files;
  readonly path: string;
  readonly now: number;
  readonly floor?: number | undefined;
  /** A person says that the clock is right, though it has told a later time before. What is signed counts still. */
  readonly clockIsRight?: boolean | undefined;
  readonly fault?: (point: UpdatePoint) => void | Promise<void>;
}

/** What an agent acts on after an update, whatever came of it. */
export interface KeptTrust {
  /** Undefined when there has never been a valid bundle: the agent stays inactive and calls no model. */
  readonly accepted: Accepted | undefined;
  /** Since when the kept state is older than its timestamp allows, if it is. */
  readonly staleSince: number | undefined;
  /** Whether it acts on another version of an object now. Fresh signatures of the same versions are no change. */
  readonly changed: boolean;
  /** What was refused, to be recorded. Each is one event. */
  readonly failures: readonly VerificationFailure[];
  /** The last refusal, also of an earlier update. */
  readonly lastFailure: FailureNote | null;
  /** The latest time that it knows of, whatever its clock says now. */
  readonly knownTime: number;
}

/** An update or a saved state that was refused. It quotes nothing of what was refused. */
export interface VerificationFailure {
  readonly kind: 'verification_failure';
  readonly schema_version: 1;
  readonly agent_id: string;
  readonly observed_at: string;
  readonly source: 'store' | 'state';
  readonly code: string;
  readonly reason: string;
  /** The role or the object that it was found in. */
  readonly object: string;
  /** The versions that go on being used. */
  readonly kept: { readonly card_version: number; readonly bundle_version: number } | null;
}

/**
 * One update: the saved state is verified again, the store is asked for what is new, what passes every check is
 * saved, and only then is it acted on. Whatever fails, the last state that was good stays. A clock that is behind what
 * was signed or told before is refused: it would take an old state for a fresh one. An error is only a disk that
 * cannot be read or written.
 */
export async function updateTrust(options: UpdateOptions): Promise<Result<KeptTrust, TrustStateError>> {
  const { files, path, now } = options;
  const notes = await readNotes(files, path);
  const told = options.clockIsRight === true ? 0 : notes.observed;
  const kept = await update(options, told);
  if (!kept.ok) return kept;
  const failed = kept.value.failures.at(-1);
  const failure = failed === undefined ? notes.failure : noteOf(failed);
  const saved = await saveNotes(files, path, notes, { observed: Math.max(told, now), failure });
  return saved.ok ? ok({ ...kept.value, lastFailure: failure }) : saved;
}

async function update(
  options: UpdateOptions,
  observed: number,
): Promise<Result<Omit<KeptTrust, 'lastFailure'>, TrustStateError>> {
  const { files, path, now, agent, fault = () => undefined } = options;
  const failures: VerificationFailure[] = [];
  const note = (source: 'store' | 'state', error: TrustError | TrustStateError, kept: Accepted | undefined) =>
    failures.push(failureOf(agent, now, source, error, kept));
  const read = await readState(files, path);
  if (!read.ok && read.error.code !== 'E_TRUST_STATE') return read;
  await fault('state-read');
  let state: TrustState | undefined = read.ok ? read.value : undefined;
  let accepted: Accepted | undefined;
  let staleSince: number | undefined;
  let latest = observed;
  if (!read.ok) note('state', read.error, undefined);
  if (state !== undefined) {
    const verified = verifyState(options, state, now);
    if (verified.ok) {
      ({ accepted } = verified.value);
      latest = Math.max(latest, provenTime(state));
      staleSince = verified.value.ends <= Math.max(now, latest) ? verified.value.ends : undefined;
    } else {
      note('state', verified.error, undefined);
      state = undefined;
    }
  }
  await fault('state-verified');
  if (guard('trust.clock-back', now < latest - CLOCK_SKEW)) {
    note('store', { code: 'E_TRUST', reason: 'clock', at: 'clock' }, accepted);
    return ok({ accepted, staleSince, changed: false, failures, knownTime: latest });
  }
  const synced = await syncTrust({ ...options, state });
  if (!synced.ok) {
    note('store', synced.error, accepted);
    return ok({ accepted, staleSince, changed: false, failures, knownTime: Math.max(now, latest) });
  }
  await fault('update-verified');
  if (synced.value.changed) {
    const saved = await saveState(files, path, synced.value.state);
    if (!saved.ok) return saved;
  }
  await fault('update-saved');
  const { accepted: next } = synced.value;
  const changed = versionsOf(accepted) !== versionsOf(next);
  return ok({ accepted: next, staleSince: undefined, changed, failures, knownTime: Math.max(now, latest) });
}

const versionsOf = (accepted: Accepted | undefined): string =>
  JSON.stringify(accepted?.applied.objects.map(({ object, version }) => [object, version]));

const noteOf = ({ observed_at: at, code, reason, object }: VerificationFailure): FailureNote => ({
  ...{ at, code, reason, object },
});

function failureOf(
  agent: string,
  now: number,
  source: 'store' | 'state',
  error: TrustError | TrustStateError,
  kept: Accepted | undefined,
): VerificationFailure {
  return {
    kind: 'verification_failure',
    schema_version: 1,
    agent_id: agent,
    observed_at: printTime(now),
    source,
    code: error.code,
    reason: 'reason' in error ? error.reason : 'unreadable',
    object: objectOf(error),
    kept:
      kept === undefined
        ? null
        : { card_version: kept.card.card_version, bundle_version: kept.bundle.bundle_version },
  };
}

/** What the refusal is about, as others may know it: a role, or a key of the store. */
const objectOf = (error: TrustError | TrustStateError): string =>
  error.code === 'E_TRUST_STATE' || 'path' in error ? 'state' : (placeOf(error) ?? 'log');
