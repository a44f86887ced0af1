// For editors, where @cuebook/define is not installed.
type Args = { readonly _output: object };
type Env = Record<string, string>;
type Parsed<S> = [S] extends [never] ? never : S extends { readonly _output: infer Value } ? Value : never;

export interface Variable {
  name: string;
  type: 'text' | 'secret';
  required: boolean;
  description: string;
  scoped?: boolean;
}
export type Part =
  | { type: 'text'; content: string }
  | { type: 'include'; prompt: string }
  | { type: 'env'; property: string };
export interface Tool {
  name: string;
  env?: Env;
  options?: Record<string, unknown>;
  includeTextResponse?: boolean;
  includeToolCalls?: boolean;
  includeErrors?: boolean;
  initUserMessageProperty?: string;
  initAttachmentsProperty?: string;
  initAgentNameProperty?: string;
  maxSteps?: number;
  blocking?: boolean;
  immediate?: boolean | { nameEnv?: string; descriptionEnv?: string; scopedEnv?: string[] };
  optional?: string;
  resumable?:
    | false
    | {
        receives_messages: 'side_a' | 'side_b';
        maxInstances?: number;
        parentCommunication?: 'implicit' | 'explicit';
      };
}
export interface PromptDefinition<N extends string = string, S extends Args = Args> {
  name: N;
  toolDescription: string;
  prompt: string | Part[];
  model: string;
  includeChat?: boolean;
  includePastTools?: boolean;
  parallelToolCalls?: boolean;
  toolChoice?: 'auto' | 'none' | 'required';
  requiredSchema?: S;
  tools?: (string | Tool)[];
  variables?: Variable[];
  env?: Env;
  reasoning?: {
    effort?: 'low' | 'medium' | 'high';
    maxTokens?: number;
    exclude?: boolean;
    include?: boolean;
  };
  recentImageThreshold?: number;
  hooks?: string[];
}
export type PromptInput<T extends { requiredSchema?: Args }> = Parsed<
  Exclude<T['requiredSchema'], undefined>
>;
export function definePrompt<N extends string, S extends Args = never>(
  definition: PromptDefinition<N, S>,
): PromptDefinition<N, S>;

export interface ThreadState {
  readonly threadId: string;
  readonly agent: string | undefined;
  readonly prompt: string;
  env(name: string): string;
  envType(name: string): 'text' | 'secret' | undefined;
  setEnv(name: string, value: string, options?: { type?: 'text' | 'secret' }): Promise<void>;
  readonly options: Readonly<Record<string, unknown>>;
  notifyParent(message: string): Promise<void>;
  readonly signal: AbortSignal;
}
export interface ToolResult {
  status: 'success' | 'error';
  result?: string;
  error?: string;
  attachments?: string[];
}
export interface ToolDefinition<A extends Args = Args> {
  description: string;
  args?: A;
  variables?: Variable[];
  idempotent?: boolean;
  execute(state: ThreadState, args: Parsed<A>): ToolResult | Promise<ToolResult>;
}
export function defineTool<A extends Args = never>(definition: ToolDefinition<A>): ToolDefinition<A>;

export interface ModelDefinition {
  name: string;
  provider: string | ((...args: never[]) => unknown);
  model: string;
  fallbacks?: string[];
  includedProviders?: string[];
  inputPrice?: number;
  outputPrice?: number;
  cachedPrice?: number;
  capabilities?: {
    vision?: boolean;
    reasoning?: boolean;
    toolCalls?: boolean;
    contextLength?: number;
    maxOutputTokens?: number;
  };
  providerOptions?: Record<string, unknown>;
  providerTools?: string[];
}
export function defineModel(definition: ModelDefinition): ModelDefinition;

type SessionTool = string | { name: string; messageProperty?: string; attachmentsProperty?: string };
export interface Side {
  prompt: string;
  label?: string;
  stopOnResponse?: boolean;
  stopTool?: string;
  stopToolResponseProperty?: string;
  maxSteps?: number;
  sessionStop?: SessionTool;
  sessionFail?: SessionTool;
  sessionStatus?: SessionTool;
}
export type AgentDefinition = {
  name: string;
  sideA: Side;
  maxSessionTurns?: number;
  title?: string;
  description?: string;
  icon?: string;
  env?: Env;
  variables?: Variable[];
  hooks?: string[];
} & ({ type?: 'ai_human'; sideB?: undefined } | { type: 'dual_ai'; sideB: Side }) &
  ({ exposeAsTool?: false; toolDescription?: string } | { exposeAsTool: true; toolDescription: string });
export function defineAgent(definition: AgentDefinition): AgentDefinition;

type Message = Readonly<Record<string, unknown>>;
type ToolCall = { id: string; name: string; args: unknown };
export interface HookArguments {
  after_thread_created: [];
  after_subagent_created: [child: ThreadState];
  after_system_message: [text: string];
  filter_messages: [messages: readonly unknown[]];
  prefilter_llm_history: [messages: readonly unknown[]];
  before_create_message: [message: Message];
  after_create_message: [message: Message];
  before_update_message: [id: string, updates: Message];
  after_update_message: [message: Message];
  before_store_tool_result: [call: ToolCall, result: ToolResult];
  after_tool_call_success: [call: ToolCall, result: ToolResult];
  after_tool_call_failure: [call: ToolCall, result: ToolResult];
}
export interface HookDefinition<K extends keyof HookArguments> {
  hook: K;
  id: string;
  execute(state: ThreadState, ...args: HookArguments[K]): unknown;
}
export function defineHook<K extends keyof HookArguments>(definition: HookDefinition<K>): HookDefinition<K>;
