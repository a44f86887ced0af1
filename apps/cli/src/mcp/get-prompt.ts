import { composeTarget, requireProfile, type TargetResult } from '@cuebook/profile';
import { type Diagnostic, fail, type JsonValue, ok, type Result, toMessages } from '@cuebook/prompt';
import type { McpPromptAnswer } from '@cuebook/provider';
import { composeAsRun } from '@cuebook/thread';
import { INPUT_ARGUMENT, saidFirst, typedArguments } from './arguments.js';
import type { McpDesk } from './desk.js';

/** Answers `prompts/get`: the composed messages, through the gates. The system text comes as a user's message. */
export async function getPrompt(
  desk: McpDesk,
  name: string,
  given: Readonly<Record<string, string>>,
): Promise<McpPromptAnswer> {
  const schema = desk.live.catalog.prompts.get(name)?.data.requiredSchema;
  const composed = await composeCall(
    desk,
    name,
    schema === undefined ? given : typedArguments(schema, given),
  );
  if (!composed.ok) return refusal(composed.diagnostics);
  const { prompt } = composed.value;
  const messages = toMessages(prompt).map(({ role, content }) => ({
    role: role === 'assistant' ? ('assistant' as const) : ('user' as const),
    text: content,
  }));
  return { ok: true, messages };
}

/** Composes a prompt that is called with arguments. */
async function composeCall(
  desk: McpDesk,
  name: string,
  args: Readonly<Record<string, JsonValue>>,
): Promise<TargetResult> {
  const said = await saidBy(desk, name, args);
  if (!said.ok) {
    return { ok: false, diagnostics: [{ code: 'E_INPUT', severity: 'error', message: said.error }] };
  }
  const { bench, live, variables } = desk;
  const input = { ...variables.handed(), ...(said.value === undefined ? {} : { input: said.value }) };
  const text = `prompt:${name}`;
  const composed = await composeTarget(bench, text, input);
  const found = requireProfile(bench.profiles, text);
  return composed.ok && found.ok
    ? composeAsRun({ ...found, bench }, composed.value, input, { open: async () => live })
    : composed;
}

/** What a prompt that is called with arguments is told first. They are judged by its schema. */
export async function saidBy(
  { live }: McpDesk,
  name: string,
  args: Readonly<Record<string, JsonValue>>,
): Promise<Result<string | undefined, string>> {
  const schema = live.catalog.prompts.get(name)?.data.requiredSchema;
  if (schema === undefined) return plainInput(args);
  const checked = await live.check({ kind: 'prompt', name }, args);
  if (!checked.ok) return fail(checked.problems.map(({ path, message }) => `${path}: ${message}`).join('; '));
  return ok(saidFirst(schema, checked.value as Readonly<Record<string, JsonValue>>));
}

function plainInput(args: Readonly<Record<string, JsonValue>>): Result<string | undefined, string> {
  const { [INPUT_ARGUMENT]: input, ...others } = args;
  if (Object.keys(others).length > 0 || (input !== undefined && typeof input !== 'string')) {
    return fail(`the prompt takes only ${INPUT_ARGUMENT}, a text`);
  }
  return ok(input);
}

/** The first error; the others are counted. */
function refusal(diagnostics: readonly Diagnostic[]): {
  readonly ok: false;
  readonly code: string;
  readonly message: string;
} {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return { ok: false, code: first?.code ?? 'E_INTERNAL', message: `${first?.message ?? 'Refused'}${more}` };
}
