import { randomBytes } from 'node:crypto';
import {
  type ApprovalRow,
  clockOf,
  createEngine,
  findOpenWork,
  inProcess,
  readApprovals,
} from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import {
  createChildBook,
  createLive,
  engineError,
  type HostError,
  headCommit,
  keepSources,
  openLogins,
  refuse,
  writeRunNote,
} from '@cuebook/host';
import { createRecorder, type RunId } from '@cuebook/journal';
import { childEnvironment } from '@cuebook/process';
import { ok, type Result } from '@cuebook/prompt';
import { DEFAULT_LIMITS } from '@cuebook/provider';
import { connectServers } from '@cuebook/provider/servers';
import { createWorkspaces } from '@cuebook/workspace';
import { answeredWork } from '../drive/answered-work.js';
import { createArtifacts } from '../drive/artifacts.js';
import { teamConfig } from '../drive/config.js';
import { createPacks } from '../drive/packs.js';
import { createRoles } from '../drive/roles.js';
import { createRunServers } from '../drive/run-servers.js';
import { createSessions } from '../drive/sessions.js';
import { shareNext } from '../drive/share-next.js';
import { createNodeTurnDriver, sessionKey } from '../drive/turn.js';
import { createVoices, shortDigest } from '../drive/voices.js';
import { createWorkDrivers } from '../drive/work.js';
import { DEFAULT_PACK_TOKENS } from '../prompt/context-pack.js';
import { createAgentTexts } from '../role/agent-text.js';
import type { TeamCommand } from '../run/command.js';
import { createTeamMachine } from '../run/decide.js';
import { askingNode, isOver, nodeLane, nodesOf, type TeamState } from '../run/state.js';
import type { HostLimits, PersonCommand, TeamHost, TeamHostOptions } from './contract.js';
import { isListed, listedRuns, listTeam } from './lists.js';
import { applyByPerson, wordOn } from './persons-word.js';
import { plannedChanges } from './planned-changes.js';
import { createRunNotes } from './run-notes.js';
import { prepareRun } from './start-run.js';
import { readVersion } from './update-run.js';

/** What bounds a host that says nothing else. A turn may wait for a person, so its whole time is long. */
const LIMITS: HostLimits = {
  parallel: 256,
  leaseMs: 5_000,
  turn: { idleMs: DEFAULT_LIMITS.idleMs, totalMs: 4 * 60 * 60_000 },
  idleSessionMs: 2 * 60_000,
  approvalMs: 0,
  packTokens: DEFAULT_PACK_TOKENS,
};

