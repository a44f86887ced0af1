import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  createConversationPort,
  createEngine,
  describeEngineError,
  type EffectResolve,
  type Engine,
  inProcess,
  type PortError,
  type RunState,
} from '@cuebook/engine';
import { describeFileError, openFolder } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { keepSources } from '@cuebook/host';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import { NO_SERVERS } from '@cuebook/provider/servers';
import { openWorkflowMounts } from '../mount/mounts.js';
import { packageSource, sourcesOf } from '../package/kept-package.js';
import type { Workflow } from '../package/package.js';
import { mergePolicies, narrower, type ToolPolicy } from '../policy/policy.js';
import { initialState } from '../state/initial.js';
import { openAudit } from '../tool/audit.js';
import { openCallLog } from '../tool/call-log.js';
import { createTerminal } from '../tool/terminal.js';
import { modelsOf, type WorkflowRunInput } from './input.js';
import { keepData, readKeptData } from './kept-data.js';
import { DEFAULT_MAX_TURNS, type GraphShape, type RunFacts } from './machine/facts.js';
import { createWorkflowMachine, type WorkflowCommand, workflowKind } from './machine/machine.js';
import { rulesOf } from './machine/rules.js';
import type { WorkflowRunState } from './machine/state.js';
import { runStatus, type WorkflowStatus } from './machine/status.js';
import { settleHistory } from './settle.js';
import { createToolDriver } from './tool-driver.js';
import { createRunTurns } from './turns.js';

/** A run of a workflow, or a conversation about one, in this process. */
export interface WorkflowRun {
  /** Begins the run. Its state file is there before the run is in the log. */
  begin(start: {
    readonly text?: string;
    readonly by: string;
    readonly budget?: Extract<WorkflowCommand, { type: 'workflow.start' }>['budget'];
  }): Promise<Result<JsonValue, PortError>>;
  submit(id: string, command: WorkflowCommand | EffectResolve): Promise<Result<JsonValue, PortError>>;
  /** Takes up the work, and what an earlier process left of it; false while another process has it. */
  take(): Promise<boolean>;
  /** Resolves when nothing is in flight: the run is done, has failed, or waits for somebody. */
  drain(): Promise<void>;
  /** Whether the run was moved to another package than this: its next turn is for who opens it again. */
  isMoved(): Promise<boolean>;
  read(): Promise<RunState<WorkflowRunState>>;
  status(): Promise<WorkflowStatus>;
  /** Ends the work in this process; what is open stays for the next one. */
  close(options?: { readonly running?: 'await' | 'abort' }): Promise<void>;
}

const AGAIN_MS = 50;

