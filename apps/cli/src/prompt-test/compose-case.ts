import type { LiveProject, StepMessage } from '@cuebook/define';
import { composeTarget, parseTarget, requireProfile, type TargetResult } from '@cuebook/profile';
import type { Diagnostic, JsonValue } from '@cuebook/prompt';
import { composeAsRun, isDefinition } from '@cuebook/thread';
import { saidFirst } from '../mcp/arguments.js';
import type { Bench } from '../project/bench.js';
import type { CaseMessage, TestCase } from './case-file.js';

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
  const found = requireProfile(bench.profiles, text);
  if (found.ok && isDefinition(found)) {
    const earlier = (test.conversation ?? []).map(messageOf);
    // A conversation that a case hands in may end with what is to be answered.
    const said = test.conversation === undefined ? input.value : (input.value ?? {});
    return composeAsRun({ ...found, bench }, composed.value, said, { open: desk.live, earlier });
  }
  if (test.conversation === undefined) return composed;
  return { ok: false, diagnostics: refused(`${test.target} has no conversation`).refused };
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

function messageOf(said: CaseMessage): StepMessage {
  if ('user' in said) return { role: 'user', text: said.user };
  if ('tool' in said) return { role: 'tool', text: said.tool, callId: said.callId };
  return { role: 'assistant', text: said.assistant, ...(said.calls && { calls: said.calls }) };
}
