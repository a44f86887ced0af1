import { guard } from '@cuebook/guard';
import type { JsonValue } from '@cuebook/prompt';
import type { AuditProblem, RunId, Store, StoredEvent } from '../contract.js';
import { attempt } from '../store/audit/attempt.js';
import { canonical } from '../turn/canonical.js';
import { turnOf } from '../turn/find.js';
import { createForgottenList, type ForgottenPart } from './forgotten.js';
import { MAX_PROBLEMS, type VerifyProblem } from './problem.js';
import type { PromptCheck } from './prompts.js';
import { createReceiptCheck, type ReceiptKeys } from './receipts.js';

export interface VerifyRunOptions extends ReceiptKeys {
  /** A head of this run that is known from elsewhere, as `sha256:…`: it must be in the log. */
  readonly head?: string;
  /** States to fold from the log again and compare with what is stored. */
  readonly states?: readonly Projector[];
  /** Told after each turn: verifying a long run takes a while. */
  readonly onTurn?: (turns: number) => void;
}

/** How a stored state follows from a log: `step` folds one event into it. */
export interface Projector {
  /** The projection that holds the state. */
  readonly name: string;
  readonly key: string;
  readonly initial: JsonValue;
  readonly step: (state: JsonValue, event: StoredEvent) => JsonValue;
}

export interface RunVerification {
  readonly run: RunId;
  readonly ok: boolean;
  readonly events: number;
  readonly turns: number;
  /** Turns without an end: open, or interrupted. */
  readonly open: readonly string[];
  /** Where the log stands; keep it elsewhere, and a later verification finds whatever is cut off. */
  readonly head?: string;
  /** What was deleted on request, and by whom. None of it is a problem. */
  readonly forgotten: readonly ForgottenPart[];
  readonly problems: readonly VerifyProblem[];
}

/** What is asked of a store, or of what holds one run. */
export type VerifiedStore = Pick<Store, 'head' | 'read' | 'audit' | 'getBlob' | 'projection'>;

/**
 * Checks all that is on record of a run: the store's rows, the chain of receipts and their signatures, the hash
 * of every block and of every whole prompt by rebuilding it, and that stored states follow from the log. Writes
 * nothing. All problems come at once.
 *
 * What it cannot find by itself: that the newest events were cut off together with the receipts that vouch for them.
 * A head that is known from elsewhere tells, or an anchor; see `verifyStore`.
 */
export async function verifyRun(
  store: VerifiedStore,
  run: RunId,
  options: VerifyRunOptions,
): Promise<RunVerification> {
  const { states = [], onTurn } = options;
  const problems: VerifyProblem[] = [];
  const receipts = createReceiptCheck(store, options);
  const folded = states.map(({ initial }) => initial);
  const places: Place[] = [];
  const forgotten = createForgottenList(store);
  let last: StoredEvent | undefined;
  let isKnown = options.head === undefined;
  for await (const read of readEvents(store, run)) {
    if ('problem' in read) {
      problems.push(read.problem);
      if (problems.length >= MAX_PROBLEMS) break;
      continue;
    }
    const { event } = read;
    const { seq } = event;
    const told = (message: string) => (code: string) =>
      problems.push({ code: 'E_VERIFY_STORE', message: `${message} (${code})`, seq });
    const unfit = told(`Event ${seq} cannot be checked`);
    problems.push(...((await attempt(() => receipts.add(event), unfit)) ?? []));
    for (const [index, { step }] of states.entries()) {
      await attempt(
        async () => {
          folded[index] = step(folded[index] as JsonValue, event);
        },
        told(`Event ${seq} does not fit the state`),
      );
    }
    forgotten.add(event);
    const turn = turnOf(event);
    if (turn !== undefined) places.push({ seq: event.seq, turn, begins: event.type === 'turn.recorded' });
    if (event.type === 'turn.recorded') onTurn?.(receipts.turns());
    isKnown ||= event.hash === options.head;
    last = event;
  }
  const audited = (await collectAudit(store, run)).map((each) =>
    fromAudit(each, places, receipts.prompts.placeOfBlob),
  );
  const read = problems.map((each) => withTurn(each, places));
  problems.splice(0, problems.length, ...audited, ...read);
  problems.push(...(await checkStates(store, states, folded)));
  if (guard('verify.head', !isKnown)) problems.push(lostHead(options.head));
  return {
    run,
    ok: problems.length === 0,
    events: last?.seq ?? 0,
    turns: receipts.turns(),
    open: receipts.open(),
    ...(last && { head: last.hash }),
    forgotten: await forgotten.list(receipts.prompts),
    problems: problems.slice(0, MAX_PROBLEMS),
  };
}

const lostHead = (head: string | undefined): VerifyProblem => ({
  code: 'E_VERIFY_HEAD',
  message: `The log does not contain the head ${head}: events were cut off or replaced after it was noted`,
});

