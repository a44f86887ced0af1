import { join, resolve } from 'node:path';
import { describeFileError } from '@cuebook/files';
import { fail, ok, type Result } from '@cuebook/prompt';
import { apply } from './apply/apply.js';
import { clean } from './apply/clean.js';
import { push } from './apply/push.js';
import { contentsUse, tidy } from './apply/tidy.js';
import { views } from './apply/views.js';
import { findAside, setAside } from './change/set-aside.js';
import { take } from './change/take.js';
import { verify } from './command/verify.js';
import type { Cleaned, WorkspaceError, WorkspaceLimits, WorkspaceOptions, Workspaces } from './contract.js';
import { openStore } from './git/store.js';
import { folderOf, type WorkspaceGround } from './place/place.js';
import { prepare } from './place/prepare.js';
import { openProject } from './place/project.js';
import { isName, notFound, readRecord } from './place/record.js';
import { keepBeginning } from './remote/beginning.js';
import { bringRecord, bringWork } from './remote/bring.js';
import { forgetWork, keepWork } from './remote/keep.js';
import { listMarks } from './remote/mark.js';
import { callTool } from './tool/call-tool.js';
import { pathFacts } from './tool/path-facts.js';

/** Enough for large projects, and an end for everything. */
export const DEFAULT_WORKSPACE_LIMITS: WorkspaceLimits = {
  commandMs: 120_000,
  verifyMs: 600_000,
  outputBytes: 32_768,
  patchBytes: 4 << 20,
  files: 200_000,
};

/** The workspaces of a project. Nothing is opened before the first use. */
export function createWorkspaces(options: WorkspaceOptions): Workspaces {
  const project = resolve(options.project);
  const home = resolve(options.home);
  const place: WorkspaceGround['folderOf'] = (run, node) =>
    folderOf(join(home, 'workspaces'), project, run, node);
  let opened: Promise<Result<WorkspaceGround, WorkspaceError>> | undefined;
  const open = async (): Promise<Result<WorkspaceGround, WorkspaceError>> => {
    opened ??= openGround(options, { project, home, folderOf: place });
    const ground = await opened;
    if (!ground.ok) opened = undefined;
    return ground;
  };
  /** Names are looked at before anything is done with them. */
  const on = async <Value>(
    names: readonly (string | undefined)[],
    use: (ground: WorkspaceGround) => Promise<Result<Value, WorkspaceError>>,
  ): Promise<Result<Value, WorkspaceError>> => {
    const wrong = names.find((name) => name !== undefined && !isName(name));
    if (wrong !== undefined) return fail(notFound(wrong));
    const ground = await open();
    return ground.ok ? use(ground.value) : ground;
  };

  /** The same for what needs the contents of the store: nobody takes any away meanwhile. */
  const using: typeof on = (names, use) => on(names, (ground) => ground.store.use.shared(() => use(ground)));

  const { remote } = options;
  /** The newest work of a run, before somebody looks at it: also that of other machines. */
  const withNewest = async (
    ground: WorkspaceGround,
    run: string,
  ): Promise<Result<undefined, WorkspaceError>> => {
    const nodes = remote === undefined ? ok([]) : await listMarks(remote.shared, run);
    if (!nodes.ok) return nodes;
    for (const node of nodes.value) {
      const brought = remote && (await bringRecord(ground, remote, run, node));
      if (brought?.ok === false) return brought;
    }
    return ok(undefined);
  };
  const looking: typeof on = (names, use) =>
    using(names, async (ground) => {
      const [run = ''] = names;
      const newest = await withNewest(ground, run);
      return newest.ok ? use(ground) : newest;
    });
  /** What each holder of a run has brought or found already. */
  const brought = new Map<string, number>();

  return {
    home,
    folderOf: place,
    async begin(run) {
      if (remote === undefined) return ok(undefined);
      return using<string | undefined>([run], (ground) => keepBeginning(ground, remote, run));
    },
    async bring(at, more) {
      const key = `${at.run}/${at.node.id}`;
      if (remote === undefined || brought.get(key) === at.token) return ok(undefined);
      const done = await using([at.run, at.node.id], (ground) => bringWork(ground, remote, at, more));
      if (done.ok) brought.set(key, at.token);
      return done;
    },
    async keep(at) {
      if (remote === undefined) return ok(undefined);
      return using([at.run, at.node.id], (ground) => keepWork(ground, remote, at));
    },
    async mayLack({ run, node, turn }) {
      if (remote === undefined || node.workspace === 'shared') return false;
      const known = await on([run, node.id], (ground) => readRecord(ground.store, run, node.id));
      return !known.ok || known.value === undefined || !Object.hasOwn(known.value.turns, String(turn));
    },
    prepare: (at, more) => using([at.run, at.node.id], (ground) => prepare(ground, at, more)),
    async pathFacts(run, node, paths) {
      const facts = await on([run, node.id], async (ground) => ok(await pathFacts(ground, run, node, paths)));
      return facts.ok ? facts.value : paths.map(() => ({ kind: 'outside' }));
    },
    take: (at, more) => using([at.run, at.node.id], (ground) => take(ground, at, more?.signal)),
    setAside: (at, files, more) =>
      using([at.run, at.node.id], (ground) => setAside(ground, at, files, more?.signal)),
    findAside: (at) => on([at.run, at.node.id], (ground) => findAside(ground, at)),
    verify: (at, commands, more) =>
      on([at.run, at.node.id], (ground) => verify(ground, at, commands, more?.signal)),
    callTool: (at, call, more) =>
      on([at.run, at.node.id], (ground) => callTool(ground, at, call, more?.signal)),
    views: (run) => looking([run], (ground) => views(ground, run)),
    runs: () => on([], listRuns),
    contents: () => on([], async (ground) => ok(await contentsUse(ground))),
    apply: (what, more) => looking([what.run, what.node], (ground) => apply(ground, what, more)),
    push: (branch, more) => on([], ({ project }) => push(project, branch, more?.signal)),
    async clean(what, more) {
      const cleaned = await looking([what.run, what.node], async (ground) => {
        const done = await clean(ground, what, more);
        if (done.ok && remote !== undefined) await forgetWork(ground, remote, what.run, done.value.removed);
        return done;
      });
      const isUnknown = !cleaned.ok && cleaned.error.code === 'E_WORKSPACE_UNKNOWN';
      return cleaned.ok || isUnknown ? on([], (ground) => tidied(ground, cleaned)) : cleaned;
    },
  };
}