/** Puts a run together from its parts. Nothing is begun and nothing sent. */
export async function openWorkflowRun(input: WorkflowRunInput): Promise<Result<WorkflowRun, PortError>> {
  const { run, store, workflow, voice, redactor, servers = NO_SERVERS } = input;
  const { mode } = input.facts;
  const opened = await openPlaces(input);
  if (!opened.ok) return opened;
  const { keeper, tools: files } = opened.value;
  const data = input.data ?? (await readKeptData(keeper));
  const policyOf = (agentId: string): ToolPolicy => {
    const own = input.package.agents.get(agentId)?.agent.tools;
    const told = mergePolicies(input.settings, own);
    const now = input.allowed;
    return guard('policy.now', now !== undefined) ? narrower(told, mergePolicies(now, own)) : told;
  };
  const audit = openAudit({ keeper, redactor });
  const log = openCallLog(keeper);
  let { entry } = input;
  const machine = createWorkflowMachine({
    kind: workflowKind(run),
    entry: () => entry,
    rules: (state, by) => rulesOf(state, by, { policyOf, serverTools: servers.tools }),
    priced: modelsOf(voice).every(({ priced }) => priced),
    models: modelsOf(voice).length,
    // A model that only answers may be asked again; an agent may have acted, so a person decides.
    onTurnCrash: voice.kind === 'cli' ? 'ask-person' : 'repeat',
  });
  let isClosed = false;
  const submit: WorkflowRun['submit'] = async (id, command) => {
    const done = await engine.submit(run, { ...command, id });
    return done.ok ? ok(done.value.answer) : fail(describeEngineError(done.error));
  };
  const turns = createRunTurns(data === undefined ? input : { ...input, data }, {
    keeper,
    audit,
    log,
    read: async () => (await engine.read(run)).state,
    submit,
    port: () => createConversationPort(engine, store, run),
  });
  const engine: Engine<WorkflowRunState, WorkflowCommand> = createEngine({
    store,
    machine,
    redactor,
    keepState: true,
    // Another name for each opening: two of one name would be given one lease.
    owner: `process ${process.pid} ${randomUUID()}`,
    drivers: {
      'model.turn': turns.driver,
      'tool.call': createToolDriver({
        files,
        keeper,
        workflow: mode === 'run' ? workflow : undefined,
        audit,
        log,
        servers,
        terminal: (policy) =>
          input.programs ?? createTerminal({ policy: policy.terminal, files, project: input.places.project }),
        policyOf,
        redactor,
        composed: async () => (await engine.read(run)).state.composed,
      }),
    },
    work: inProcess({
      whenHeld: 'refuse',
      ...(input.leaseMs === undefined ? {} : { leaseMs: input.leaseMs }),
    }),
    ...(input.fault?.engine ? { fault: input.fault.engine } : {}),
  });
  return ok({
    async begin({ text, by, budget }) {
      const facts: RunFacts = {
        package: input.package.name,
        version: input.package.version,
        workflow: workflow.id,
        autopilot: false,
        maxTurns: DEFAULT_MAX_TURNS,
        ...(mode === 'run' ? { graph: shapeOf(workflow.graph) } : {}),
        ...input.facts,
      };
      const { activeAgentId } = facts;
      if (mode === 'run') {
        const fresh = initialState({ workflow, runId: run, activeAgentId });
        const made = await keeper.writeText('workflow.md', fresh, { ifMatch: 'absent' });
        if (!made.ok && made.error.code !== 'E_FILE_CHANGED') return fail(fileError(made.error));
      }
      const kept = input.data === undefined ? undefined : await keepData(keeper, input.data);
      if (kept?.ok === false) return fail(fileError(kept.error));
      const sources =
        input.kept === undefined || store.vault === undefined
          ? undefined
          : await keepSources({ store, run, folder: input.places.project }, sourcesOf(input.kept));
      if (sources?.ok === false) return sources;
      entry = sources?.value.entry;
      const said = text === undefined || text.trim() === '' ? {} : { text };
      return submit(`${run}/begin`, {
        type: 'workflow.start',
        facts: sources === undefined ? facts : { ...facts, sources: sources.value },
        by,
        ...said,
        ...(budget ? { budget } : {}),
      });
    },
    submit,
    async take() {
      return (await engine.start()).ok;
    },
    async drain() {
      for (;;) {
        await engine.drain();
        const { state } = await engine.read(run);
        if (isClosed || runStatus(state).kind !== 'working' || isMovedFrom(entry, state))
          return settleHistory(state, { audit, log, now: Date.now });
        // The work was lost for a moment, to a pause of this process or to another one: it comes back.
        await wait(AGAIN_MS);
      }
    },
    isMoved: async () => isMovedFrom(entry, (await engine.read(run)).state),
    read: () => engine.read(run),
    status: async () => runStatus((await engine.read(run)).state),
    async close(options) {
      isClosed = true;
      await engine.stop(options);
      await turns.close();
      await servers.close();
    },
  });
}

const fileError = (error: Parameters<typeof describeFileError>[0]): PortError => ({
  code: error.code,
  message: describeFileError(error),
});

const isMovedFrom = (entry: string | undefined, { facts }: WorkflowRunState): boolean =>
  entry !== undefined && facts?.sources !== undefined && facts.sources.entry !== entry;

export const shapeOf = ({ nodes, edges }: Workflow['graph']): GraphShape => ({
  nodes: nodes.map(({ id, type }) => ({ id, type })),
  edges: edges.map(({ from, to }) => ({ from, to })),
});

async function openPlaces({ run, store, facts, places, kept, fault }: WorkflowRunInput) {
  const { project, pkg, folder, home } = places;
  const options = fault?.files === undefined ? {} : { fault: fault.files };
  const own = await openFolder(folder, { create: true, ...options });
  const keeper = own.ok ? await store.mirror(own.value, `workflows/${run}`) : own;
  if (!keeper.ok) return fail(fileError(keeper.error));
  const state = facts.mode === 'run' ? { state: folder } : {};
  const mounts = await openWorkflowMounts({
    project,
    pkg,
    ...(kept === undefined ? {} : { texts: packageSource(kept) }),
    ...(home === undefined ? {} : { home }),
    ...state,
    ...options,
  });
  if (!mounts.ok) return fail(fileError(mounts.error));
  return ok({ keeper: keeper.value, tools: mounts.value.tools });
}
