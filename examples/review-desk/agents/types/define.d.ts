// For editors, where @cuebook/define is not installed.
import type { z } from 'zod';
/** A tool whose call ends or reports a session. */
export type SessionTool = string | {
  readonly name: string;
  readonly messageProperty?: string;
  readonly attachmentsProperty?: string;
};
/** One side of a conversation that a prompt speaks for. */
export interface SideConfig {
  readonly prompt: PromptName;
  readonly label?: string;
  /** Text without a tool call ends the side's turn. True by default. */
  readonly stopOnResponse?: boolean;
  readonly stopTool?: string;
  readonly stopToolResponseProperty?: string;
  readonly maxSteps?: number;
  readonly sessionStop?: SessionTool;
  readonly sessionFail?: SessionTool;
  readonly sessionStatus?: SessionTool;
}
interface AgentFacts<Name extends string> {
  readonly name: Name;
  readonly sideA: SideConfig;
  readonly maxSessionTurns?: number;
  readonly title?: string;
  readonly description?: string;
  readonly icon?: string;
  readonly env?: Env;
  readonly variables?: readonly VariableDefinition[];
  readonly hooks?: readonly HookName[];
}
/** Two prompts that talk to each other, or one that talks to a person. */
type Sides = {
  readonly type?: 'ai_human';
  readonly sideB?: undefined;
} | {
  readonly type: 'dual_ai';
  readonly sideB: SideConfig;
};
/** An exposed agent may stand in the `tools` of prompts, and then needs a description. */
type Exposure = {
  readonly exposeAsTool?: false;
  readonly toolDescription?: string;
} | {
  readonly exposeAsTool: true;
  readonly toolDescription: string;
};
export type AgentDefinition<Name extends string = string> = AgentFacts<Name> & Sides & Exposure;
/** Defines a prompt: the default export of a file in `agents/prompts/`. */
export declare const definePrompt: <const Name extends string, Schema extends ToolArgs = never>(definition: PromptDefinition<Name, Schema>) => PromptDefinition<Name, Schema>;
/** Defines a tool: the default export of a file in `agents/tools/`, which gives it its name. */
export declare const defineTool: <Args extends ToolArgs = never>(definition: ToolDefinition<Args>) => ToolDefinition<Args>;
/** Defines a model: the default export of a file in `agents/models/`. */
export declare const defineModel: <const Name extends string>(definition: ModelDefinition<Name>) => ModelDefinition<Name>;
/** Defines an agent: the default export of a file in `agents/agents/`. */
export declare const defineAgent: <const Name extends string>(definition: AgentDefinition<Name>) => AgentDefinition<Name>;
/** Defines a hook: the default export of a file in `agents/hooks/`. */
export declare const defineHook: <Kind extends HookKind, const Id extends string>(definition: HookDefinition<Kind, Id>) => HookDefinition<Kind, Id>;
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
export declare const HOOK_KINDS: readonly ["after_thread_created", "after_subagent_created", "after_system_message", "filter_messages", "prefilter_llm_history", "before_create_message", "after_create_message", "before_update_message", "after_update_message", "before_store_tool_result", "after_tool_call_success", "after_tool_call_failure"];
/** Code that runs at one point of a thread. Nothing returned leaves the data as it is. */
export interface HookDefinition<Kind extends HookKind = HookKind, Id extends string = string> {
  readonly hook: Kind;
  readonly id: Id;
  execute(state: ThreadState, ...args: HookArguments[Kind]): unknown;
}
/** A model under a name of the project's own. */
export interface ModelDefinition<Name extends string = string> {
  readonly name: Name;
  /** A provider of `cuebook.yaml` by name, or a factory as the original takes it, told by its name. */
  readonly provider: string | ((...args: never[]) => unknown);
  /** The model's id at the provider. */
  readonly model: string;
  /** Models to try next, in order. */
  readonly fallbacks?: readonly ModelName[];
  /** Not used here: `check` says so. Route at the provider, in `cuebook.yaml`. */
  readonly includedProviders?: readonly string[];
  /** US dollars per million tokens. */
  readonly inputPrice?: number;
  readonly outputPrice?: number;
  readonly cachedPrice?: number;
  readonly capabilities?: ModelCapabilities;
  /** By vendor, handed on as they are. */
  readonly providerOptions?: Readonly<Record<string, unknown>>;
  /** Not used here: `check` says so. Tools are those of the prompt. */
  readonly providerTools?: readonly string[];
}
export interface ModelCapabilities {
  /** Without it images are left out of requests. Taken as true when nothing is said. */
  readonly vision?: boolean;
  /** False: it is not told how much to think. */
  readonly reasoning?: boolean;
  /** False: it is told of no tools. */
  readonly toolCalls?: boolean;
  /** Tokens of a whole request: the history of a thread is condensed to fit. 120,000 when nothing is said. */
  readonly contextLength?: number;
  /** The most tokens that an answer may have. */
  readonly maxOutputTokens?: number;
}
/**
 * The names of a project, for types that know them. Empty as it ships, and then every string is a name. A
 * project adds its own:
 *
 *   declare module '@cuebook/define' {
 *     interface Names { tool: 'search_docs'; model: 'conversational' }
 *   }
 *
 * From then on a wrong name is a type error.
 */
