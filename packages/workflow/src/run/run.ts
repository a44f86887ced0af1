import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type AgentState,
  createEngine,
  createRunPort,
  createTurnDriver,
  describeEngineError,
  type EffectResolve,
  type Engine,
  type EngineFault,
  inProcess,
  type PortError,
  type RunState,
  type TurnRecorder,
} from '@cuebook/engine';
import { describeFileError, type Fault, openFolder, type TextSource } from '@cuebook/files';
import type { RunId, Store } from '@cuebook/journal';
import { fail, type Hash, type JsonValue, ok, type Redactor, type Result } from '@cuebook/prompt';
import type { Session, TurnEvent } from '@cuebook/provider';
import { openWorkflowMounts } from '../mount/mounts.js';
import type { Workflow, WorkflowPackage } from '../package/package.js';
import { mergePolicies, type ToolPolicy, type ToolSettings } from '../policy/policy.js';
import { NO_SERVERS, type Servers } from '../server/servers.js';
import { initialState } from '../state/initial.js';
import { openAudit } from '../tool/audit.js';
import { openCallLog } from '../tool/call-log.js';
import { createTerminal } from '../tool/terminal.js';
import { createRunComposer } from './composer.js';
import { DEFAULT_MAX_TURNS, type RunFacts } from './facts.js';
import { createWorkflowMachine, type WorkflowCommand, workflowKind } from './machine.js';
import { rulesOf } from './rules.js';
import { settleHistory } from './settle.js';
import type { WorkflowRunState } from './state.js';
import { type RunStatus, runStatus } from './status.js';
import { createToolDriver } from './tool-driver.js';

/** Who speaks in a run. */
export interface RunVoice {
  readonly provider: string;
  readonly kind: 'api' | 'cli' | 'rehearsal';
  readonly model?: string;
  /** Whether what it costs is known. */
  readonly priced: boolean;
  /** Opens a session; `resume` is that of an earlier process. */
  readonly open: (resume: string | undefined) => Session;
}

export interface WorkflowRunInput {
  readonly run: RunId;
  readonly store: Store;
  readonly recorder: TurnRecorder;
  readonly package: WorkflowPackage;
  readonly workflow: Workflow;
  readonly facts: Pick<RunFacts, 'mode' | 'activeAgentId'> &
    Partial<Pick<RunFacts, 'autopilot' | 'maxTurns'>>;
  readonly places: {
    readonly project: string;
    readonly pkg: string | TextSource;
    /** The folder of this run: its state and its logs. Made when it is missing. */
    readonly folder: string;
  };
  readonly settings?: ToolSettings;
  readonly servers?: Servers;
  /** Tokens that a request may have; left out: 120,000. */
  readonly contextTokens?: number;
  readonly voice: RunVoice;
  readonly redactor: Redactor;
  readonly hash: Hash;
  readonly publish?: (event: TurnEvent) => void;
  /** A process that has not been heard of for so long has lost the run. */
  readonly leaseMs?: number;
  /** For tests. */
  readonly fault?: { readonly engine?: EngineFault; readonly files?: Fault };
}

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
  read(): Promise<RunState<WorkflowRunState>>;
  status(): Promise<RunStatus>;
  /** Ends the work in this process; what is open stays for the next one. */
  close(options?: { readonly running?: 'await' | 'abort' }): Promise<void>;
}

/** About three bytes a token: rather too early than too late. */
const BYTES_PER_TOKEN = 3;
const DEFAULT_CONTEXT = 120_000;
const AGAIN_MS = 50;

