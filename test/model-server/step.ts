import type { RecordedRequest } from './request.js';

/** What the model says to one request. Left out: nothing of that kind. */
export interface Step {
  readonly text?: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  /** How many deltas text, reasoning and arguments are cut into; 3 unless told. */
  readonly chunks?: number;
  /** Answered instead of a message. */
  readonly error?: ScriptedError;
  /** How many requests this step answers; 1 unless told. */
  readonly times?: number;
  /** The connection is cut after the text. */
  readonly drop?: boolean;
  /** Nothing follows the text, and the connection stays open. */
  readonly hang?: boolean;
  /** An error inside the stream, after the text. */
  readonly streamError?: { readonly type?: string; readonly message: string };
  readonly usage?: Partial<ScriptedUsage>;
  /** Why the model stopped; left out: `stop`, or `tool-calls` when there are some. */
  readonly stop?: 'stop' | 'length' | 'context-window' | 'content-filter';
  /** The model that answers, as the API names it; left out: the one that was asked. */
  readonly model?: string;
  /** The body as it is, with status 200 and the content type of a stream. */
  readonly raw?: string | readonly string[];
}

/** A call of a tool. `args` for a function; `input` for a custom tool that takes text. */
export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  readonly args?: unknown;
  readonly input?: string;
  /** Where a client groups its tools: `mcp__server`. */
  readonly namespace?: string;
}

export interface ScriptedError {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body; left out: what the real API would say. */
  readonly body?: unknown;
}

export interface ScriptedUsage {
  /** All of the input, the cached part included. */
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly cacheWrite: number;
  /** Part of the output. */
  readonly reasoning: number;
}

/** A step, or what to say once the request is known. */
export type ScriptedStep = Step | ((request: RecordedRequest) => Step | Promise<Step>);

export const usageOf = (step: Step): ScriptedUsage => ({
  input: 100,
  output: 20,
  cached: 0,
  cacheWrite: 0,
  reasoning: 0,
  ...step.usage,
});

/** A text in about as many parts as the step asks for; characters are never cut in two. */
export function cut(text: string, step: Step): readonly string[] {
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / (step.chunks ?? 3)));
  const parts: string[] = [];
  for (let at = 0; at < characters.length; at += size) parts.push(characters.slice(at, at + size).join(''));
  return parts;
}

/** The arguments of a call as the model writes them. A string is taken as it is, so that bad JSON can be said. */
export const argumentsOf = (call: ScriptedCall): string =>
  typeof call.args === 'string' ? call.args : JSON.stringify(call.args ?? {});
