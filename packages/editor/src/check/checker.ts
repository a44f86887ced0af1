import { type AnyProfile, checkTarget, findProblems, findTargets, type Workbench } from '@cuebook/profile';
import { type Diagnostic, hasErrors } from '@cuebook/prompt';
import {
  type FileEvent,
  isConcerned,
  noReads,
  type Reads,
  type TrackedSource,
  trackReads,
} from '../source/tracked.js';

/** A project that was opened, and what is wrong with its configuration. */
export interface OpenedBench<Bench extends Workbench = Workbench> {
  readonly bench: Bench;
  readonly diagnostics: readonly Diagnostic[];
}

/** What is said of a target beyond its own check, once that finds no error: hooks of definitions. */
export interface FurtherCheck {
  readonly saidOf: (target: string) => Promise<readonly Diagnostic[]>;
  readonly close: () => Promise<void>;
}

export interface CheckerOptions<Bench extends Workbench> {
  /** Opens the project as it is now. Called again when its configuration changes, and now and then to let go of memory. */
  readonly open: () => Promise<OpenedBench<Bench>>;
  /** The files that decide how the project is opened. */
  readonly settingFiles: readonly string[];
  readonly further?: (bench: Bench, targets: readonly string[]) => Promise<FurtherCheck | undefined>;
  /** What is said of a project without any target. */
  readonly nothing: Diagnostic;
}

/** All that is known of a project: what `check` tells of it, kept up to date with the least work. */
export interface Checker<Bench extends Workbench = Workbench> {
  /** Something happened to files or buffers; the next `settle` takes it into account. */
  readonly tell: (events: readonly FileEvent[]) => void;
  /** Looks again at all that may be different now, also at what changes meanwhile. */
  readonly settle: (options?: SettleOptions) => Promise<void>;
  /** Every diagnostic, as `check` tells it: unsorted, each once. */
  readonly diagnostics: () => readonly Diagnostic[];
  readonly targets: () => readonly string[];
  /** The files that a target is made of; empty when nothing is known of it. */
  readonly filesOf: (target: string) => readonly string[];
  /** The project as it is open now. */
  readonly bench: () => Promise<Bench>;
  /** Does something with a target on the bench that it was checked on, in turn with all other looks. */
  readonly on: <Value>(target: string, work: (bench: Bench) => Promise<Value>) => Promise<Value>;
  /** How often targets were looked at: what an edit cost. */
  readonly looks: () => number;
  /** Nobody is left to tell: a look that is under way is the last one. */
  readonly close: () => void;
}

export interface SettleOptions {
  /** Files whose targets come first. */
  readonly first?: readonly string[];
  readonly onLook?: () => void;
}

/** One target and what is known of it. */
interface Known {
  readonly target: string;
  readonly group: Group;
  isStale: boolean;
  reads: Reads;
  files: readonly string[];
  diagnostics: readonly Diagnostic[];
}

/** Profiles that are loaded together, and the targets they find. */
interface Group {
  readonly profiles: readonly AnyProfile[];
  /** Whether its profiles keep what they load: then a change concerns all of its targets. */
  readonly isWhole: boolean;
  isStale: boolean;
  reads: Reads;
  project: Workbench['project'];
  problems: readonly Diagnostic[];
  known: Map<string, Known>;
}

const UNFORESEEN = {
  code: 'E_INTERNAL',
  severity: 'error',
  message: 'something failed that should not be able to fail',
} as const;

/** Looks after which the bench is opened again: what it remembers of texts that were typed over goes with it. */
const LOOKS_OF_A_BENCH = 2_000;

