import { randomBytes } from 'node:crypto';
import { clockOf, holdsCredential, type RunQueue } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import type { RunId } from '@cuebook/journal';
import { ok, type Result } from '@cuebook/prompt';
import { createChildBook } from './children.js';
import type { Host, HostError, StartCall, WorkShare } from './contract.js';
import { refuse } from './errors.js';
import type { Ground, KindAtWork, RunKind, UpdateTo, VersionPlace } from './kind.js';
import { knowing } from './knowing.js';
import { createLive, type Live } from './live.js';
import { NO_UPDATE } from './per-run.js';
import { createQuotaGate, type Tell } from './quota/gate.js';
import { dayOf } from './quota/limits.js';
import { openPayers } from './quota/payer.js';
import { openQuotas } from './quota/quotas.js';
import { runOf } from './run-of.js';
import { strangeWaits } from './strange-waits.js';
import { groundIn } from './version-ground.js';
import { byAge, type Wait } from './wait.js';

/** What a host is made of. Nothing of it is read from the environment but what `providers.env` hands in. */
export interface HostOptions
  extends Omit<
      Ground,
      'clock' | 'leaseMs' | 'owner' | 'publish' | 'onProblem' | 'hand' | 'wants' | 'versions'
    >,
    Partial<Pick<Ground, 'clock' | 'leaseMs' | 'owner' | 'onProblem'>> {
  /** Who watches; left out: those of this process. */
  readonly live?: Live;
  /** Where several machines work on the project: how runs come to them. */
  readonly handing?: Handing;
  /** Where one machine works alone: the folder of a run that was moved to a commit. */
  readonly versions?: NonNullable<Ground['versions']>;
  /** No two have a prefix or a first event in common. */
  readonly kinds: readonly RunKind[];
  /** For tests: what a run may spend is reserved, and it has not begun. */
  readonly onReserved?: () => void | Promise<void>;
}

/** How runs are handed out between machines, and which of them this process takes. */
export interface Handing {
  readonly queue: RunQueue;
  readonly take: () => Promise<HandingShare>;
  /** The label that a run must be taken with; undefined: any process takes it. */
  readonly labelOf?: (kind: string, run: RunId) => Promise<string | undefined>;
  /** The label that a run wants of its worker, as people know it. */
  readonly wants?: NonNullable<Ground['wants']>;
  /** The folder of each run on this machine. */
  readonly versions?: NonNullable<Ground['versions']>;
  /** Keeps the label that a run wants, before it begins. */
  readonly note?: (run: RunId, call: StartCall) => Promise<Result<null, HostError>>;
}

/** What a process takes. */
export interface HandingShare {
  /** Runs at a time; 0: none. */
  readonly parallel: number;
  /** Left out: runs of all kinds. */
  readonly kinds?: readonly string[];
  /** Takes runs that ask for one of these, beside those that ask for none. */
  readonly labels?: readonly string[];
}