/**
 * What is not needed any more goes with the folders; while others are at work it stays, until somebody cleans again.
 * Also for a run that has no folders: who removed them may have been killed before the rest.
 */
async function tidied(
  ground: WorkspaceGround,
  cleaned: Awaited<ReturnType<typeof clean>>,
): Promise<Result<Cleaned, WorkspaceError>> {
  const before = await contentsUse(ground);
  const done = await ground.store.use.alone(() => tidy(ground));
  if (!cleaned.ok) return cleaned;
  const contents = await contentsUse(ground);
  const bytes = cleaned.value.bytes + Math.max(0, before - contents);
  return ok({ ...cleaned.value, bytes, contents, ...(done.ok ? {} : { left: done.error }) });
}

async function openGround(
  { env, redact, keep, limits, fault, remote }: WorkspaceOptions,
  places: { readonly project: string; readonly home: string; readonly folderOf: WorkspaceGround['folderOf'] },
): Promise<Result<WorkspaceGround, WorkspaceError>> {
  const store = await openStore({ home: places.home, env });
  if (!store.ok) return store;
  return ok({
    store: store.value,
    project: openProject(places.project, env),
    home: places.home,
    folderOf: places.folderOf,
    env,
    redact,
    keep,
    limits: { ...DEFAULT_WORKSPACE_LIMITS, ...limits },
    remote,
    at: async (point) => fault?.(point),
  });
}

async function listRuns({ store }: WorkspaceGround): Promise<Result<readonly string[], WorkspaceError>> {
  const listing = await store.files.list('.');
  if (!listing.ok) return fail({ code: 'E_WORKSPACE_READ', message: describeFileError(listing.error) });
  const runs: string[] = [];
  for (const { name, kind } of listing.value.entries) {
    if (kind !== 'directory' || name.startsWith('.') || !isName(name)) continue;
    const inside = await store.files.list(name);
    if (inside.ok && inside.value.entries.length > 0) runs.push(name);
  }
  return ok(runs);
}
