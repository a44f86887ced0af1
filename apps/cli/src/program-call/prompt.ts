import type { ComposedTarget } from '@cuebook/profile';
import { type Diagnostic, type OfferedTool, toMessages } from '@cuebook/prompt';
import type { z } from 'zod';
import { kindsOf, openBenchAt } from '../project/bench.js';
import { findProject } from '../project/find.js';
import { type CalledTarget, composeWith, requireTarget } from '../project/target.js';
import { type Away, eachText } from '../redact/told-json.js';
import {
  type AiSdkMessage,
  type AnthropicPrompt,
  type OpenAiMessage,
  toAiSdk,
  toAnthropic,
  toOpenAi,
  toolsForAnthropic,
  toolsForOpenAi,
} from './messages.js';
import { quietIo } from './quiet-io.js';
import { toldCall } from './told-call.js';

/**
 * What targets take, by name. `cuebook types` writes the targets of a project into it, so that their inputs are checked
 * where they are handed in; a target that is not among them takes anything.
 */
// biome-ignore lint/suspicious/noEmptyInterface: projects extend it
export interface Inputs {}

type AnyTarget = `${string}:${string}`;

/** What a target takes. */
export type TargetInput<Target extends string> = Target extends keyof Inputs
  ? Inputs[Target]
  : Readonly<Record<string, unknown>>;

/** What follows the target in a call: inputs may be left out where none is required. */
export type PromptArguments<Target extends string> =
  Record<never, never> extends TargetInput<Target>
    ? [input?: TargetInput<Target>, options?: PromptCall]
    : [input: TargetInput<Target>, options?: PromptCall];

/** An earlier message that a sheet takes where it has `history`. */
export type HistoryMessage =
  | { readonly role: 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly args: unknown }[];
    }
  | { readonly role: 'tool'; readonly content: string; readonly toolCallId: string };

export interface PromptCall {
  /** The project's folder; by default the nearest one above the working directory. */
  readonly project?: string;
  /** Variables of the environment; by default those of this process. What they hold of credentials is never sent. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A prompt that passed the gates: redacted, with nothing forged and nothing secret in it. */
export interface GatedPrompt {
  readonly target: string;
  /** The hash of its text. */
  readonly hash: string;
  /** All of it as one string. */
  readonly text: string;
  readonly messages: ReturnType<typeof toMessages>;
  readonly tools: readonly OfferedTool[];
  /** Model, temperature, limits and the like. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly warnings: readonly Diagnostic[];
  readonly aiSdk: () => { readonly messages: readonly AiSdkMessage[] };
  readonly openai: () => {
    readonly messages: readonly OpenAiMessage[];
    readonly tools?: ReturnType<typeof toolsForOpenAi>;
  };
  readonly anthropic: () => AnthropicPrompt & { readonly tools?: ReturnType<typeof toolsForAnthropic> };
  /** Sends it to a provider of the project and keeps a signed record of it. */
  ask<Schema extends z.ZodType>(
    options: AskOptions & { readonly schema: Schema },
  ): Promise<Answer<z.infer<Schema>>>;
  ask(options?: Omit<AskOptions, 'schema'>): Promise<Answer<undefined>>;
}

export interface AskOptions {
  /** By default that of the project, or the rehearsal. */
  readonly provider?: string;
  readonly model?: string;
  /** What the rehearsal says: the text of a script. */
  readonly script?: string;
  /** What the answer must be. One that does not fit is asked for once more. */
  readonly schema?: z.ZodType;
  readonly signal?: AbortSignal;
}

/** What a provider answered, and the run that is the record of it. */
export interface Answer<Value> {
  readonly text: string;
  /** The answer in the form of the schema. */
  readonly value: Value;
  readonly run: string;
}

/**
 * Renders a target of a project with inputs: composed, redacted by what is known of this machine, and gated. Inputs of a
 * sheet that are not texts are handed in as JSON. Throws an `Error` with a `code` and `diagnostics` for what must not be sent.
 */
export async function prompt<Target extends (keyof Inputs & string) | AnyTarget>(
  target: Target,
  ...[input, options = {}]: PromptArguments<Target>
): Promise<GatedPrompt> {
  const { env = process.env, project } = options;
  const cwd = process.cwd();
  const io = quietIo({ cwd, env });
  return toldCall(async (away) => {
    const folder = await findProject(cwd, project);
    const called = await requireTarget(await openBenchAt(folder, io, kindsOf(target)), target);
    const composed = await composeWith(called, inputFor(called, input as Readonly<Record<string, unknown>>));
    return gatedPrompt(called, composed, { folder, env, away });
  });
}

/** A sheet takes texts by name; every other kind what its schema says. */
function inputFor({ profile }: CalledTarget, input: Readonly<Record<string, unknown>> = {}): unknown {
  if (!('set' in profile.input.shape) || 'set' in input) return input;
  const set = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
  return { set: Object.fromEntries(set) };
}

interface Opened {
  readonly folder: string;
  readonly env: NonNullable<PromptCall['env']>;
  readonly away: Away;
}

function gatedPrompt(called: CalledTarget, composed: ComposedTarget, opened: Opened): GatedPrompt {
  const { prompt: gated, tools, params, meta, diagnostics } = composed;
  const { away } = opened;
  const messages = toMessages(gated);
  const ask = async (options: AskOptions = {}): Promise<Answer<undefined>> => {
    const { askOnce } = await import('./ask.js');
    return toldCall(() => askOnce(called, composed, options, opened)) as Promise<Answer<undefined>>;
  };
  return {
    target: away(called.text),
    hash: gated.hash,
    text: gated.text,
    messages,
    tools,
    params,
    ...(meta === undefined ? {} : { meta: eachText(meta, away) }),
    warnings: eachText(diagnostics, away),
    aiSdk: () => ({ messages: toAiSdk(messages) }),
    openai: () => ({
      messages: toOpenAi(messages),
      ...(tools.length === 0 ? {} : { tools: toolsForOpenAi(tools) }),
    }),
    anthropic: () => ({
      ...toAnthropic(messages),
      ...(tools.length === 0 ? {} : { tools: toolsForAnthropic(tools) }),
    }),
    ask: ask as GatedPrompt['ask'],
  };
}