export function createChecker<Bench extends Workbench>(options: CheckerOptions<Bench>): Checker<Bench> {
  const { open, settingFiles, further, nothing } = options;
  let opened: OpenedBench<Bench> | undefined;
  let tracked: TrackedSource | undefined;
  let groups: readonly Group[] = [];
  let events: FileEvent[] = [];
  let looks = 0;
  let openedAt = 0;
  let isClosed = false;

  const reopen = async (isNew: boolean): Promise<OpenedBench<Bench>> => {
    const now = await open();
    opened = now;
    tracked = trackReads(now.bench.project);
    openedAt = looks;
    const made = groupsOf(now.bench.profiles, tracked);
    if (isNew) groups = made;
    else {
      // Nothing else is different: what is known stays.
      groups = made.map((group, at) => {
        const before = groups[at];
        if (before === undefined || before.isStale || group.isWhole) return group;
        for (const [target, known] of before.known) group.known.set(target, { ...known, group });
        return Object.assign(group, { isStale: false, reads: before.reads, problems: before.problems });
      });
    }
    return now;
  };

  const take = (): void => {
    for (const event of events) {
      if (settingFiles.includes(event.path)) opened = undefined;
      for (const group of groups) {
        if (isConcerned(group.reads, event)) group.isStale = true;
        for (const known of group.known.values()) {
          if (known.isStale || !isConcerned(known.reads, event)) continue;
          known.isStale = true;
          if (group.isWhole) group.isStale = true;
        }
      }
    }
    events = [];
  };

  const findAnew = async (group: Group): Promise<void> => {
    const { noting, anew } = tracked as TrackedSource;
    const project = anew();
    const on = { ...(opened as OpenedBench<Bench>).bench, project, profiles: group.profiles };
    const reads = noReads();
    group.isStale = false;
    group.reads = reads;
    const [targets, problems] = await noting(reads, async () => {
      const found = await findTargets(on);
      return [found, await findProblems(on)] as const;
    });
    group.problems = problems;
    if (group.isWhole) group.project = project;
    const before = group.known;
    group.known = new Map(
      targets.map((target) => {
        const known = group.isWhole ? undefined : before.get(target);
        return [
          target,
          known ?? { target, group, isStale: true, reads: noReads(), files: [], diagnostics: [] },
        ];
      }),
    );
  };

  const lookAt = async (known: Known, more: FurtherCheck | undefined): Promise<void> => {
    const { bench } = opened as OpenedBench<Bench>;
    const on = { ...bench, project: known.group.project };
    known.isStale = false;
    known.reads = noReads();
    looks += 1;
    try {
      await (tracked as TrackedSource).noting(known.reads, async () => {
        const checked = await checkTarget(on, known.target);
        const said = hasErrors(checked.diagnostics) ? [] : ((await more?.saidOf(known.target)) ?? []);
        known.files = checked.files;
        known.diagnostics = [...checked.diagnostics, ...said];
      });
    } catch {
      // One target that cannot be looked at keeps no other from it.
      known.diagnostics = [
        { ...UNFORESEEN, message: `${known.target} could not be checked: ${UNFORESEEN.message}` },
      ];
    }
  };

  const allKnown = (): readonly Known[] => groups.flatMap(({ known }) => [...known.values()]);

  const settle = async ({ first = [], onLook }: SettleOptions = {}): Promise<void> => {
    while (!isClosed) {
      take();
      if (opened === undefined) await reopen(true);
      else if (looks - openedAt > LOOKS_OF_A_BENCH) await reopen(false);
      take();
      const stale = groups.find(({ isStale }) => isStale);
      if (stale !== undefined) {
        await findAnew(stale);
        continue;
      }
      const open = allKnown().filter(({ isStale }) => isStale);
      if (open.length === 0) return;
      const isFirst = ({ files, reads }: Known): boolean =>
        first.some((file) => files.includes(file) || reads.files.has(file));
      const ordered = [...open.filter(isFirst), ...open.filter((each) => !isFirst(each))];
      const { bench } = opened as OpenedBench<Bench>;
      const byGroup = new Map<Group, FurtherCheck | undefined>();
      try {
        for (const known of ordered) {
          if (!byGroup.has(known.group)) {
            const on = { ...bench, project: known.group.project };
            byGroup.set(known.group, await further?.(on, [known.target]));
          }
          await lookAt(known, byGroup.get(known.group));
          onLook?.();
          // Something was typed meanwhile: what it concerns may be another target, or this one again.
          if (events.length > 0 || isClosed) break;
        }
      } finally {
        for (const more of byGroup.values()) await more?.close();
      }
    }
  };

  const diagnostics = (): readonly Diagnostic[] => {
    const ofTargets = [
      ...allKnown().flatMap((known) => known.diagnostics),
      ...groups.flatMap((each) => each.problems),
    ];
    const isNothing = opened !== undefined && allKnown().length === 0 && !hasErrors(ofTargets);
    const found = [...ofTargets, ...(opened?.diagnostics ?? []), ...(isNothing ? [nothing] : [])];
    return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
  };

  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = queue.then(work, work);
    queue = done.catch(() => undefined);
    return done;
  };

  return {
    tell: (more) => void events.push(...more),
    settle: (how) => inTurn(() => settle(how)),
    diagnostics,
    targets: () => allKnown().map(({ target }) => target),
    filesOf: (target) => allKnown().find((known) => known.target === target)?.files ?? [],
    bench: async () => {
      const isOpen = opened ?? (await inTurn(async () => opened ?? (await reopen(true))));
      return isOpen.bench;
    },
    on: (target, work) =>
      inTurn(async () => {
        const { bench } = opened ?? (await reopen(true));
        const known = allKnown().find((each) => each.target === target);
        return work(known === undefined ? bench : { ...bench, project: known.group.project });
      }),
    looks: () => looks,
    close: () => {
      isClosed = true;
    },
  };
}

/** Profiles of one family together, every other by itself. */
function groupsOf(profiles: readonly AnyProfile[], { source, anew }: TrackedSource): readonly Group[] {
  const names = new Map<string, AnyProfile[]>();
  for (const profile of profiles) {
    const name = profile.family ?? profile.prefix;
    names.set(name, [...(names.get(name) ?? []), profile]);
  }
  return [...names.values()].map((together) => {
    const isWhole = together.some(({ family }) => family !== undefined);
    return {
      profiles: together,
      isWhole,
      isStale: true,
      reads: noReads(),
      project: isWhole ? anew() : source,
      problems: [],
      known: new Map(),
    };
  });
}
