import {
  BYTES_PER_TOKEN,
  createHeldSessions,
  createTurnDriver,
  DEFAULT_CONTEXT_TOKENS,
  type Driver,
  type EffectIntent,
  type PortError,
  type RunPort,
} from '@cuebook/engine';
import type { Files } from '@cuebook/files';
import { createComposeMemo, type JsonValue, ok, type Result } from '@cuebook/prompt';
import { NO_SERVERS } from '@cuebook/provider/servers';
import { spellingKindOf } from '../compose/told.js';
import type { Audit } from '../tool/audit.js';
import type { CallLog } from '../tool/call-log.js';
import { createRunComposer } from './composer.js';
import { modelsOf, type WorkflowRunInput } from './input.js';
import type { WorkflowCommand } from './machine/machine.js';
import type { WorkflowRunState } from './machine/state.js';
import { settleHistory } from './settle.js';

/** What the turns of a run need of it. */
export interface TurnParts {
  readonly keeper: Files;
  readonly audit: Audit;
  readonly log: CallLog;
  readonly read: () => Promise<WorkflowRunState>;
  readonly submit: (id: string, command: WorkflowCommand) => Promise<Result<JsonValue, PortError>>;
  readonly port: () => RunPort;
}

/** The turns of a run: their driver, and the end of the session that they are said in. */
export interface RunTurns {
  readonly driver: Driver;
  close(): Promise<void>;
}

/** Composes each turn from the state and the history, notes who is spoken to, and says it in one session. */
export function createRunTurns(input: WorkflowRunInput, parts: TurnParts): RunTurns {
  const { voice, servers = NO_SERVERS } = input;
  const composer = createRunComposer({
    package: input.package,
    workflow: input.workflow,
    keeper: parts.keeper,
    settings: input.settings ?? {},
    get serverTools() {
      return servers.tools;
    },
    redactor: input.redactor,
    hash: input.hash,
    memo: createComposeMemo(),
    data: input.data,
    maxBytes: (input.contextTokens ?? DEFAULT_CONTEXT_TOKENS) * BYTES_PER_TOKEN,
    voice: {
      name: voice.provider,
      takesToolChoice: voice.kind === 'api',
      keepsHistory: voice.kind === 'cli',
      spelling: spellingKindOf(voice.kind),
    },
  });
  const models = modelsOf(voice);
  const sessions = createHeldSessions();
  let resume: string | undefined;
  const driver = createTurnDriver({
    async compose(effect) {
      input.onTurn?.(effect.id);
      // Between turns: what a turn was told of is what it may call.
      await servers.refresh();
      const state = await parts.read();
      await settleHistory(state, { audit: parts.audit, log: parts.log, now: Date.now });
      const isKnown = state.composed?.voice === voice.provider;
      resume = isKnown ? (state.agent.sessionId ?? undefined) : undefined;
      const ready = await composer.compose(state, effect.id);
      if (!ready.ok) return ready;
      const { composed, turn } = ready.value;
      // The log knows who is spoken to, and so what its calls are held to, before anything is sent.
      const id = `${effect.id}/${input.hash(JSON.stringify(composed)).slice(-32)}`;
      const noted = await parts.submit(id, { type: 'workflow.compose', composed });
      return noted.ok ? ok(turn) : noted;
    },
    session(effect, turn) {
      const model = modelIn(effect);
      const { open } = models[model] ?? voice;
      return sessions.of({ key: String(model), turn, redactor: input.redactor }, () =>
        open(model === 0 ? resume : undefined),
      );
    },
    recorder: input.recorder,
    redactor: input.redactor,
    voice: (effect) => {
      const { model } = models[modelIn(effect)] ?? voice;
      return { provider: voice.provider, ...(model === undefined ? {} : { model }) };
    },
    port: parts.port,
    ...(input.publish ? { publish: input.publish } : {}),
  });
  return {
    driver,
    close: () => sessions.close(),
  };
}

/** Which model a turn is asked of. */
const modelIn = ({ input }: EffectIntent): number => (input as { readonly model?: number }).model ?? 0;
