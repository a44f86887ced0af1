import { randomBytes } from 'node:crypto';
import type { LiveProject, StepMessage } from '@cuebook/define';
import type { Driver, EffectIntent, PerformContext } from '@cuebook/engine';
import { createVault } from '@cuebook/host';
import { fail, type Hash, type LeakContext, ok, type Result } from '@cuebook/prompt';
import { type ComposedAsk, composeAsk } from './drive/compose.js';
import { createMessageDriver, createPrepareDriver } from './drive/hook-effects.js';
import { createHookRun } from './drive/hooks.js';
import type { DriveParts } from './drive/parts.js';
import { type Beginning, beginning } from './drive/person.js';
import { createCleaners } from './env/cleaners.js';
import { createEnvironments } from './env/layers.js';
import { decideThread } from './run/decide.js';
import { agentOf, promptName } from './run/definitions.js';
import type { Events } from './run/event.js';
import type { Message, MessageCall } from './run/message.js';
import type { ThreadDiagnostic } from './run/outcome.js';
import { projectThread } from './run/project/project.js';
import { findFrame, NEW_THREAD, ROOT, type ThreadRunState } from './run/state.js';
import { soloName, withSolo } from './solo.js';

export interface FirstInput extends Pick<Beginning, 'text' | 'env' | 'accountEnv' | 'instanceEnv'> {
  /** The text is our stand-in, and nobody has said it. */
  readonly isSample?: boolean;
  readonly live: LiveProject;
  /** An agent, or a prompt that runs by itself for one step. */
  readonly of: { readonly kind: 'agent' | 'prompt'; readonly name: string };
  readonly context: LeakContext;
  readonly hash: Hash;
  readonly hookMs?: number;
  /** What was said before, as it is stored: the hooks of stored messages and results have had their say. */
  readonly earlier?: readonly StepMessage[];
}

/** The first request of a thread, and what its hooks had to say. */
export interface First extends Pick<ComposedAsk, 'request' | 'step'> {
  readonly diagnostics: readonly ThreadDiagnostic[];
}

/**
 * Composes the first request of a thread as a run composes it, hooks included, without a journal and without a model:
 * the same decisions and the same drivers, up to the point where a model is asked.
 */
export async function composeFirst(
  input: FirstInput,
): Promise<Result<First, { readonly code: string; readonly message: string }>> {
  const { of, text, env, accountEnv, instanceEnv } = input;
  const prompt = of.kind === 'prompt' ? input.live.catalog.prompts.get(of.name) : undefined;
  const catalog = prompt === undefined ? input.live.catalog : withSolo(input.live.catalog, prompt);
  const live = { ...input.live, catalog };
  let state: ThreadRunState = NEW_THREAD;
  const parts = partsFor({ ...input, live }, () => state);
  const config = { catalog, priced: false };
  const agent = of.kind === 'agent' ? of.name : soloName(of.name);
  const command = await beginning(parts, config, {
    agent,
    ...(text === undefined ? {} : { text }),
    ...(env === undefined ? {} : { env }),
    ...(accountEnv === undefined ? {} : { accountEnv }),
    ...(instanceEnv === undefined ? {} : { instanceEnv }),
  });
  if (!command.ok) return command;
  let ids = 0;
  const context = { now: 0, newId: (prefix: string) => `${prefix}_${++ids}` };
  const open: EffectIntent[] = [];
  const fold = (events: Events): void => {
    for (const event of events) {
      state = projectThread(state, event);
      if (event.type === 'effect.intended') open.push(event.data);
    }
  };
  const begun = decideThread(state, command.value, config, context);
  if (!begun.ok) return begun;
  fold(begun.events);
  const drivers: Readonly<Record<string, Driver>> = {
    'thread.prepare': createPrepareDriver(parts),
    'message.hook': createMessageDriver(parts),
  };
  for (let rounds = 0; rounds < MAX_ROUNDS; rounds += 1) {
    const at = open.findIndex(({ kind, lane }) => lane === ROOT && drivers[kind] !== undefined);
    if (at === -1 || findFrame(state, ROOT)?.ask !== null) break;
    const [effect] = open.splice(at, 1) as [EffectIntent];
    const driver = drivers[effect.kind] as Driver;
    const outcome = await driver.perform(effect, FIRST_CONTEXT);
    const settled = { id: effect.id, outcome, by: 'driver' } as const;
    fold([{ type: 'effect.settled', data: settled }]);
    const next = decideThread(state, { type: 'effect.settle', ...settled }, config, context);
    if (next.ok) fold(next.events);
  }
  return ask(parts, withEarlier(input.isSample === true ? asSample(state) : state, input.earlier ?? []));
}

