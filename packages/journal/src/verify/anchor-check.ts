import { guard } from '@cuebook/guard';
import type { AnchoredHead } from '../anchor/line.js';
import { type Anchor, type BadAnchorLine, readAnchor } from '../anchor/read.js';
import type { RunId, Store } from '../contract.js';
import type { PublicKeys } from '../turn/key/key.js';
import type { VerifyProblem } from './problem.js';

/** An anchor to check a store against. */
export interface NamedAnchor {
  /** How it is called in a message: `the anchor of this machine`, the name of a file. */
  readonly name: string;
  /** `undefined`: it should be there and is not. */
  readonly text: string | undefined;
  /** It is the one that every commit of this machine is noted in: what it does not know of yet is told. */
  readonly isOwn?: boolean;
}

/** What is asked of a store; every call may fail on a damaged one. */
export type AnchoredStore = Pick<Store, 'standing' | 'hasHead' | 'findRemoval'>;

/**
 * Finds what an anchor knows of and the store does not have: runs that are gone, events that were cut off or
 * replaced, removals that were undone. `store` is undefined where it could not be opened. All problems at once.
 */
export async function checkAnchor(
  store: AnchoredStore | undefined,
  { name, text }: NamedAnchor,
  { publicKeys, run }: { readonly publicKeys: PublicKeys; readonly run?: RunId | undefined },
): Promise<readonly VerifyProblem[]> {
  if (text === undefined) return [{ code: 'E_VERIFY_ANCHOR', message: `${name} is missing` }];
  const anchor = readAnchor(text, publicKeys);
  const problems = run === undefined ? fileProblems(name, anchor) : [];
  for (const head of anchor.heads.values()) {
    if (run !== undefined && head.run !== run) continue;
    const problem = await headProblem(store, head, publicKeys);
    if (guard('verify.anchor', problem !== undefined) && problem)
      problems.push({ run: head.run, ...problem });
  }
  return problems;
}

/** How many heads an anchor has, for a report. */
export const countHeads = (text: string, keys: PublicKeys): number => readAnchor(text, keys).heads.size;

function fileProblems(name: string, { bad, begun }: Anchor): VerifyProblem[] {
  const problems = bad.map((line) => badLine(name, line));
  if (begun !== undefined) {
    const at = new Date(begun.at).toISOString();
    const message = `${name} was missing at ${at}: what was cut off before then cannot be found`;
    problems.push({ code: 'E_VERIFY_ANCHOR', message });
  }
  return problems;
}

function badLine(name: string, { number, why, key }: BadAnchorLine): VerifyProblem {
  if (why === 'key') {
    const message = `Line ${number} of ${name} was signed with key ${key}, which is not known here`;
    return { code: 'E_VERIFY_KEY', message, ...(key === undefined ? {} : { key }) };
  }
  if (why === 'empty') return { code: 'E_VERIFY_ANCHOR', message: `${name} is empty` };
  const words = {
    start: 'is not how an anchor begins: what stood before it is gone',
    damaged: 'is damaged',
    signature: 'has a signature that does not fit',
    project: 'is of another project',
  };
  return { code: 'E_VERIFY_ANCHOR', message: `Line ${number} of ${name} ${words[why]}` };
}

async function headProblem(
  store: AnchoredStore | undefined,
  head: AnchoredHead,
  keys: PublicKeys,
): Promise<VerifyProblem | undefined> {
  const { seq, removedAt } = head;
  const run = head.run as RunId;
  const was = `it had ${seq} events, up to sha256:${head.hash}`;
  if (store === undefined) return gone(`${run} cannot be read: ${was}`);
  const found = await orDamaged(() => store.standing(run));
  if (found === DAMAGED) return gone(`The row of ${run} cannot be read: ${was}`);
  if (found === undefined) {
    return removedAt === undefined
      ? gone(`${run} is not in the journal any more: ${was}`)
      : gone(`${run} was removed on purpose, and the journal does not know of it any more`);
  }
  if (found.removedAt !== undefined) {
    if (removedAt !== undefined) return undefined;
    const removal = await orDamaged(() => store.findRemoval(run, keys));
    const isSigned = typeof removal === 'object' && removal.seq >= seq;
    return isSigned ? undefined : gone(`${run} was removed, and nobody has signed for it: ${was}`);
  }
  // One that was imported again has new positions.
  const after = removedAt === undefined ? undefined : head.position;
  const isThere = await orDamaged(() => store.hasHead(head, after));
  if (isThere === true) return undefined;
  if (removedAt !== undefined) return back(`${run} was removed on purpose, and is there again`, 1);
  if (found.seq < seq) {
    const first = found.seq + 1;
    const which = first === seq ? `event ${seq} is` : `events ${first} to ${seq} are`;
    return back(`${run} ends at event ${found.seq}: ${which} gone`, first);
  }
  return back(`${run} does not have event ${seq} as it was: it was replaced, or what came before it`, seq);
}

const gone = (message: string): VerifyProblem => ({ code: 'E_VERIFY_REMOVED', message });
const back = (message: string, seq: number): VerifyProblem => ({ code: 'E_VERIFY_ROLLBACK', message, seq });

const DAMAGED = Symbol('damaged');

async function orDamaged<Value>(ask: () => Promise<Value>): Promise<Value | typeof DAMAGED> {
  try {
    return await ask();
  } catch {
    return DAMAGED; // Whatever it is, what was anchored could not be found; the audit names the damage.
  }
}
