import type { z } from 'zod';
import type { CallableName, HookName, ModelName, PromptName } from './names.js';
import type { Env, VariableDefinition } from './variable.js';

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
  readonly immediate?:
    | boolean
    | { readonly nameEnv?: string; readonly descriptionEnv?: string; readonly scopedEnv?: readonly string[] };
  /** The variable that must be true, 1 or yes for the tool to be there. */
  readonly optional?: string;
  readonly resumable?:
    | false
    | {
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
export type PromptInput<Definition extends { readonly requiredSchema?: ToolArgs }> = Parsed<
  Exclude<Definition['requiredSchema'], undefined>
>;

/** What a schema makes of its input. */
export type Parsed<Schema> = [Schema] extends [never]
  ? never
  : Schema extends ToolArgs
    ? z.infer<Schema>
    : never;