function asSample(state: ThreadRunState): ThreadRunState {
  const frame = findFrame(state, ROOT);
  if (frame === undefined) return state;
  const messages = frame.messages.map(
    (each): Message => (each.from === 'person' ? { ...each, sample: true } : each),
  );
  return { ...state, frames: { ...state.frames, [ROOT]: { ...frame, messages } } };
}

/** A thread in which a conversation has gone before the turn that is under way. */
function withEarlier(state: ThreadRunState, earlier: readonly StepMessage[]): ThreadRunState {
  const frame = findFrame(state, ROOT);
  if (frame === undefined || earlier.length === 0) return state;
  const said = earlier.map(({ role, text, calls, callId }, index): Message => {
    const from = role === 'user' ? 'person' : role === 'tool' ? 'tool' : 'model';
    return {
      ...{
        id: `earlier_${index}`,
        role,
        side: role === 'user' ? 'b' : 'a',
        turn: frame.turn - 2,
        from,
        text,
      },
      ...(calls === undefined ? {} : { calls: calls as readonly MessageCall[] }),
      ...(callId === undefined ? {} : { callId }),
    };
  });
  const root = { ...frame, messages: [...said, ...frame.messages] };
  return { ...state, frames: { ...state.frames, [ROOT]: root } };
}

/** More than the effects before a first request. */
const MAX_ROUNDS = 10;

const FIRST_CONTEXT = {
  run: 'run_first',
  signal: new AbortController().signal,
} as unknown as PerformContext;

async function ask(
  parts: DriveParts,
  state: ThreadRunState,
): Promise<Result<First, { code: string; message: string }>> {
  const { catalog } = parts.live;
  const frame = findFrame(state, ROOT);
  const prompt = frame && catalog.prompts.get(promptName(catalog, frame) ?? '');
  if (frame === undefined || prompt === undefined)
    return fail({ code: 'E_THREAD_AGENT', message: 'The thread has no prompt that can be asked.' });
  const reader = { prompt, agent: agentOf(catalog, frame) };
  const hooks = createHookRun(parts, { state, frame, reader });
  const composed = await composeAsk(parts, { state, frame, reader, model: 0, isOpen: true }, hooks);
  if (!composed.ok) return composed;
  const { request, step } = composed.value;
  return ok({ request, step, diagnostics: [...state.diagnostics, ...hooks.effects().diagnostics] });
}

/** The parts of a thread that is never asked: what it keeps, it keeps in memory. */
function partsFor(
  { live, context, hash, hookMs = 10_000 }: FirstInput,
  state: () => ThreadRunState,
): DriveParts {
  const environments = createEnvironments(live.catalog, createVault(randomBytes(32)));
  const never = (): never => {
    throw new Error('A first request asks nobody.');
  };
  return {
    live,
    refresh: async () => undefined,
    environments,
    ...createCleaners(environments.secrets, context),
    store: { putBlob: never, getBlob: never },
    recorder: never as unknown as DriveParts['recorder'],
    state: async () => state(),
    files: undefined,
    home: undefined,
    hash,
    voices: { open: never, close: async () => undefined },
    describe: undefined,
    hookMs,
    toolMs: 0,
    stopOf: () => new AbortController().signal,
    publish: () => undefined,
  };
}
