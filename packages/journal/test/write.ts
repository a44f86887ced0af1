import type { Append, AuditProblem, RunId, Store, StoredEvent } from '../src/contract.js';
import type { JournalResult } from '../src/result.js';

export const RUN = 'run_one' as RunId;
export const OTHER = 'run_two' as RunId;

let commands = 0;

/** An append with everything filled in that a test does not care about. */
export const batch = (changes: Partial<Append> = {}): Append => ({
  run: RUN,
  command: `cmd_${++commands}`,
  target: 'target',
  expectedSeq: 0,
  events: [{ type: 'thing.done', data: { text: 'done' } }],
  ...changes,
});

/** `count` events whose data says which they are. */
export const eventsOf = (count: number, from = 1): Append['events'] =>
  Array.from({ length: count }, (_, index) => ({ type: 'thing.done', data: { number: from + index } }));

/** The value, or an error that shows the failure. */
export function must<Value>(result: JournalResult<Value>): Value {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** The code of a refusal, or `ok`. */
export const codeOf = (result: JournalResult<unknown>): string => (result.ok ? 'ok' : result.error.code);

export async function problemsOf(store: Store, run?: RunId): Promise<readonly AuditProblem[]> {
  const found: AuditProblem[] = [];
  for await (const problem of store.audit(run)) found.push(problem);
  return found;
}

/** The first `count` events that a subscriber gets. */
export async function take(events: AsyncIterable<StoredEvent>, count: number): Promise<StoredEvent[]> {
  const found: StoredEvent[] = [];
  for await (const event of events) {
    found.push(event);
    if (found.length === count) break;
  }
  return found;
}

/** What a promise is rejected with. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );

/** Everything that can be asked of a store about some runs, as one value. */
export async function photograph(store: Store, runs: readonly RunId[], names: readonly string[] = ['view']) {
  const of = async (run: RunId) => ({
    head: await store.head(run),
    events: await store.read(run, { limit: 10_000 }),
    commits: await store.commits(run, { limit: 10_000 }),
  });
  return {
    runs: await store.runs(),
    all: await store.readAll({ limit: 10_000 }),
    each: await Promise.all(runs.map(of)),
    projections: await Promise.all(names.map(async (name) => [...(await store.projections(name))])),
  };
}
