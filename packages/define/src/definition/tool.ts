import type { z } from 'zod';
import type { Parsed, ToolArgs } from './prompt.js';
import type { VariableDefinition } from './variable.js';

/** What a tool or hook knows of the thread it runs in. */
export interface ThreadState {
  readonly threadId: string;
  readonly agent: string | undefined;
  readonly prompt: string;
  /** The value of a variable, by the layers; throws when none has it. */
  env(name: string): string;
  envType(name: string): 'text' | 'secret' | undefined;
  /** Writes the thread's own layer. */
  setEnv(name: string, value: string, options?: { readonly type?: 'text' | 'secret' }): Promise<void>;
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
  readonly approval?:
    | 'always'
    | 'never'
    | ((args: z.infer<Args>) => boolean | string | Promise<boolean | string>);
  execute(state: ThreadState, args: z.infer<Args>): ToolResult | Promise<ToolResult>;
}

/** The arguments that a tool's `execute` gets; never for one that takes none. */
export type ToolInput<Definition extends { readonly args?: ToolArgs }> = Parsed<
  Exclude<Definition['args'], undefined>
>;