/** The host of a project's team runs. It opens nothing and starts nothing until `start` is called. */
export function createTeamHost(options: TeamHostOptions): TeamHost {
  const { store, signer, home, redactor, hash, files, providers } = options;
  const { clock = clockOf(options.store), owner = `host ${process.pid} ${randomBytes(4).toString('hex')}` } =
    options;
  const limits = { ...LIMITS, ...options.limits };
  const onProblem = options.onProblem ?? ((error) => process.emitWarning(String(error)));
  const fault = options.fault?.host ?? (() => undefined);
  let stopping = false;

  const voices = createVoices(providers);
  const config = teamConfig(voices, limits);
  const live = options.live ?? createLive((error) => onProblem(error, {}));
  const children = createChildBook(home, (error) => onProblem(error, {}));
  const sessions = createSessions({ clock, idleMs: limits.idleSessionMs });
  const artifacts = createArtifacts({ store, hash, redactor }, () => fault('artifact.kept'));
  const packs = createPacks(artifacts, limits.packTokens);
  const ownWork = createWorkspaces({
    project: options.folder,
    home: options.homeFolder,
    env: childEnvironment(providers.env, []),
    redact: (text) => redactor.redactText(text).text,
    keep: (run, text) => artifacts.keep(run as RunId, 'diff', text),
    remote: options.remote,
    ...(options.fault?.workspace ? { fault: options.fault.workspace } : {}),
  });
  const workspaces = options.answer === undefined ? ownWork : answeredWork(ownWork, options.answer);
  const texts = createAgentTexts(home, hash);
  const roles = createRoles({
    project: files,
    store,
    texts,
    digest: shortDigest,
    commit: () => headCommit(options.folder),
    acts: (provider) => config.acts?.(provider) ?? false,
    noted: () => fault('role.noted'),
    states: { read: opened, active, busy },
    submit: (run, id, command) => engine.submit(run, { ...command, id }),
  });
  // Many turns of a run end at the same moment: one look at the templates is for all of them.
  const refresh = shareNext((run: RunId) =>
    roles.refresh(run).catch((error: unknown) => onProblem(error, { run })),
  );
  const notes = createRunNotes(home, store);
  const setupOf = async (run: RunId) => (await notes(run)).setup;
  const servers = createRunServers({
    ...{ engine: () => engine, redactor, clock, onProblem },
    idleMs: limits.idleSessionMs,
    configOf: async (run) => (await notes(run)).servers ?? {},
    connect: (named) =>
      connectServers(named, {
        ...{ env: providers.env, cwd: options.folder, redactor },
        logins: openLogins(async () => home),
      }),
  });
  const parts = { engine: () => engine, workspaces, servers, after, setupOf, onProblem };
  const engine = createEngine({
    store,
    machine: { ...createTeamMachine(config), list: listTeam },
    drivers: {
      'node.turn': createNodeTurnDriver({
        ...parts,
        ...{ store, voices, sessions, artifacts, config, redactor, hash, fault },
        recorder: createRecorder({ store, signer }),
        limits: limits.turn,
        notes,
        machine: options.remote?.machine,
        shared: options.remote?.shared,
        publish: live.publish,
        isStopping: () => stopping,
      }),
      ...createWorkDrivers({ ...parts, roles, artifacts, packs }),
    },
    redactor,
    clock,
    owner,
    keepState: 'at-rest',
    work:
      options.work ??
      inProcess({ parallel: limits.parallel, leaseMs: limits.leaseMs, sweepMs: limits.leaseMs / 4 }),
    onProblem,
    ...(options.fault?.engine ? { fault: options.fault.engine } : {}),
  });

  /** Between the effect and what follows from it: templates are read, and sessions of a run that is over are closed. */
  async function after(run: RunId): Promise<void> {
    const { state } = await engine.read(run);
    if (!isOver(state)) return refresh(run);
    roles.forget(run);
    await closeIdle(run, state);
  }
  async function closeIdle(run: RunId, state: TeamState): Promise<void> {
    const idle = nodesOf(state).filter(({ work }) => work === null || work.outcome !== null);
    await Promise.all(idle.map(({ node }) => sessions.close(sessionKey(run, node.id))));
    if (idle.length === nodesOf(state).length) await servers.close(run);
  }
  /** A run with the words of templates as they stand in their files. */
  async function opened(run: RunId): Promise<{ readonly state: TeamState; readonly seq: number }> {
    const { state, seq } = await engine.read(run);
    return { state: (await engine.open(run, (whole) => whole)) ?? state, seq };
  }
  async function active(): Promise<readonly RunId[]> {
    const rows = await listedRuns(store);
    return rows
      .filter(({ status }) => status === 'running' || status === 'paused')
      .map(({ run }) => run as RunId);
  }
  async function busy(): Promise<readonly RunId[]> {
    return (await findOpenWork(store, 'team')).map(({ run }) => run);
  }
  async function requireRun(run: RunId): Promise<Result<null, HostError>> {
    const isOurs = await isListed(store, run);
    if (!guard('run.foreign', !isOurs)) return ok(null);
    return refuse('notFound', 'E_RUN_UNKNOWN', `There is no team run ${JSON.stringify(run.slice(0, 80))}.`);
  }
  /** What a machine cannot know: whether there is such a provider. */
  function strangerOf(command: PersonCommand): Result<null, HostError> {
    const named =
      command.type === 'node.configure'
        ? command.to.provider
        : command.type === 'node.add'
          ? command.node.provider
          : undefined;
    const found = named === undefined ? ok(null) : voices.find(named);
    return found.ok ? ok(null) : refuse('invalid', found.error.code, found.error.message);
  }

  return {
    async start() {
      const ended = await children.open();
      if (ended > 0) onProblem(`${ended} programs that an earlier process had left running were ended`, {});
      const started = await engine.start();
      if (!started.ok) throw new Error('The work of this project is held by another process.');
      if (started.value.state === 'waiting')
        onProblem(`Runs wait: ${started.value.holder} does the work of this project until it ends`, {});
    },
    async stop({ running = 'abort' } = {}) {
      stopping = true;
      await engine.stop({ running: running === 'wait' ? 'await' : 'abort' });
      await sessions.closeAll();
      await servers.closeAll();
      await children.close();
    },
    async startRun(input) {
      const { id, by: _by, most: _most, ...said } = input;
      const run = `run_${shortDigest(id)}` as RunId;
      const command = `start ${shortDigest(JSON.stringify(said))}`;
      if (await store.findCommand(run, command)) return ok({ run, diagnostics: [] });
      if (await store.head(run)) return { ok: false, error: engineError({ type: 'conflict' }) };
      const ground = { project: files, voices, texts, atWork: roles.atWork };
      const prepared = await prepareRun(ground, input, run);
      if (!prepared.ok) return prepared;
      const { start, note, diagnostics, withheld } = prepared.value;
      const noted = await writeRunNote(home, run, note);
      if (!noted.ok) return noted;
      await fault('run.noted');
      const kept =
        store.vault === undefined
          ? undefined
          : await keepSources(
              { store, run, folder: options.folder },
              { files: prepared.value.files, about: null },
            );
      if (kept?.ok === false) return kept;
      const begins = await workspaces.begin(run);
      if (!begins.ok) return refuse('unavailable', begins.error.code, begins.error.message);
      const tree = begins.value === undefined ? {} : { tree: begins.value };
      const sources = kept === undefined ? {} : { sources: { ...kept.value, ...tree } };
      const begun = await engine.submit(run, { ...start, ...sources, id: command });
      if (!begun.ok) return { ok: false, error: engineError(begun.error) };
      await roles.ask(run, withheld);
      return ok({ run, diagnostics });
    },
    async submit(run, command) {
      const known = await requireRun(run);
      if (!known.ok) return known;
      const stranger = strangerOf(command);
      if (!stranger.ok) return stranger;
      await refresh(run);
      const word = await wordOn(opened, run, command);
      const done = await engine.submit(run, command as TeamCommand & { readonly id: string });
      if (!done.ok) return { ok: false, error: engineError(done.error) };
      if (word) await texts.answer(word.role, word.state);
      await after(run);
      return ok(done.value.answer);
    },
    async update(run, { id, by, folder, files: project, machine }) {
      const known = await requireRun(run);
      if (!known.ok) return known;
      const { state } = await engine.read(run);
      const version = await readVersion({ project, voices, texts, atWork: roles.atWork }, state, { run, by });
      if (!version.ok) return version;
      const kept = await keepSources({ store, run, folder }, { files: version.value.files, about: null });
      if (!kept.ok) return kept;
      const to = { ...kept.value, ...(machine !== undefined && { machine }) };
      const done = await engine.submit(run, { type: 'run.update', id, by, to, own: version.value.own });
      if (!done.ok) return { ok: false, error: engineError(done.error) };
      await after(run);
      return ok(done.value.answer);
    },
    async read(run) {
      const known = await requireRun(run);
      if (!known.ok) return known;
      const { state, seq, strange } = await engine.read(run);
      return ok({ state, seq, ...(strange === undefined ? {} : { strange }) });
    },
    async runs(query) {
      const rows = await listedRuns(store, query);
      return Promise.all(
        rows.map(async (row) =>
          row.status === 'paused'
            ? { ...row, status: (await engine.read(row.run as RunId)).state.status }
            : row,
        ),
      );
    },
    events: (run, { after: cursor, signal }) => store.subscribe({ run, after: cursor, signal }),
    watch: live.watch,
    async approvals() {
      const rows = await readApprovals(store);
      const states = new Map<string, TeamState>();
      for (const run of new Set(rows.map((row) => row.run as RunId)))
        if (await isListed(store, run)) states.set(run, (await engine.read(run)).state);
      return rows
        .flatMap((row) => (states.has(row.run) ? [{ ...row, lane: laneOf(states.get(row.run), row) }] : []))
        .sort((a, b) => a.askedAt - b.askedAt || compareText(a.run, b.run) || compareText(a.id, b.id));
    },
    async changes(run) {
      const known = await requireRun(run);
      if (!known.ok) return known;
      const { state } = await engine.read(run);
      return ok(await plannedChanges(state, { run, workspaces, redactor }));
    },
    async artifact(run, name) {
      const text = HASH.test(name) ? await artifacts.find(run, name) : undefined;
      return text === undefined
        ? refuse('notFound', 'E_ARTIFACT_UNKNOWN', 'The run has no such artifact.')
        : ok(text);
    },
    async keepPack(run, pack) {
      const known = await requireRun(run);
      return known.ok ? ok(await packs.keep(run, pack)) : known;
    },
    async workspaces(run) {
      const known = await requireRun(run);
      if (!known.ok) return known;
      const views = await workspaces.views(run);
      return views.ok ? views : refuse('unavailable', views.error.code, views.error.message);
    },
    work: { ...workspaces, apply: applyByPerson(workspaces, { files, texts }) },
    drain: () => engine.drain(),
  };
}

/** By code units: the same on every machine. */
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const HASH = /^sha256:[0-9a-f]{64}$/;

/** The node that waits, as lanes name it. */
function laneOf(state: TeamState | undefined, row: ApprovalRow): string {
  const asking = state && askingNode(state, row);
  return asking ? nodeLane(asking.node.id) : 'run';
}
