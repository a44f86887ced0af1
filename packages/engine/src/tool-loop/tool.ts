import type { JsonValue, Result } from '@cuebook/prompt';
import type { CrashPolicy } from '../machine.js';

/** What the loop must know of a tool to run it safely. What a model is told of it is elsewhere. */
export interface Tool {
  readonly name: string;
  /**
   * What is known of a call that was begun and has no outcome. `idempotent`: doing it twice is doing it once.
   * `observable`: its driver can see whether it was done. Left out: only a person can say.
   */
  readonly safety?: 'idempotent' | 'observable';
  /** May overlap with its parallel neighbours of the same answer. Left out: it runs alone, in its place. */
  readonly parallel?: boolean;
  /** `ask`: a person allows each call. `deny`: known, and never run. Left out: `allow`. */
  readonly policy?: 'allow' | 'ask' | 'deny';
  /** A tool that waits for something: so many equal answers in a row are no stall. */
  readonly poll?: number;
}

/** The tools of an agent and what keeps them in bounds. Every function is pure and gives the same answer again. */
export interface ToolRules {
  /** Every tool there is. */
  readonly tools: readonly Tool[];
  /** The names that this agent may call now; left out: all of them. */
  readonly allowed?: readonly string[];
  /** The names that the request told of, in its order: what another spelling can mean. Left out: what is allowed. */
  readonly offered?: readonly string[];
  /** How the request told them: as they are (`own`), or by names that every model API takes (`wire`). */
  readonly spelling?: 'own' | 'wire';
  /** The arguments as the tool takes them (defaults filled in), or what is wrong with them, naming the field. */
  readonly validate?: (tool: string, input: JsonValue) => Result<JsonValue, string>;
  /** A closer look at one call. It can make a tool's own policy stricter, never looser. */
  readonly permit?: (tool: string, input: JsonValue) => Permit;
  /** Calls of one answer that are looked at; the others are refused. */
  readonly maxCalls?: number;
  /** Calls that run at the same time. */
  readonly maxParallel?: number;
  /** UTF-8 bytes of a result that a model is told; the driver stores a longer one by reference. */
  readonly maxResultBytes?: number;
}

export type Permit =
  | { readonly kind: 'allow' }
  | { readonly kind: 'ask'; readonly reason?: string }
  | { readonly kind: 'deny'; readonly reason: string };

export const DEFAULT_MAX_CALLS = 32;
export const DEFAULT_MAX_PARALLEL = 8;
export const DEFAULT_MAX_RESULT_BYTES = 50_000;

/** What happens to a call that was begun and has no outcome after a crash. */
export function crashPolicyOf(tool: Pick<Tool, 'safety'>): CrashPolicy {
  if (tool.safety === 'idempotent') return 'repeat';
  return tool.safety === 'observable' ? 'ask-world' : 'ask-person';
}
