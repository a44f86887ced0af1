import type { Prompt, RedactionKind } from './block.js';
import { type ComposeInput, compose } from './compose.js';
import { guard } from './guard.js';
import type { JsonValue } from './redact/leak-context.js';
import type { Redactor } from './redact/redactor.js';
import type { Refusal } from './refusal.js';
import { fail, ok, type Result } from './result.js';

/** A tool as a model is told of it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string | undefined;
  /** JSON Schema of the arguments. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

declare const gated: unique symbol;

/**
 * Everything that one turn tells a provider: blocks, tools and parameters, all composed, redacted and gated.
 * Only `composeRequest` makes one, and providers take nothing else: there is one way to a model.
 */
export interface GatedRequest {
  readonly [gated]: true;
  readonly prompt: Prompt;
  readonly tools: readonly ToolDefinition[];
  readonly params: Readonly<Record<string, unknown>>;
  /** What kinds of things were taken out of tools and parameters, sorted. The prompt has its own list. */
  readonly removed: readonly RedactionKind[];
}

export interface RequestInput extends ComposeInput {
  readonly tools?: readonly ToolDefinition[];
  readonly params?: Readonly<Record<string, unknown>>;
}

/** `compose` for all that reaches a provider. Tools and parameters pass the same redactor and the same last look. */
export function composeRequest(input: RequestInput): Result<GatedRequest, readonly Refusal[]> {
  const prompt = compose(input);
  const { tools = [], params = {}, redactor } = input;
  const { value, kinds } = redactor.redactValue({ tools, params } as unknown as JsonValue);
  const refusals = [...(prompt.ok ? [] : prompt.error), ...gateBeside(value, redactor)];
  if (!prompt.ok || refusals.length > 0) return fail(refusals);
  const clean = value as unknown as Pick<GatedRequest, 'tools' | 'params'>;
  return ok({ prompt: prompt.value, ...clean, removed: kinds } as GatedRequest);
}

function gateBeside(value: JsonValue, redactor: Redactor): readonly Refusal[] {
  const leaks = redactor.leaks(JSON.stringify(value));
  if (!guard('gate.beside', leaks.length > 0)) return [];
  const kinds = new Set(leaks.map(({ kind }) => kind));
  return [...kinds].map(
    (kind): Refusal => ({
      code: 'E_PROMPT_LEAK',
      block: 'tools and parameters',
      start: 0,
      end: 0,
      origin: { kind: 'structure', ref: 'tools and parameters' },
      kind,
    }),
  );
}
