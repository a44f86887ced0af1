import type { JsonValue } from '@cuebook/prompt';
import type { Message } from '../run/message.js';
import { changingMessage, extraOf, type HookMessage, isRecord, wordsOf } from './hook-message.js';
import type { HookRun } from './hooks.js';

export interface CallFacts {
  readonly id: string;
  readonly name: string;
  readonly args: JsonValue;
  readonly text: string;
  readonly isError: boolean;
}

export interface SeenResult {
  readonly text: string;
  readonly isError: boolean;
  readonly removed?: true;
  readonly extra?: Message['extra'];
}

/**
 * The hooks of one result, in their order: `after_tool_call_success` or `after_tool_call_failure`, which may take
 * the call out of the history, `before_store_tool_result`, and those of the message that it becomes.
 */
export async function hookResult(
  { id, name, args, text, isError }: CallFacts,
  hooks: HookRun,
): Promise<SeenResult> {
  const call = { id, name, args };
  const mask = (): ReturnType<HookRun['mask']> => hooks.mask();
  const kind = isError ? 'after_tool_call_failure' : 'after_tool_call_success';
  const first: Kept = {
    result: isError ? { status: 'error', error: text } : { status: 'success', result: text },
  };
  const told = await hooks.change<Kept>(kind, first, {
    args: ({ result }) => [call, result],
    accept: (answer, kept) => (answer === null ? { ...kept, removed: true } : acceptResult(answer, kept)),
  });
  if (told.removed) return { text, isError, removed: true };
  const { result } = await hooks.change<Kept>('before_store_tool_result', told, {
    args: (kept) => [call, kept.result],
    accept: acceptResult,
  });
  const failed = result.status === 'error';
  const words = mask().text((failed ? result.error : result.result) ?? '');
  const message: HookMessage = {
    role: 'tool',
    name,
    content: words,
    toolCallId: id,
    status: failed ? 'error' : 'success',
  };
  const stored = await hooks.change('before_create_message', message, changingMessage);
  await hooks.tell('after_create_message', [stored]);
  const extra = extraOf(stored);
  return {
    text: mask().text(wordsOf(stored)),
    isError: failed,
    ...(extra === undefined ? {} : { extra: mask().value(extra) }),
  };
}

interface Kept {
  readonly result: {
    readonly status: 'success' | 'error';
    readonly result?: string;
    readonly error?: string;
  };
  readonly removed?: boolean;
}

function acceptResult(answer: JsonValue, kept: Kept): Kept | undefined {
  if (!isRecord(answer)) return undefined;
  const { status = kept.result.status, result, error } = answer;
  if (status !== 'success' && status !== 'error') return undefined;
  const text = status === 'error' ? (error ?? kept.result.error) : (result ?? kept.result.result);
  if (text !== undefined && typeof text !== 'string') return undefined;
  return { result: { status, ...(status === 'error' ? { error: text ?? '' } : { result: text ?? '' }) } };
}
