import { createHash, randomUUID } from 'node:crypto';
import { fail, ok, type Result } from '@cuebook/prompt';
import type { ThreadCommand } from '../run/command.js';
import type { ThreadConfig } from '../run/config.js';
import { decideThread } from '../run/decide.js';
import { agentOf, promptName } from '../run/definitions.js';
import type { NewMessage } from '../run/message.js';
import type { SideEffects } from '../run/outcome.js';
import { projectThread } from '../run/project/project.js';
import { findFrame, NEW_THREAD, ROOT, type ThreadRunState } from '../run/state.js';
import { attach } from './attachments.js';
import { changingMessage, extraOf, toHookMessage, wordsOf } from './hook-message.js';
import { createHookRun } from './hooks.js';
import type { DriveParts } from './parts.js';

/** What a person says. */
export interface Said {
  /** The same id again is the same word, said once. */
  readonly id?: string;
  readonly text: string;
  /** Paths of files to attach. */
  readonly attachments?: readonly string[];
}

export interface PersonError {
  readonly code: string;
  readonly message: string;
}

/** The thread as it will be once it has begun, for the hooks of its first message. */
export function provisional(
  command: Extract<ThreadCommand, { type: 'thread.start' }>,
  config: ThreadConfig,
): Result<ThreadRunState, PersonError> {
  let ids = 0;
  const context = { now: 0, newId: (prefix: string) => `${prefix}_${++ids}` };
  const decision = decideThread(NEW_THREAD, command, config, context);
  return decision.ok ? ok(decision.events.reduce(projectThread, NEW_THREAD)) : fail(decision.error);
}

/** What a person says, as it is stored: without secrets, and past the hooks. */
export async function newMessage(
  parts: DriveParts,
  state: ThreadRunState,
  { id: command = randomUUID(), text, attachments = [] }: Said,
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
      ...(extra === undefined ? {} : { extra: hooks.mask().value(extra) }),
    },
    effects: hasEffects ? effects : null,
  });
}
