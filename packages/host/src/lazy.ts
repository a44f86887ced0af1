import { listStandings } from '@cuebook/engine';
import { refuse } from './errors.js';
import type { Ground, KindAtWork, RunKind } from './kind.js';
import { knowing } from './knowing.js';
import { NO_UPDATE } from './per-run.js';

/** A kind whose code is loaded when a run of it is there or wanted. */
export interface LazyKind extends Pick<RunKind, 'name' | 'prefixes' | 'begins' | 'daily'> {
  readonly load: () => Promise<RunKind>;
}

export const lazyKind = ({ load, ...names }: LazyKind): RunKind => ({
  ...names,
  attach: (ground) => attach(names.name, load, ground),
});

function attach(name: string, load: () => Promise<RunKind>, ground: Ground): KindAtWork {
  let loaded: Promise<KindAtWork> | undefined;
  let isStarted = false;
  let isStopped = false;
  let cancel = (): void => undefined;
  const kind = (): Promise<KindAtWork> => {
    loaded ??= load().then(async (each) => {
      const work = knowing(each).attach(ground);
      if (isStarted && !isStopped) await work.start();
      return work;
    });
    // Code that could not be loaded is looked for again.
    loaded.catch(() => {
      loaded = undefined;
    });
    return loaded;
  };
  const isThere = async (): Promise<boolean> =>
    [...(await listStandings(ground.store, { active: true })).values()].some((each) => each.kind === name);
  /** Another process may begin a run of this kind and die. */
  const look = async (): Promise<void> => {
    if (isStopped || loaded !== undefined) return;
    if (await isThere()) await kind();
    else lookLater();
  };
  const lookLater = (): void => {
    cancel = ground.clock.at(ground.clock.now() + ground.leaseMs, () => void again());
  };
  /** A store that is away for a moment ends nothing. */
  const again = (): Promise<void> =>
    look().catch((error: unknown) => {
      ground.onProblem(error, {});
      if (!isStopped && loaded === undefined) lookLater();
    });
  return {
    async start() {
      isStarted = true;
      await look();
    },
    async stop(options) {
      isStopped = true;
      cancel();
      if (loaded !== undefined) await (await loaded).stop(options);
    },
    async begin(run, call) {
      try {
        return await (await kind()).begin(run, call);
      } catch (error) {
        if (loaded !== undefined) throw error;
        ground.onProblem(error, { run });
        return refuse('unavailable', 'E_RUN_KIND', `The code of the kind ${name} cannot be loaded.`);
      }
    },
    tell: async (run, word, said) => (await kind()).tell(run, word, said),
    wordFor: async (wait, reply) => (await kind()).wordFor(wait, reply),
    update: async (run, to, said) =>
      (await (await kind()).update?.(run, to, said)) ?? refuse('conflict', 'E_UPDATE_KIND', NO_UPDATE),
    report: async (run) => (await kind()).report(run),
    // Code that cannot be loaded is told when the run shall begin.
    runFor: async (call) =>
      kind().then(
        (each) => each.runFor?.(call),
        () => undefined,
      ),
    goOn: async (run) => (await kind()).goOn?.(run),
    waits: async (filter) =>
      filter.run === undefined && loaded === undefined && !(await isThere())
        ? []
        : (await kind()).waits(filter),
    async drain() {
      if (loaded !== undefined) await (await loaded).drain();
    },
  };
}
