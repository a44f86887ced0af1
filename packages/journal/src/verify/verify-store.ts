import type { RunId, Store } from '../contract.js';
import { claimProblem } from '../owner/claim.js';
import { attempt } from '../store/audit/attempt.js';
import type { StoreToVerify } from '../store/open-for-verify.js';
import { readRing } from '../turn/key/chain.js';
import type { PublicKeys } from '../turn/key/key.js';
import { checkAnchor, type NamedAnchor } from './anchor-check.js';
import { type BehindRun, behindAnchor } from './behind.js';
import type { VerifyProblem } from './problem.js';
import { type RunVerification, verifyRun } from './verify-run.js';

export interface VerifyStoreOptions {
  /** The keys that are trusted by themselves; those that they vouch for in the store count too. */
  readonly publicKeys: PublicKeys;
  /** Where runs stood, as known outside the store. */
  readonly anchors: readonly NamedAnchor[];
  /** The runs to verify; left out: all, and what belongs to none. */
  readonly runs?: readonly RunId[];
  /** Only what the anchors say of this run counts. */
  readonly only?: RunId;
  /** A head that one of the runs must have. */
  readonly head?: string;
  /** Further problems of a run: a state that does not follow from its log. */
  readonly more?: (store: Store, run: RunId) => Promise<readonly VerifyProblem[]>;
  /** Told before each run. */
  readonly onRun?: (run: RunId) => void;
}

export interface StoreVerification {
  readonly ok: boolean;
  readonly runs: readonly RunVerification[];
  /** What is wrong with the store itself, with the anchors, and with runs that are not there. */
  readonly problems: readonly VerifyProblem[];
  /** Runs whose last events are not in the anchor of this machine. */
  readonly behind: readonly BehindRun[];
  /** Runs that are there and were not verified: only what anchors say of them was looked at. */
  readonly left: number;
}

/**
 * Verifies a journal as a whole: every run, what belongs to none, and that all is there that the anchors know of. No
 * damage ends it before everything was looked at that can be.
 */
export async function verifyStore(
  { store, problems: found, claim, keys = [], memberKeys }: LookedAt,
  options: VerifyStoreOptions,
): Promise<StoreVerification> {
  const { anchors, head, only } = options;
  const ring = readRing(new Map([...(memberKeys ?? []), ...options.publicKeys]), keys);
  const { publicKeys, replaced } = ring;
  const told = [...found, ...ring.problems];
  const problems: VerifyProblem[] = told.map((message) => storeProblem(`The journal: ${message}`));
  const unfit = claim && claimProblem(claim, publicKeys);
  if (unfit !== undefined) problems.push(storeProblem(`The journal: ${unfit}`));
  const runs: RunVerification[] = [];
  const names = store === undefined ? [] : (options.runs ?? (await namesOf(store, publicKeys, problems)));
  for (const run of store === undefined ? [] : names) {
    options.onRun?.(run);
    const verified = await attempt(
      () => verifyRun(store as Store, run, { publicKeys, replaced, ...(head === undefined ? {} : { head }) }),
      (code) => problems.push({ ...storeProblem(`${run} cannot be verified (${code})`), run }),
    );
    const more = await attempt(
      async () => options.more?.(store as Store, run) ?? [],
      (code) => problems.push({ ...storeProblem(`The state of ${run} cannot be checked (${code})`), run }),
    );
    if (verified) runs.push(withMore(verified, more ?? []));
  }
  if (store !== undefined && options.runs === undefined) problems.push(...(await strayProblems(store)));
  for (const anchor of anchors) {
    problems.push(...(await checkAnchor(store, anchor, { publicKeys, run: only })));
  }
  const own = anchors.find(({ isOwn }) => isOwn === true);
  const unseen = own && store && (await attempt(() => behindAnchor(store, own, publicKeys), ignored));
  const behind = (unseen ?? []).filter(({ run }) => only === undefined || run === only);
  const there = options.runs && store && (await attempt(() => store.runs(), ignored));
  const left = (there ?? []).filter(({ run }) => !names.includes(run)).length;
  const ok = runs.every((each) => each.ok) && problems.length === 0;
  return { ok, runs, problems, behind, left };
}

/** What was opened to be looked at. */
type LookedAt = Pick<StoreToVerify, 'store' | 'problems' | 'claim' | 'keys' | 'memberKeys'>;

async function namesOf(store: Store, keys: PublicKeys, problems: VerifyProblem[]): Promise<readonly RunId[]> {
  const names = await store.runNames((message) => problems.push(storeProblem(`The journal: ${message}`)));
  const live: RunId[] = [];
  for (const run of names) {
    const standing = await attempt(
      () => store.standing(run),
      () => undefined,
    );
    // One whose row cannot be read is looked at all the same.
    if (standing?.removedAt === undefined) {
      live.push(run);
      continue;
    }
    const tell = (message: string) => problems.push({ ...storeProblem(message), run });
    const removal = await attempt(
      () => store.findRemoval(run, keys),
      (code) => tell(`The removal of ${run} cannot be read (${code})`),
    );
    if (removal === 'unsigned') tell(`The removal of ${run} is not as somebody known here signed it`);
  }
  return live;
}

/** What is wrong in the store and belongs to no run that was verified. */
async function strayProblems(store: Store): Promise<readonly VerifyProblem[]> {
  const problems: VerifyProblem[] = [];
  for await (const { run, message, kind } of store.audit()) {
    if (run === undefined) problems.push(storeProblem(kind === 'file' ? `The journal: ${message}` : message));
  }
  return problems;
}

const withMore = (verified: RunVerification, more: readonly VerifyProblem[]): RunVerification => {
  const problems = [...verified.problems, ...more];
  return { ...verified, problems, ok: problems.length === 0 };
};

/** What cannot be read was told when it was verified. */
const ignored = (): undefined => undefined;

const storeProblem = (message: string): VerifyProblem => ({ code: 'E_VERIFY_STORE', message });
