import type { ThreadState } from './tool.js';

/** What each kind of hook gets after the state. */
export interface HookArguments {
  readonly after_thread_created: [];
  readonly after_subagent_created: [child: ThreadState];
  readonly after_system_message: [text: string];
  readonly filter_messages: [messages: readonly unknown[]];
  readonly prefilter_llm_history: [messages: readonly unknown[]];
  readonly before_create_message: [message: Readonly<Record<string, unknown>>];
  readonly after_create_message: [message: Readonly<Record<string, unknown>>];
  readonly before_update_message: [id: string, updates: Readonly<Record<string, unknown>>];
  readonly after_update_message: [message: Readonly<Record<string, unknown>>];
  readonly before_store_tool_result: [call: HookToolCall, result: HookToolResult];
  readonly after_tool_call_success: [call: HookToolCall, result: HookToolResult];
  readonly after_tool_call_failure: [call: HookToolCall, result: HookToolResult];
}

export interface HookToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
}

export interface HookToolResult {
  readonly status: 'success' | 'error';
  readonly result?: string;
  readonly error?: string;
}

export type HookKind = keyof HookArguments;

/** Every kind of hook, in the order in which one step meets them. */
export const HOOK_KINDS = [
  'after_thread_created',
  'after_subagent_created',
  'after_system_message',
  'filter_messages',
  'prefilter_llm_history',
  'before_create_message',
  'after_create_message',
  'before_update_message',
  'after_update_message',
  'before_store_tool_result',
  'after_tool_call_success',
  'after_tool_call_failure',
] as const satisfies readonly HookKind[];

/** Code that runs at one point of a thread. Nothing returned leaves the data as it is. */
export interface HookDefinition<Kind extends HookKind = HookKind, Id extends string = string> {
  readonly hook: Kind;
  readonly id: Id;
  execute(state: ThreadState, ...args: HookArguments[Kind]): unknown;
}