/** The host of a project's runs. It opens nothing and starts nothing until `start` is called. */
export function createHost({ kinds, handing, ...options }: HostOptions): Host {
  const {
    clock = clockOf(options.store),
    leaseMs = 5_000,
    owner = `host ${process.pid} ${randomBytes(4).toString('hex')}`,
    onProblem = (error) => process.emitWarning(String(error)),
    store,
    home,
  } = options;
  const live = options.live ?? createLive((error) => onProblem(error, {}));
  const children = createChildBook(home, (error) => onProblem(error, {}));
  const hands = handing && handTo(handing, onProblem);
  const ground: Ground = {
    ...{ ...options, clock, leaseMs, owner, onProblem, publish: live.publish },
    ...(hands && { hand: hands.hand }),
    ...(handing?.wants && { wants: handing.wants }),
    ...(handing?.versions && { versions: handing.versions }),
  };
  const atWork = new Map(kinds.map((kind) => [kind.name, { kind, work: knowing(kind).attach(ground) }]));
  let share: Omit<WorkShare, 'runs' | 'queued'> | undefined;
  const taken = new Set<RunId>();
  let isStopped = false;
  let cancelDay = (): void => undefined;
  /** With each day that begins, the days of lives that are over count, and a day without room in the limits ends its life. */
  const countDays = (): void => {
    const settle = (): void =>
      void gate
        .settle()
        .catch((error: unknown) => onProblem(error, {}))
        .finally(countDays);
    if (!isStopped) cancelDay = clock.at((Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS, settle);
  };
  const works = (): readonly KindAtWork[] => [...atWork.values()].map(({ work }) => work);

  async function kindOf(run: RunId): Promise<string | undefined> {
    const [first] = await store.read(run, { limit: 1 });
    return kinds.find(({ begins }) => begins === first?.type)?.name;
  }
  async function requireKind(run: RunId): Promise<Result<KindAtWork, HostError>> {
    const found = atWork.get((await kindOf(run)) ?? '');
    if (found !== undefined) return ok(found.work);
    const [first] = await store.read(run, { limit: 1 });
    return first === undefined ? unknownRun(run) : unknownKind(run, first.type);
  }
  const gate = createQuotaGate({
    store,
    quotas: openQuotas(store, () => clock.now()),
    payer: openPayers(store),
    now: () => clock.now(),
    async active() {
      const all = await Promise.all(works().map(async (work) => (await work.active?.()) ?? []));
      return new Set(all.flat());
    },
    isDaily: async (run) => {
      const name = await kindOf(run);
      return kinds.some((kind) => kind.name === name && kind.daily === true);
    },
    async stop(run) {
      const kind = await requireKind(run);
      const said = { id: `${run} limit ${dayOf(clock.now())}`, by: 'cuebook' };
      if (kind.ok) await kind.value.tell(run, { type: 'stop' }, said);
    },
    onReserved: options.onReserved,
  });
  const tellKind =
    (work: KindAtWork, run: RunId): Tell =>
    (word, said) =>
      work.tell(run, word, said);

  async function waiting({ run }: { readonly run?: RunId } = {}): Promise<readonly Wait[]> {
    if (run !== undefined) {
      const kind = await requireKind(run);
      if (kind.ok) return kind.value.waits({ run });
      return (await strangeWaits(store, kinds)).filter((wait) => wait.run === run);
    }
    const all = await Promise.all(works().map((work) => work.waits({})));
    return [...all.flat(), ...(await strangeWaits(store, kinds))].sort(byAge);
  }

  return {
    async start() {
      const ended = await children.open();
      if (ended > 0) onProblem(`${ended} programs that an earlier process had left running were ended`, {});
      for (const work of works()) await work.start();
      countDays();
      if (handing === undefined) return;
      const { parallel, kinds: wanted = [...atWork.keys()], labels = [] } = await handing.take();
      share = { slots: parallel, kinds: wanted, labels };
      if (parallel === 0) return;
      await handing.queue.start({
        ...{ kinds: wanted, labels, parallel },
        take: async ({ kind, run }) => {
          taken.add(run);
          await atWork
            .get(kind)
            ?.work.goOn?.(run)
            .catch((error: unknown) => onProblem(error, { run }));
          taken.delete(run);
        },
      });
    },
    async stop({ running = 'abort' } = {}) {
      isStopped = true;
      cancelDay();
      // It takes nothing more; what is under way ends below.
      const left = handing?.queue.stop();
      for (const work of works()) await work.stop({ running });
      await left;
      await hands?.settled();
      await handing?.queue.close();
      live.close();
      await children.close();
    },
    async begin(call) {
      const prefix = /^([a-z]+):/.exec(call.target)?.[1] ?? '';
      const kind = kinds.find(({ prefixes }) => prefixes.includes(prefix));
      const work = kind && atWork.get(kind.name)?.work;
      if (work === undefined) return unknownTarget(call.target, kinds);
      const named = [call.target, call.provider, call.model].find((name) =>
        holdsCredential(options.redactor, name ?? ''),
      );
      if (guard('host.name', named !== undefined)) return NO_NAME;
      const run = runOf(call.id);
      const own = (await work.runFor?.(call)) ?? run;
      return gate.begin(own, call, {
        begin: async (allowed) => {
          const noted = (await handing?.note?.(run, allowed)) ?? ok(null);
          return noted.ok ? work.begin(run, allowed) : noted;
        },
        tell: tellKind(work, own),
        isStanding: own !== run,
      });
    },
    async tell(run, word, said) {
      const kind = await requireKind(run);
      return kind.ok ? gate.tell(run, word, said, tellKind(kind.value, run)) : kind;
    },
    async spend(run, said, work) {
      const kind = await requireKind(run);
      return kind.ok ? gate.spend(run, said, { tell: tellKind(kind.value, run), work }) : kind;
    },
    async answer({ run, id }, reply, said) {
      const kind = await requireKind(run as RunId);
      if (!kind.ok) return kind;
      const wait = (await kind.value.waits({ run: run as RunId })).find((each) => each.id === id);
      if (wait === undefined) return refuse('notFound', 'E_WAIT_UNKNOWN', NOTHING_WAITS);
      const word = await kind.value.wordFor(wait, reply);
      if (!word.ok) return word;
      return gate.tell(run as RunId, word.value, said, tellKind(kind.value, run as RunId));
    },
    async update(run, to, said) {
      const kind = await requireKind(run);
      if (!kind.ok) return kind;
      const { value: work } = kind;
      if (work.update === undefined) return NOT_MOVED;
      const place = to === 'folder' ? ok(undefined) : await versionAt(ground, to.commit);
      if (!place.ok) return place;
      await ground.versions?.publish?.(to === 'folder' ? undefined : to.commit);
      const next: UpdateTo =
        place.value === undefined
          ? { ground, machine: await ground.versions?.machine() }
          : { ground: groundIn(ground, place.value), machine: null };
      const move = async () => (await work.update?.(run, next, said)) ?? NOT_MOVED;
      return work.updateSpends ? gate.spend(run, said, { tell: tellKind(work, run), work: move }) : move();
    },
    async report(run) {
      const kind = await requireKind(run);
      return kind.ok ? kind.value.report(run) : kind;
    },
    waiting,
    events: (run, { after, signal }) => store.subscribe({ run, after, signal }),
    watch(run, listener) {
      const leaves = [
        live.watch(run, listener),
        ...works().flatMap((work) => work.watch?.(run, listener) ?? []),
      ];
      return () => {
        for (const leave of leaves) leave();
      };
    },
    kindOf,
    share: () => handing && share && { ...share, runs: [...taken], queued: () => handing.queue.depth() },
    settleQuotas: () => gate.settle(),
    async drain() {
      await Promise.all(works().map((work) => work.drain()));
    },
  };
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The project at a commit. */
const versionAt = async ({ versions }: Ground, commit: string): Promise<Result<VersionPlace, HostError>> =>
  versions === undefined
    ? refuse(
        'unavailable',
        'E_WORKSPACE_VERSION',
        'This process has no folder for the versions of a project.',
      )
    : versions.at(commit);

/** Puts a run into the queue. One that does not get there is found by the next sweep. */
function handTo({ queue, labelOf }: Handing, onProblem: Ground['onProblem']) {
  const pending = new Set<Promise<void>>();
  return {
    hand(kind: string, run: RunId, at?: number): void {
      const put = async () => queue.add({ kind, run, at, label: await labelOf?.(kind, run) });
      const done = put().catch((error: unknown) => onProblem(error, { run }));
      pending.add(done);
      void done.then(() => pending.delete(done));
    },
    settled: async () => void (await Promise.all(pending)),
  };
}

const NOT_MOVED: Result<never, HostError> = refuse('conflict', 'E_UPDATE_KIND', NO_UPDATE);

const NO_NAME: Result<never, HostError> = refuse(
  'invalid',
  'E_RUN_NAME',
  'The target, the provider or the model of this call holds what looks like a credential.',
);

const NOTHING_WAITS = 'Nothing of that id waits in this run: it was answered, or it never waited.';

/** It is there, and nobody here knows its kind: a newer process of the project does, or one with more kinds. */
const unknownKind = (run: RunId, begins: string): Result<never, HostError> =>
  refuse(
    'unavailable',
    'E_RUN_KIND',
    `This process does not know the kind of ${run}, whose first event is ${JSON.stringify(begins.slice(0, 80))}. A newer version of Cuebook continues it, or a process whose cuebook.yaml names the kind.`,
  );

const unknownRun = (run: RunId): Result<never, HostError> =>
  refuse('notFound', 'E_RUN_UNKNOWN', `There is no run ${JSON.stringify(run.slice(0, 80))}.`);

const unknownTarget = (target: string, kinds: readonly RunKind[]): Result<never, HostError> => {
  const known = kinds.flatMap(({ prefixes }) => prefixes).map((prefix) => `${prefix}:`);
  return refuse(
    'invalid',
    'E_RUN_TARGET',
    `${JSON.stringify(target.slice(0, 80))} cannot be run. A target begins with ${known.join(', ')}.`,
  );
};