async function collectAudit(store: VerifiedStore, run: RunId): Promise<readonly AuditProblem[]> {
  const found: AuditProblem[] = [];
  for await (const problem of store.audit(run)) {
    found.push(problem);
    if (found.length >= MAX_PROBLEMS) break;
  }
  return found;
}

/** The events that can be read, in order, and a problem for each that cannot. */
async function* readEvents(
  store: VerifiedStore,
  run: RunId,
): AsyncIterable<{ readonly event: StoredEvent } | { readonly problem: VerifyProblem }> {
  const bad: VerifyProblem[] = [];
  const head = await orProblem(store.head(run), bad, 'The row of the run cannot be read');
  for (const problem of bad) yield { problem };
  // Without the row of the run the log is read until nothing comes any more.
  const end = bad.length > 0 ? Number.MAX_SAFE_INTEGER : (head?.seq ?? 0);
  for (let seq = 0; seq < end; ) {
    const page = await orProblem(store.read(run, { after: seq, limit: PAGE }), [], '');
    if (page !== undefined) {
      for (const event of page) yield { event };
      seq = page.at(-1)?.seq ?? end;
      continue;
    }
    // One of these is damaged: one at a time, so that the others still count.
    let isOver = true;
    for (const until = Math.min(end, seq + PAGE); seq < until; seq += 1) {
      const told: VerifyProblem[] = [];
      const one = await orProblem(
        store.read(run, { after: seq, limit: 1 }),
        told,
        `Event ${seq + 1} cannot be read`,
      );
      for (const problem of told) yield { problem: { ...problem, seq: seq + 1 } };
      const event = one?.[0];
      if (event?.seq === seq + 1) yield { event };
      isOver &&= event === undefined;
    }
    if (isOver && end === Number.MAX_SAFE_INTEGER) return;
  }
}

async function orProblem<Value>(
  work: Promise<Value>,
  problems: VerifyProblem[],
  message: string,
): Promise<Value | undefined> {
  return attempt(
    () => work,
    () => problems.push({ code: 'E_VERIFY_STORE', message }),
  );
}

const PAGE = 500;

/** Where a receipt of a turn stands. */
interface Place {
  readonly seq: number;
  readonly turn: string;
  readonly begins: boolean;
}

/** An audit's problem with the turn that it touches. */
function fromAudit(
  problem: AuditProblem,
  places: readonly Place[],
  placeOfBlob: PromptCheck['placeOfBlob'],
): VerifyProblem {
  const { firstSeq, lastSeq, message } = problem;
  const seq = firstSeq ?? lastSeq;
  const place = problem.blob === undefined ? undefined : placeOfBlob.get(problem.blob);
  const turn = place?.turn ?? problem.turn ?? turnAround(places, problem);
  return {
    code: 'E_VERIFY_STORE',
    message,
    ...(seq === undefined ? {} : { seq }),
    ...(turn === undefined ? {} : { turn }),
    ...(place === undefined ? {} : { block: place.part }),
  };
}

/** An event that could not be read is of the turn that its neighbours leave. */
function withTurn(problem: VerifyProblem, places: readonly Place[]): VerifyProblem {
  const { seq, turn } = problem;
  const found = turn === undefined && seq !== undefined ? turnAround(places, { firstSeq: seq }) : undefined;
  return found === undefined ? problem : { ...problem, turn: found };
}

/** The turn of the receipt at that place; where it cannot be read, the turn that its neighbours leave. */
function turnAround(
  places: readonly Place[],
  { firstSeq, lastSeq }: Pick<AuditProblem, 'firstSeq' | 'lastSeq'>,
): string | undefined {
  if (firstSeq === undefined) return undefined;
  const here = places.find(({ seq }) => seq >= firstSeq && seq <= (lastSeq ?? firstSeq));
  if (here !== undefined) return here.turn;
  const begun = new Set(places.filter(({ begins }) => begins).map(({ turn }) => turn));
  const orphan = places.find(({ seq, turn }) => seq > firstSeq && !begun.has(turn));
  return (orphan ?? places.findLast(({ seq }) => seq < firstSeq))?.turn;
}

async function checkStates(
  store: VerifiedStore,
  states: readonly Projector[],
  folded: readonly JsonValue[],
): Promise<readonly VerifyProblem[]> {
  const problems: VerifyProblem[] = [];
  for (const [index, { name, key }] of states.entries()) {
    const unreadable = `State ${name} of ${key} cannot be read`;
    const stored = await orProblem(store.projection(name, key), problems, unreadable);
    const differs = canonical(stored ?? null) !== canonical(folded[index] ?? null);
    if (!guard('verify.state', differs)) continue;
    problems.push({
      code: 'E_VERIFY_STATE',
      message: `State ${name} of ${key} is not what its events make of it`,
    });
  }
  return problems;
}
