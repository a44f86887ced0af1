import { createHash, randomUUID } from 'node:crypto';
import type { BudgetUnit } from '@cuebook/engine';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { ThreadCall, ThreadCommand } from '../run/command.js';
import type { ThreadConfig } from '../run/config.js';
import { decideThread } from '../run/decide.js';
import { agentOf, promptName } from '../run/definitions.js';
import type { EnvLayer } from '../run/env-value.js';
import type { NewMessage } from '../run/message.js';
import type { SideEffects } from '../run/outcome.js';
import { projectThread } from '../run/project/project.js';
import { findFrame, NEW_THREAD, ROOT, type ThreadRunState } from '../run/state.js';
import { attach } from './attachments.js';
import { changingMessage, extraOf, toHookMessage, wordsOf } from './hook-message.js';
import { createHookRun } from './hooks.js';
import type { DriveParts } from './parts.js';

/** What a person says. */
export interface PersonWords {
  /** The same id again is the same word, said once. */
  readonly id?: string;
  readonly text: string;
  /** Paths of files to attach. */
  readonly attachments?: readonly string[];
}

type StartCommand = Extract<ThreadCommand, { type: 'thread.start' }>;

export interface PersonError {
  readonly code: string;
  readonly message: string;
}

/** The thread as it will be once it has begun, for the hooks of its first message. */
function provisional(command: StartCommand, config: ThreadConfig): Result<ThreadRunState, PersonError> {
  let ids = 0;
  const context = { now: 0, newId: (prefix: string) => `${prefix}_${++ids}` };
  const decision = decideThread(NEW_THREAD, command, config, context);
  return decision.ok ? ok(decision.events.reduce(projectThread, NEW_THREAD)) : fail(decision.error);
}

/** What a person says, as it is stored: without secrets, and past the hooks. */
export async function newMessage(
  parts: DriveParts,
  state: ThreadRunState,
  { id: command = randomUUID(), text, attachments = [] }: PersonWords,
): Promise<Result<{ readonly message: NewMessage; readonly effects: SideEffects | null }, PersonError>> {
  const frame = findFrame(state, ROOT);
  if (frame === undefined)
    return fail({ code: 'E_THREAD_NOT_STARTED', message: 'The thread has not begun: start it first.' });
  const redactor = parts.redactorOf(state);
  const attached = await attach(parts, { paths: attachments, by: 'person', redactor });
  if (!attached.ok) return attached;
  const { catalog } = parts.live;
  const reader = {
    prompt: catalog.prompts.get(promptName(catalog, frame) ?? ''),
    agent: agentOf(catalog, frame),
  };
  const hooks = createHookRun(parts, { state, frame, reader });
  const message: NewMessage = {
    id: `msg_${createHash('sha256').update(command).digest('hex').slice(0, 20)}`,
    role: 'user',
    side: 'b',
    from: 'person',
    text: hooks.mask().text(text),
    ...(attached.value.length === 0 ? {} : { attachments: attached.value }),
  };
  const stored = await hooks.change('before_create_message', toHookMessage(message), changingMessage);
  await hooks.tell('after_create_message', [stored]);
  const extra = extraOf(stored);
  const effects = hooks.effects();
  const hasEffects = effects.env.length + effects.notices.length + effects.diagnostics.length > 0;
  return ok({
    message: {
      ...message,
      text: hooks.mask().text(wordsOf(stored)),
      ...(wordsOf(stored) === message.text ? {} : { rewritten: true as const }),
      ...(extra === undefined ? {} : { extra: hooks.mask().value(extra) }),
    },
    effects: hasEffects ? effects : null,
  });
}

/** What a thread is begun with. */
export interface Beginning extends Partial<PersonWords> {
  readonly agent: string;
  readonly env?: Values;
  readonly accountEnv?: Values;
  readonly instanceEnv?: Values;
  readonly budget?: { readonly [unit in BudgetUnit]?: number };
  readonly by?: string;
  readonly call?: ThreadCall;
}

export type Values = Readonly<Record<string, string>>;

/** The command that begins a thread, with its first message past the hooks. */
export async function beginning(
  parts: DriveParts,
  config: ThreadConfig,
  given: Beginning,
): Promise<Result<StartCommand, PersonError>> {
  const {
    agent,
    id,
    text,
    attachments,
    env,
    accountEnv,
    instanceEnv,
    budget = {},
    by = 'user',
    call,
  } = given;
  const keep = (values: Values = {}): EnvLayer =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, parts.environments.keep(name, value)]),
    );
  const layers = { env: keep(env), account: keep(accountEnv), instance: keep(instanceEnv) };
  const command: StartCommand = {
    type: 'thread.start',
    agent,
    by,
    message: null,
    effects: null,
    budget,
    ...layers,
    ...(call === undefined ? {} : { call }),
  };
  if (text === undefined && attachments === undefined) return ok(command);
  const seen = provisional(command, config);
  if (!seen.ok) return seen;
  const words = { text: text ?? '', attachments: attachments ?? [], ...(id === undefined ? {} : { id }) };
  const message = await newMessage(parts, seen.value, words);
  return message.ok ? ok({ ...command, ...message.value }) : message;
}
