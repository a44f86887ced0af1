import { guard, guarded } from '@cuebook/guard';
import type { Prompt, RedactionKind } from './block.js';
import { type ComposeInput, compose } from './compose.js';
import { breakTokens } from './neutral.js';
import { decodedOrigin } from './origin.js';
import type { JsonValue } from './redact/leak-context.js';
import type { Redactor } from './redact/redactor.js';
import { mapStrings } from './redact/value.js';
import type { Refusal } from './refusal.js';
import { fail, ok, type Result } from './result.js';
import type { SpanSource } from './span-map.js';
import { showInvisible } from './visible.js';

/** A tool as a model is told of it. */
export interface OfferedTool {
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
  readonly tools: readonly OfferedTool[];
  readonly params: Readonly<Record<string, unknown>>;
  /** What kinds of things were taken out of tools and parameters, sorted. The prompt has its own list. */
  readonly removed: readonly RedactionKind[];
  readonly sources?: BesideSources;
}

/**
 * Where tools and parameters come from, by JSON pointer: `/tools/0`, `/tools/0/description`, `/params/temperature`.
 * What has no entry comes from where the nearest thing around it does. Nothing of it is sent.
 */
export type BesideSources = Readonly<Record<string, SpanSource>>;

export interface RequestInput extends ComposeInput {
  readonly tools?: readonly OfferedTool[];
  readonly params?: Readonly<Record<string, unknown>>;
  readonly sources?: BesideSources | undefined;
}

/** `compose` for all that reaches a provider. Tools and parameters pass the same redactor and the same last look. */
export function composeRequest(input: RequestInput): Result<GatedRequest, readonly Refusal[]> {
  const prompt = compose(input);
  const { tools = [], params = {}, sources, redactor, memo } = input;
  const value = { tools, params } as unknown as JsonValue;
  const gate = (each: JsonValue): BesideGated => gateBeside(each, redactor);
  const beside = memo === undefined ? gate(value) : memo.beside(value, redactor, gate);
  if (!prompt.ok || !beside.ok)
    return fail([...(prompt.ok ? [] : prompt.error), ...(beside.ok ? [] : beside.error)]);
  const { isSlice, ...gatedBeside } = beside.value;
  return ok({
    prompt: prompt.value,
    ...gatedBeside,
    ...(sources && { sources: isSlice ? sources : decodedSources(sources) }),
  } as unknown as GatedRequest);
}

/** Words that a gate has changed are slices of their files no more. */
const decodedSources = (sources: BesideSources): BesideSources =>
  Object.fromEntries(
    Object.entries(sources).map(([at, source]) => [at, { ...source, origin: decodedOrigin(source.origin) }]),
  );

interface Beside extends Pick<GatedRequest, 'tools' | 'params' | 'removed'> {
  /** All of it is as it was given. */
  readonly isSlice: boolean;
}
type BesideGated = Result<Beside, readonly Refusal[]>;

function gateBeside(given: JsonValue, redactor: Redactor): BesideGated {
  const { value, kinds } = showTools(redactor.redactValue(given), redactor);
  const refusals = leaksBeside(value, redactor);
  if (refusals.length > 0) return fail(refusals);
  const shown = value as unknown as Pick<GatedRequest, 'tools' | 'params'>;
  const told = { tools: shown.tools.map((tool) => mapWords(tool, breakTokens)), params: shown.params };
  return ok({ ...told, removed: kinds, isSlice: JSON.stringify(told) === JSON.stringify(given) });
}

type Redacted = ReturnType<Redactor['redactValue']>;

/** What hides in the words of tools is shown, and they are cleaned once more where that changed how they read. */
function showTools({ value, kinds }: Redacted, redactor: Redactor): Redacted {
  const { tools, params } = value as unknown as Pick<GatedRequest, 'tools' | 'params'>;
  const shown = tools.map((tool) => mapWords(tool, showInvisible));
  if (JSON.stringify(shown) === JSON.stringify(tools)) return { value, kinds };
  const again = redactor.redactValue({ tools: shown, params } as unknown as JsonValue);
  return { value: again.value, kinds: [...new Set([...kinds, ...again.kinds])].sort() };
}

/**
 * A tool with its words rewritten, its name kept. Whoever wrote them, a stranger's server included: nothing hides in
 * them, and no chat-template token stands whole.
 */
function mapWords(tool: OfferedTool, rewrite: (text: string) => string): OfferedTool {
  const { name, ...words } = tool;
  const rewritten = (told: Omit<OfferedTool, 'name'>) =>
    mapStrings(told as unknown as JsonValue, rewrite) as typeof told;
  return { name, ...guarded('request.tools', rewritten, words) };
}

function leaksBeside(value: JsonValue, redactor: Redactor): readonly Refusal[] {
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
