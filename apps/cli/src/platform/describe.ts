import { hint } from '@cuebook/prompt/hint';
import { printPath } from '@cuebook/yaml';
import { Failure } from '../failure.js';

/** A refusal of the platform: a code, and what else is known about it. */
export interface PlatformRefusal {
  readonly code: string;
  readonly reason?: string;
  readonly [more: string]: unknown;
}

/** The failure of a refusal, in words that say what to do. The answer is no, so the exit code is 1. */
export function refusalFailure(error: PlatformRefusal, about: string): Failure {
  return new Failure(error.code, `${about}: ${describeRefusal(error)}`, { exit: 1 });
}

/** The value, or the failure. */
export function requireDone<Value>(
  result: { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: object },
  about: string,
): Value {
  if (result.ok) return result.value;
  throw refusalFailure(result.error as PlatformRefusal, about);
}

export function describeRefusal(error: PlatformRefusal): string {
  if (error.code === 'E_CARD') return describeProblems(error);
  if (error.code === 'E_LIBRARY') return describeLibrary(error);
  if (error.code === 'E_CARD_VIEW')
    return `its view has ${error.length} characters, ${error.limit} at most; shorten the bio or the lists`;
  const words = error.reason === undefined ? undefined : REASONS[`${error.code} ${error.reason}`];
  if (words !== undefined) return words;
  const detail = typeof error.detail === 'string' ? ` (${error.detail})` : '';
  return `${error.reason ?? 'refused'}${detail}; see ${hint`help ${error.code}`}`;
}

function describeLibrary({ reason, what, problems }: PlatformRefusal): string {
  const all = Array.isArray(problems) ? `: ${problems.join('; ')}` : '';
  return `${what}: ${LIBRARY_REASONS[reason ?? ''] ?? reason}${all}`;
}

const LIBRARY_REASONS: Readonly<Record<string, string>> = {
  unknown: `there is no such version; ${hint`library`} lists them`,
  'does-not-fit': 'it does not fit',
  same: 'the library has a version with the same words',
  'too-many': 'the library is full, or the test cases are too long',
  'own-version': 'nobody decides on their own version; name the reviewer with --by WHO',
  decided: 'it was decided already',
  replaced: `a newer draft replaced it; read that one with ${hint`library review`}`,
  'no-reason': 'a rejection needs a reason: --reason TEXT',
  'not-listed': `the signed list does not have it; ${hint`library`} shows what is signed`,
  'not-assigned': `it is not the version that is assigned now; ${hint`library`} shows which one is`,
  'nothing-before': 'no other version was assigned before',
  active: `it is assigned; assign another first with ${hint`library pin NAME@VERSION`}`,
  'in-experiment': 'an experiment compares it; end the experiment first',
  'bad-file': 'it is not a request or a signature as Cuebook writes them',
  'other-platform': 'it was signed for another platform',
  stale: `the library has changed since it was asked for; make a new request with ${hint`library request --out FILE`}`,
  'changed-version': 'its words are not those that this key signed before; a version never changes',
  'other-words': 'the signature is not about the words on record, or about some that nobody approved',
  expired: 'the signature has expired',
  'other-list': 'the holders did not sign the same list',
  'cases-fail': 'its test cases fail',
  'cases-not-run': `nobody here can run its test cases; approve it with ${hint`library approve NAME@VERSION`}`,
};

function describeProblems({ problems }: PlatformRefusal): string {
  const all = Array.isArray(problems) ? (problems as { path: PropertyKey[]; message: string }[]) : [];
  return all.map(({ path, message }) => `${printPath(path)} ${message}`).join('; ');
}

const REASONS: Readonly<Record<string, string>> = {
  'E_REVIEW no-card': `there is no such card; submit it with ${hint`card submit NAME`}`,
  'E_REVIEW not-owner': 'the card belongs to somebody else',
  'E_REVIEW own-card': 'nobody decides on their own card; name the reviewer with --by WHO',
  'E_REVIEW other-version': `the card has another version now; read it with ${hint`card show NAME`}`,
  'E_REVIEW decided': 'it was decided already; a change of the card asks for a new review',
  'E_REVIEW pending': 'it is not approved; approve it first',
  'E_REVIEW no-reason': 'a rejection needs a reason: --reason TEXT',
  'E_TRUST unsigned': 'the review is not signed by the reviewer’s key of this platform',
  'E_TRUST not-reviewed': 'the signature is about another version of the card',
  'E_PUBLISH busy': 'another publication is under way; try again when it is done',
  'E_KEY passphrase': 'the passphrase does not open the key',
  'E_KEY weak-passphrase': 'a passphrase has 12 characters or more',
  'E_KEY same-place': 'two keys would share a folder; give each root key a folder of its own',
  'E_KEY same-passphrase': 'two keys would share a passphrase; give each one of its own',
  'E_KEY not-a-key': 'the file is not a sealed key',
  'E_PLATFORM_HOME there-already': 'there is a platform already',
  'E_PLATFORM_HOME threshold': 'there are fewer root keys than must agree',
  'E_KEYS change': `it is not a root key or reviewer of this platform, or the new key is one already, or fewer would be left than must agree; ${hint`bundle keys`} lists them`,
  'E_SIGNING malformed': 'the file is not a request or a signature for one',
  'E_SIGNING not-a-holder': 'the key counts for nothing of this request',
  'E_SIGNING other-request':
    'it is about another request, or about what counted before another change; make a new one',
  'E_SIGNING threshold': 'fewer holders have signed than must agree',
  'E_TRUST rollback': 'a newer review of the card was taken already; read it again',
  'E_EXPERIMENT bad-id': 'a name has a-z, 0-9, - and _, up to 64 of them',
  'E_EXPERIMENT unknown': `no experiment has this name; ${hint`experiment`} lists them`,
  'E_EXPERIMENT counted': 'outcomes of other versions were counted under this name; take another name',
  'E_EXPERIMENT bad-day': 'the calendar has no such day; a day is written 2026-11-15',
  'E_EXPERIMENT not-ended':
    'the day has not ended in UTC, and a day is counted once; count it when it is over',
  'E_EXPERIMENT bad-plan':
    'the plan does not fit: stages grow up to 1, outcomes are 1 or more, the margin is 0 to 1, metrics are names, effect, power, alpha, baseline and harm lie between 0 and 1, and what is expected stays between 0 and 1',
  'E_EXPERIMENT other-plan': 'the rollout began with another plan; leave the flags out to go on with it',
  'E_ADMISSION unknown-agent': 'no agent has this name here',
  'E_ADMISSION not-owner': 'only the owner of the card begins its admission; name them with --by WHO',
  'E_ADMISSION not-approved': 'the agent is not published yet',
  'E_ADMISSION no-key': 'its card has no agent_public_key',
  'E_ADMISSION not-admitted': 'the agent is not admitted',
  'E_ADMISSION replaced-key': `this key was replaced before; make another with ${hint`agent key --new`}`,
};