/** Puts a run together from its parts. Nothing is begun and nothing sent. */
export async function openWorkflowRun(input: WorkflowRunInput): Promise<Result<WorkflowRun, PortError>> {
  const { run, store, workflow, voice, redactor, servers = NO_SERVERS } = input;
  const { mode } = input.facts;
  const opened = await openPlaces(input);
  if (!opened.ok) return opened;
  const { keeper, tools: files } = opened.value;
  const policyOf = (agentId: string): ToolPolicy =>
    mergePolicies(input.settings, input.package.agents.get(agentId)?.agent.tools);
  const composer = createRunComposer({
    package: input.package,
    workflow,
    keeper,
    settings: input.settings ?? {},
    serverTools: servers.tools,
    redactor,
    hash: input.hash,
    maxBytes: (input.contextTokens ?? DEFAULT_CONTEXT) * BYTES_PER_TOKEN,
    voice: { takesToolChoice: voice.kind === 'api', keepsHistory: voice.kind === 'cli' },
  });
  const audit = openAudit({ keeper, redactor });
  const log = openCallLog(keeper);
  const machine = createWorkflowMachine({
    kind: workflowKind(run),
    rules: (state, by) => rulesOf(state, by, { policyOf, serverTools: servers.tools }),
    priced: voice.priced,
    // A model that only answers may be asked again; an agent may have acted, so a person decides.
    onTurnCrash: voice.kind === 'cli' ? 'ask-person' : 'repeat',
  });
  let session: Session | undefined;
  let isClosed = false;
  const submit: WorkflowRun['submit'] = async (id, command) => {
    const done = await engine.submit(run, { ...command, id });
    return done.ok ? ok(done.value.answer) : fail(describeEngineError(done.error));
  };
  const engine: Engine<WorkflowRunState, WorkflowCommand> = createEngine({
    store,
    machine,
    keepState: true,
    // Another name for each opening: two of one name would be given one lease.
    owner: `process ${process.pid} ${randomUUID()}`,
    drivers: {
      'model.turn': createTurnDriver({
        async compose(effect) {
          const { state } = await engine.read(run);
          await settleHistory(state, { audit, log });
          const ready = await composer.compose(state, effect.id);
          if (!ready.ok) return ready;
          const { composed, turn } = ready.value;
          // The log knows who is spoken to, and so what its calls are held to, before anything is sent.
          const noted = await submit(`${effect.id}/${input.hash(JSON.stringify(composed)).slice(-32)}`, {
            type: 'workflow.compose',
            composed,
          });
          return noted.ok ? ok(turn) : noted;
        },
        async session() {
          session ??= voice.open((await engine.read(run)).state.agent.sessionId ?? undefined);
          return session;
        },
        recorder: input.recorder,
        voice: { provider: voice.provider, ...(voice.model === undefined ? {} : { model: voice.model }) },
        port: () => createRunPort(agentSide(engine), store, run),
        ...(input.publish ? { publish: input.publish } : {}),
      }),
      'tool.call': createToolDriver({
        files,
        keeper,
        workflow: mode === 'run' ? workflow : undefined,
        audit,
        log,
        servers,
        terminal: (policy) =>
          createTerminal({ policy: policy.terminal, files, project: input.places.project }),
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
        ...input.facts,
      };
      const { activeAgentId } = facts;
      if (mode === 'run') {
        const fresh = initialState({ workflow, runId: run, activeAgentId });
        const made = await keeper.writeText('workflow.md', fresh, { ifMatch: 'absent' });
        if (!made.ok && made.error.code !== 'E_FILE_CHANGED') return fail(fileError(made.error));
      }
      const said = text === undefined || text.trim() === '' ? {} : { text };
      return submit(`${run}/begin`, {
        type: 'workflow.start',
        facts,
        by,
        ...said,
        ...(budget ? { budget } : {}),
      });
    },
    submit,
    take: async () => (await engine.start()).ok,
    async drain() {
      for (;;) {
        await engine.drain();
        if (isClosed || runStatus((await engine.read(run)).state).kind !== 'working') return;
        // The work was lost for a moment, to a pause of this process or to another one: it comes back.
        await wait(AGAIN_MS);
      }
    },
    read: () => engine.read(run),
    status: async () => runStatus((await engine.read(run)).state),
    async close(options) {
      isClosed = true;
      await engine.stop(options);
      await session?.close();
      await servers.close();
    },
  });
}

const fileError = (error: Parameters<typeof describeFileError>[0]): PortError => ({
  code: error.code,
  message: describeFileError(error),
});

async function openPlaces({ facts, places, fault }: WorkflowRunInput) {
  const { project, pkg, folder } = places;
  const options = fault?.files === undefined ? {} : { fault: fault.files };
  const keeper = await openFolder(folder, { create: true, ...options });
  if (!keeper.ok) return fail(fileError(keeper.error));
  const state = facts.mode === 'run' ? { state: folder } : {};
  const mounts = await openWorkflowMounts({ project, pkg, ...state, ...options });
  if (!mounts.ok) return fail(fileError(mounts.error));
  return ok({ keeper: keeper.value, tools: mounts.value.tools });
}

/** The conversation inside a workflow run, for the driver of its turns. */
function agentSide(engine: Engine<WorkflowRunState, WorkflowCommand>): Parameters<typeof createRunPort>[0] {
  return {
    submit: (run, command) => engine.submit(run, command as Parameters<typeof engine.submit>[1]),
    async read(run): Promise<RunState<AgentState>> {
      const found = await engine.read(run);
      return { ...found, state: found.state.agent };
    },
  };
}
