import type { JsonValue, Piece } from '@cuebook/prompt';
import type { HookKind } from '../definition/hook.js';
import type { Catalog } from '../load/catalog.js';
import type { KeptProject } from '../load/project.js';

/**
 * A project whose functions can be called. They run in a process of their own, all in the same one, so that modules
 * keep their state between calls and asynchronous calls overlap. Nothing rejects: whatever the code of a project
 * does is an answer.
 *
 * A call that is given up makes the process take no new calls: the next ones get a new process, those beside it
 * finish where they are. A call that holds the process itself, such as an endless loop, and one that ends it, such
 * as `process.exit` or running out of memory, also end the calls beside it: they answer `stopped`, reason `exit`.
 * A call that had not begun by then runs in the new process.
 */
export interface LiveProject {
  readonly catalog: Catalog;
  /**
   * What a schema makes of arguments, or what is wrong with them. Where that is not JSON, such as a date, it is the
   * arguments as given: `callTool` parses for itself.
   */
  check(of: Callee, args: JsonValue): Promise<ArgsCheck>;
  /**
   * Whether a person is to allow a call of a tool with these arguments. A function of the tool that fails, answers
   * neither yes nor no, or does not answer in time asks.
   */
  approval(tool: string, args: JsonValue): Promise<ApprovalNeed>;
  /** Parses the arguments, then runs a tool's `execute`. */
  callTool(call: LiveToolCall): Promise<LiveToolAnswer>;
  /** Runs one hook. `undefined` when it returned nothing. */
  callHook(call: HookCall): Promise<HookAnswer>;
  /** The texts that stand in the code of a hook, in its own file and in those of the project that it imports. */
  written(hook: string): Promise<readonly Piece[]>;
  /** The project as it was opened. Opened again with it, it is the same, whatever has become of its files. */
  kept(): KeptProject;
  close(): Promise<void>;
}

/** Whose schema: the `args` of a tool, the `requiredSchema` of a prompt. */
export interface Callee {
  readonly kind: 'tool' | 'prompt';
  readonly name: string;
}

export type ArgsCheck =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problems: readonly { readonly path: string; readonly message: string }[] };

export type ApprovalNeed =
  | { readonly ask: false }
  /** `reason`: what the person reads, where the tool gives one. */
  | { readonly ask: true; readonly reason?: string };

/** What the function sees of its thread: `ThreadState`, answered from here over the thread's boundary. */
export interface StateView {
  readonly threadId: string;
  readonly agent: string | undefined;
  readonly prompt: string;
  readonly options: Readonly<Record<string, JsonValue>>;
  /** All variables that the function may read, resolved by the layers. */
  readonly env: Readonly<Record<string, { readonly value: string; readonly type: 'text' | 'secret' }>>;
  /** Without a type from the function it is that of the variable now, else as declared, else secret. */
  setEnv(name: string, value: string, type: 'text' | 'secret'): Promise<void>;
  notifyParent(message: string): Promise<void>;
}

export interface LiveToolCall {
  readonly tool: string;
  readonly args: JsonValue;
  readonly state: StateView;
  /** Aborted, the function has one second to come to an answer of its own. */
  readonly signal: AbortSignal;
  /** From when the function begins; loading its file is not counted. */
  readonly timeoutMs: number;
}

export type LiveToolAnswer =
  | {
      readonly kind: 'invalid';
      readonly problems: readonly { readonly path: string; readonly message: string }[];
    }
  | { readonly kind: 'success'; readonly text: string; readonly attachments: readonly string[] }
  | { readonly kind: 'error'; readonly text: string; readonly attachments: readonly string[] }
  /** It did not come to an answer: it hung, ended its process, or was cut off. Whether it acted is not known. */
  | { readonly kind: 'stopped'; readonly reason: 'timeout' | 'exit' | 'aborted'; readonly text: string };

export interface HookCall {
  readonly hook: string;
  readonly kind: HookKind;
  readonly args: readonly JsonValue[];
  readonly state: StateView;
  /** The child's state, which `after_subagent_created` gets before `args`. */
  readonly child?: StateView;
  readonly timeoutMs: number;
}

export type HookAnswer =
  | { readonly kind: 'value'; readonly value: JsonValue | undefined }
  | {
      readonly kind: 'failed';
      readonly reason: 'throw' | 'timeout' | 'exit' | 'not-json';
      readonly text: string;
    };
