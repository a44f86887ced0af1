import type { HookName, PromptName } from './names.js';
import type { Env, VariableDefinition } from './variable.js';

/** A tool whose call ends or reports a session. */
export type SessionTool =
  | string
  | { readonly name: string; readonly messageProperty?: string; readonly attachmentsProperty?: string };

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
type Sides =
  | { readonly type?: 'ai_human'; readonly sideB?: undefined }
  | { readonly type: 'dual_ai'; readonly sideB: SideConfig };

/** An exposed agent may stand in the `tools` of prompts, and then needs a description. */
type Exposure =
  | { readonly exposeAsTool?: false; readonly toolDescription?: string }
  | { readonly exposeAsTool: true; readonly toolDescription: string };

export type AgentDefinition<Name extends string = string> = AgentFacts<Name> & Sides & Exposure;
