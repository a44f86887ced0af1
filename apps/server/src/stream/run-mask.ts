import { guard } from '@cuebook/guard';
import {
  confidentialOfRun,
  confidentialTexts,
  createMasker,
  eventsOf,
  type Masker,
  type RunId,
  rebuildTurn,
  type Store,
  type StoredEvent,
  turnOf,
} from '@cuebook/journal';

/** What must not be shown of a run. It grows with the prompts of the run. */
export interface RunMask {
  /** Looks at an event before it is shown: a new prompt may hold new confidential words. */
  learn(event: StoredEvent): Promise<void>;
  /** A value that is JSON, in its shape. */
  value<Value>(value: Value): Value;
  /**
   * Whether live words may be shown. Where a run has confidential words they may not: cut into deltas, they could
   * not be found. The whole turn is shown, masked, when it is over.
   */
  showsLive(): boolean;
}

/** A mask that knows the run as it is now. What was learnt of a run is kept: the next mask reads only what is new. */
export async function createRunMask(store: Store, run: RunId): Promise<RunMask> {
  const texts = new Set(await confidentialNow(store, run));
  let masker: Masker = createMasker(texts);
  return {
    async learn(event) {
      const before = texts.size;
      for (const text of await confidentialIn(store, event)) texts.add(text);
      if (texts.size > before) masker = createMasker(texts);
    },
    value: (value) => (guard('event.mask', texts.size > 0) ? masker.value(value) : value),
    showsLive: () => !guard('live.mask', texts.size > 0),
  };
}

/** The confidential texts of a run up to an event. */
interface Learnt {
  readonly seq: number;
  readonly texts: ReadonlySet<string>;
}

const LEARNT = new WeakMap<Store, Map<RunId, Promise<Learnt>>>();
/** Runs that are remembered for each store. */
const MOST_RUNS = 256;

async function confidentialNow(store: Store, run: RunId): Promise<ReadonlySet<string>> {
  const runs = LEARNT.get(store) ?? new Map<RunId, Promise<Learnt>>();
  LEARNT.set(store, runs);
  const before = runs.get(run);
  const now =
    before === undefined ? learnAll(store, run) : before.then((learnt) => learnMore(store, run, learnt));
  // The last one that was asked for goes last.
  runs.delete(run);
  runs.set(run, now);
  now.catch(() => runs.delete(run));
  for (const oldest of runs.keys()) {
    if (runs.size <= MOST_RUNS) break;
    runs.delete(oldest);
  }
  return (await now).texts;
}

async function learnAll(store: Store, run: RunId): Promise<Learnt> {
  // What is written meanwhile is learnt twice, and never left out.
  const seq = (await store.head(run))?.seq ?? 0;
  return { seq, texts: new Set(await confidentialOfRun(store, run)) };
}

async function learnMore(store: Store, run: RunId, learnt: Learnt): Promise<Learnt> {
  let { seq } = learnt;
  const texts = new Set(learnt.texts);
  for await (const event of eventsOf(store, run, seq)) {
    for (const text of await confidentialIn(store, event)) texts.add(text);
    seq = event.seq;
  }
  return seq === learnt.seq ? learnt : { seq, texts };
}

/** The confidential texts of the prompt that an event records. */
async function confidentialIn(store: Store, event: StoredEvent): Promise<readonly string[]> {
  if (event.type !== 'turn.recorded') return [];
  const rebuilt = await rebuildTurn(store, event.run, turnOf(event) ?? '');
  if (!rebuilt.ok) return [];
  const { request, delta } = rebuilt.value;
  return confidentialTexts([...request.prompt.blocks, ...(delta?.prompt.blocks ?? [])]);
}
