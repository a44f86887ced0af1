import { composeStep, type LiveProject, type StepMessage } from '@cuebook/define';
import {
  type ComposedTarget,
  composeTarget,
  parseTarget,
  requireProfile,
  type TargetResult,
} from '@cuebook/profile';
import { composeRequest, type Diagnostic, describeRefusal, type JsonValue } from '@cuebook/prompt';
import { composeAsRun, isDefinition } from '@cuebook/thread';
import { saidFirst } from '../mcp/arguments.js';
import type { Bench } from '../project/bench.js';
import type { Said, TestCase } from './case-file.js';

/** What composing cases needs. */
export interface CaseBench {
  /** The bench and the target as it is named there: those of a workflow are its own. */
  readonly benchFor: (target: string) => Promise<{ readonly bench: Bench; readonly text: string }>;
  /** The project with its functions, opened when a case first needs it. */
  readonly live: () => Promise<LiveProject>;
}

/** The request of a case: as `render` composes it, with a conversation before it where the case has one. */
export async function composeCase(desk: CaseBench, test: TestCase): Promise<TargetResult> {
  const { bench, text } = await desk.benchFor(test.target);
  const input = await inputOf(desk, test);
  if ('refused' in input) return { ok: false, diagnostics: input.refused };
  const strange = strangeInput(bench, text, input.value);
  if (strange !== undefined) return { ok: false, diagnostics: refused(strange).refused };
  const composed = await composeTarget(bench, text, input.value);
  if (!composed.ok) return composed;
  if (test.conversation === undefined) {
    const found = requireProfile(bench.profiles, text);
    return found.ok && isDefinition(found)
      ? composeAsRun({ ...found, bench }, composed.value, input.value)
      : composed;
  }
  return withConversation(desk, bench, composed.value, { test, input: input.value ?? {} });
}

type Input = Readonly<Record<string, JsonValue>>;

/** A profile passes over input that it does not know; in a case that is a mistake. */
function strangeInput({ profiles }: Bench, target: string, input: Input = {}): string | undefined {
  const found = requireProfile(profiles, target);
  if (!found.ok) return undefined;
  const known = Object.keys(found.profile.input.shape);
  const strange = Object.keys(input).find((key) => !known.includes(key));
  if (strange === undefined) return undefined;
  return `${target} takes no ${strange}; it takes ${known.join(', ') || 'nothing'}`;
}

/** The input as the target's profile takes it; undefined when the case gives none. */
async function inputOf(
  { live }: CaseBench,
  { target, input, args, env, with: more }: TestCase,
): Promise<{ readonly value: Input | undefined } | { readonly refused: readonly Diagnostic[] }> {
  const given: Record<string, JsonValue> = {
    ...more,
    ...(env && { env: { ...(more?.env as object), ...env } }),
  };
  if (input !== undefined) given.input = input;
  if (args !== undefined) {
    const said = await saidWith(await live(), target, args);
    if ('refused' in said) return said;
    if (said.text !== undefined) given.input = said.text;
  }
  return { value: Object.keys(given).length === 0 && args === undefined ? undefined : given };
}

/** What a prompt that is called with arguments is told first. */
async function saidWith(
  project: LiveProject,
  target: string,
  args: Input,
): Promise<{ readonly text: string | undefined } | { readonly refused: readonly Diagnostic[] }> {
  const { prefix, name = '' } = parseTarget(target) ?? {};
  const schema = project.catalog.prompts.get(name)?.data.requiredSchema;
  if (prefix !== 'prompt' || schema === undefined) {
    return refused(`${target} takes no args: only a prompt with a requiredSchema does`);
  }
  const checked = await project.check({ kind: 'prompt', name }, args);
  if (!checked.ok)
    return refused(checked.problems.map(({ path, message }) => `${path}: ${message}`).join('; '));
  return { text: saidFirst(schema, checked.value as Input) };
}

const refused = (message: string): { readonly refused: readonly Diagnostic[] } => ({
  refused: [{ code: 'E_INPUT', severity: 'error', message }],
});

interface Talk {
  readonly test: TestCase;
  readonly input: Input;
}

/** The same step of a definition in the middle of a conversation, through the same gates. */
async function withConversation(
  { live }: CaseBench,
  { hash, redactor }: Bench,
  composed: ComposedTarget,
  { test, input }: Talk,
): Promise<TargetResult> {
  const { catalog } = await live();
  const { prefix, name = '' } = parseTarget(test.target) ?? {};
  const agent = prefix === 'agent' ? catalog.agents.get(name) : undefined;
  const prompt = catalog.prompts.get(agent?.data.sideA.prompt ?? name);
  if (prompt === undefined || (prefix !== 'agent' && prefix !== 'prompt')) {
    return { ok: false, diagnostics: refused(`${test.target} has no conversation`).refused };
  }
  const step = composeStep({
    catalog,
    prompt,
    agent,
    env: {
      thread: variables(input.env),
      account: variables(input.accountEnv),
      instance: variables(input.instanceEnv),
    },
    conversation: {
      earlier: (test.conversation ?? []).map(messageOf),
      current: typeof input.input === 'string' ? [{ role: 'user', text: input.input }] : [],
    },
  });
  if (!step.ok) return step;
  const request = composeRequest({ ...step.value, hash, redactor });
  if (!request.ok) {
    const diagnostics = request.error.map((refusal): Diagnostic => {
      return { code: refusal.code, severity: 'error', message: describeRefusal(refusal) };
    });
    return { ok: false, diagnostics };
  }
  const { blocks } = step.value;
  const { prompt: composedPrompt, tools, params } = request.value;
  return {
    ok: true,
    value: { ...composed, blocks, tools, params, prompt: composedPrompt, request: request.value },
  };
}

const variables = (given: JsonValue | undefined): Readonly<Record<string, string>> =>
  (given ?? {}) as Readonly<Record<string, string>>;

function messageOf(said: Said): StepMessage {
  if ('user' in said) return { role: 'user', text: said.user };
  if ('tool' in said) return { role: 'tool', text: said.tool, callId: said.callId };
  return { role: 'assistant', text: said.assistant, ...(said.calls && { calls: said.calls }) };
}