export interface Names {
}
type Named<Kind extends string> = Names extends Readonly<Record<Kind, infer Name extends string>> ? Name : string;
export type PromptName = Named<'prompt'>;
export type ModelName = Named<'model'>;
export type HookName = Named<'hook'>;
export type AgentName = Named<'agent'>;
/** What may stand in `tools`: a function tool, a sub-prompt, an agent, or an MCP server or a tool of it. */
export type CallableName = Names extends {
  readonly tool: string;
} ? Named<'tool'> | CalledPrompt | CalledAgent | `mcp.${string}` : string;
type CalledPrompt = Names extends {
  readonly prompt: infer Name extends string;
} ? Name : never;
type CalledAgent = Names extends {
  readonly agent: infer Name extends string;
} ? Name : never;
/** Text of a structured prompt. */
export interface PromptTextPart {
  readonly type: 'text';
  readonly content: string;
}
/** Another prompt's content, in this place. Only its `prompt` counts: not its tools, model, env or hooks. */
export interface PromptIncludePart {
  readonly type: 'include';
  readonly prompt: PromptName;
}
/** The value of a text variable, in this place. */
export interface PromptEnvPart {
  readonly type: 'env';
  readonly property: string;
}
export type PromptPart = PromptTextPart | PromptIncludePart | PromptEnvPart;
export type StructuredPrompt = readonly PromptPart[];
/** A string is text, whatever it looks like; a list is made of parts. */
export type PromptContent = string | StructuredPrompt;
/** A tool with values for its variables and static options; or `mcp.SERVER`, all tools of an MCP server, or one of them. */
export interface ToolConfig<Name extends string = CallableName> {
  readonly name: Name;
  readonly env?: Env;
  readonly options?: Readonly<Record<string, unknown>>;
  /** `always`: a person allows each call that this prompt makes. It takes nothing back of what the tool itself says. */
  readonly approval?: 'always' | 'never';
}
/** A prompt, or an `ai_human` agent to hand over to, used as a tool: what goes in and what comes back. */
export interface SubpromptConfig<Name extends string = CallableName> {
  readonly name: Name;
  /** True by default. */
  readonly includeTextResponse?: boolean;
  /** True by default. */
  readonly includeToolCalls?: boolean;
  /** True by default. */
  readonly includeErrors?: boolean;
  /** The argument that becomes the first user message. */
  readonly initUserMessageProperty?: string;
  /** The argument that holds a path, or a list of paths, of files to attach to it. */
  readonly initAttachmentsProperty?: string;
  /** More than the one step that a sub-prompt runs by default. */
  readonly maxSteps?: number;
}
/** A `dual_ai` agent used as a tool, in a thread of its own. */
export interface SubagentToolConfig<Name extends string = CallableName> {
  readonly name: Name;
  /** Whether the caller waits for the result. True by default. */
  readonly blocking?: boolean;
  readonly initUserMessageProperty?: string;
  readonly initAttachmentsProperty?: string;
  /** The argument that names the new instance. */
  readonly initAgentNameProperty?: string;
  /** Started before the first step, once, or once for each numbered group of variables. */
  readonly immediate?: boolean | {
    readonly nameEnv?: string;
    readonly descriptionEnv?: string;
    readonly scopedEnv?: readonly string[];
  };
  /** The variable that must be true, 1 or yes for the tool to be there. */
  readonly optional?: string;
  readonly resumable?: false | {
    readonly receives_messages: 'side_a' | 'side_b';
    /** Unlimited by default. */
    readonly maxInstances?: number;
    /** `implicit` by default. */
    readonly parentCommunication?: 'implicit' | 'explicit';
  };
}
export interface ReasoningConfig {
  readonly effort?: 'low' | 'medium' | 'high';
  readonly maxTokens?: number;
  /** Used, and not returned. */
  readonly exclude?: boolean;
  /** Kept in the history that later requests show. */
  readonly include?: boolean;
}
/** What a prompt takes when it is called as a tool: an object of named arguments. */
export type ToolArgs = z.ZodObject;
export interface PromptDefinition<Name extends string = string, Schema extends ToolArgs = ToolArgs> {
  readonly name: Name;
  /** What a model reads when the prompt is one of its tools. */
  readonly toolDescription: string;
  readonly prompt: PromptContent;
  readonly model: ModelName;
  /** Earlier turns of the chat. The current turn is always there. False by default. */
  readonly includeChat?: boolean;
  /** Tool calls and results of earlier turns. False by default. */
  readonly includePastTools?: boolean;
  /** False by default. */
  readonly parallelToolCalls?: boolean;
  /** `auto` by default. */
  readonly toolChoice?: 'auto' | 'none' | 'required';
  readonly requiredSchema?: Schema;
  readonly tools?: readonly (CallableName | ToolConfig | SubpromptConfig | SubagentToolConfig)[];
  readonly variables?: readonly VariableDefinition[];
  /** Values of the lowest layer: every other layer goes before them. */
  readonly env?: Env;
  readonly reasoning?: ReasoningConfig;
  /** Images in this many of the newest messages are sent as images. 10 by default. */
  readonly recentImageThreshold?: number;
  /** How freely the model chooses its words, from 0 to 2. Left out: as the provider has it. */
  readonly temperature?: number;
  /** The most tokens of an answer; never more than the model gives. */
  readonly maxOutputTokens?: number;
  /** Only these hooks run; an empty list runs none. Left out: those of the agent. */
  readonly hooks?: readonly HookName[];
}
/** The arguments that a prompt takes, from its `requiredSchema`; never for one without. */
export type PromptInput<Definition extends {
  readonly requiredSchema?: ToolArgs;
}> = Parsed<Exclude<Definition['requiredSchema'], undefined>>;
/** What a schema makes of its input. */
export type Parsed<Schema> = [Schema] extends [never] ? never : Schema extends ToolArgs ? z.infer<Schema> : never;
/** What a tool or hook knows of the thread it runs in. */
export interface ThreadState {
  readonly threadId: string;
  readonly agent: string | undefined;
  readonly prompt: string;
  /** The value of a variable, by the layers; throws when none has it. */
  env(name: string): string;
  envType(name: string): 'text' | 'secret' | undefined;
  /** Writes the thread's own layer. */
  setEnv(name: string, value: string, options?: {
    readonly type?: 'text' | 'secret';
  }): Promise<void>;
  /** The static options of this tool, from the prompt that lists it. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Tells the parent thread something, from a subagent. */
  notifyParent(message: string): Promise<void>;
  /** Ends the work when the turn ends. */
  readonly signal: AbortSignal;
}
/** What a tool answers. A thrown error is an error result. */
export interface ToolResult {
  readonly status: 'success' | 'error';
  readonly result?: string;
  readonly error?: string;
  /** Paths of files of the thread. */
  readonly attachments?: readonly string[];
}
/** A function that models call. Its name is that of its file. */
export interface ToolDefinition<Args extends ToolArgs = ToolArgs> {
  readonly description: string;
  /** Arguments are validated, and `execute` gets the parsed ones. Left out: it takes none. */
  readonly args?: Args;
  readonly variables?: readonly VariableDefinition[];
  /** Whether an interrupted call may run again. False by default: then somebody is asked. */
  readonly idempotent?: boolean;
  /**
   * Whether a person allows a call before it runs. A function is given the parsed arguments: true asks, and so does a
   * text, which the person reads as the reason; false does not. One that fails asks. `never` by default.
   */
  readonly approval?: 'always' | 'never' | ((args: z.infer<Args>) => boolean | string | Promise<boolean | string>);
  execute(state: ThreadState, args: z.infer<Args>): ToolResult | Promise<ToolResult>;
}
/** The arguments that a tool's `execute` gets; never for one that takes none. */
export type ToolInput<Definition extends {
  readonly args?: ToolArgs;
}> = Parsed<Exclude<Definition['args'], undefined>>;
/** A value that a prompt, a tool or an agent needs from its environment. */
export interface VariableDefinition {
  readonly name: string;
  /** `text` may stand in prompts; `secret` is for tools alone and never reaches a model. */
  readonly type: 'text' | 'secret';
  /** Without a value in any layer nothing that needs it runs. */
  readonly required: boolean;
  readonly description: string;
  /** Not inherited from a parent thread. False by default. */
  readonly scoped?: boolean;
}
/** Values by variable name. */
export type Env = Readonly<Record<string, string>>;
