import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { codePoints } from '../card/points.js';
import type { Persona } from '../card/schema.js';
import { readJson } from '../json/read.js';
import { findsImpersonation } from './impersonation.js';
import { type ProposalPolicy, proposalProblems } from './proposal.js';
import type { OutputContract, Scenario } from './scenario.js';
import { shapeProblems } from './shape.js';

/** `E_OUTPUT`: every reason why an answer is not what its contract asks for. */
export interface OutputError {
  readonly code: 'E_OUTPUT';
  readonly scenario: string;
  readonly problems: readonly string[];
}

/** What an answer is checked against besides its contract. */
export interface OutputContext {
  readonly persona?: Persona | undefined;
  /** The name of the one who answers. */
  readonly name?: string | undefined;
  /** What a check-in may propose; nothing when absent. */
  readonly policy?: ProposalPolicy | undefined;
  /** The scores that were computed, by group: an answer may explain them and not change them. */
  readonly scores?: ReadonlyMap<string, number> | undefined;
}

/** The answer: the text without space around it, or the value of its JSON. */
export type Output = string | Readonly<Record<string, unknown>> | readonly unknown[];

/** In bytes. A longer answer is not looked at. */
export const OUTPUT_LIMIT = 64 * 1024;

/** Checks an answer. Pure; JSON is taken alone, with nothing around it. */
export function checkOutput(
  scenario: Pick<Scenario, 'id' | 'output'>,
  answer: string,
  context: OutputContext = {},
): Result<Output, OutputError> {
  const refuse = (problems: readonly string[]) =>
    fail<OutputError>({ code: 'E_OUTPUT', scenario: scenario.id, problems });
  if (!answer.isWellFormed()) return refuse(['the answer holds half a character']);
  if (Buffer.byteLength(answer) > OUTPUT_LIMIT)
    return refuse([`the answer has more than ${OUTPUT_LIMIT} bytes`]);
  const impersonates = guard(
    'output.impersonation',
    findsImpersonation(answer, context.persona, context.name),
  );
  const claims = impersonates ? ['the answer claims to be the inspiration of the persona'] : [];
  const { output } = scenario;
  if (output.format === 'text') {
    const problems = [...textProblems(answer.trim(), output), ...claims];
    return problems.length > 0 ? refuse(problems) : ok(answer.trim());
  }
  const read = readJson(Buffer.from(answer.trim()), { bytes: OUTPUT_LIMIT });
  if (!read.ok)
    return refuse(['the answer is JSON and nothing else: no words, no code fence around it', ...claims]);
  const problems = [
    ...shapeProblems(read.value, output.shape),
    ...proposalProblems(read.value, context.policy),
    ...scoreProblems(read.value, context.scores),
    ...claims,
  ];
  return problems.length > 0 ? refuse(problems) : ok(read.value as Output);
}

function textProblems(
  text: string,
  { min, max, max_sentences, ends_with_question }: Extract<OutputContract, { format: 'text' }>,
): readonly string[] {
  const length = codePoints(text);
  const seen = codePoints(visible(text));
  const problems: string[] = [];
  if (guard('output.length', seen < min || length > max))
    problems.push(`the answer has ${seen < min ? seen : length} characters, ${min} to ${max} are asked for`);
  const sentences = text
    .match(/[^.!?。！？…]+(?:[.!?。！？…]+|$)/gu)
    ?.filter((each) => /[\p{L}\p{N}]/u.test(each));
  if (max_sentences !== undefined && (sentences?.length ?? 0) > max_sentences)
    problems.push(`the answer has ${sentences?.length} sentences, ${max_sentences} at most`);
  if (ends_with_question === true && !/[?？]["'”’)\p{So}\p{Extended_Pictographic}\s]*$/u.test(text))
    problems.push('the answer ends with a question');
  return problems;
}

/** What counts towards a least length: no characters that nobody sees, no heaps of space or of accents. */
const visible = (text: string): string =>
  text
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Co}\p{Cn}\u2800]+/gu, (run) =>
      /\s/u.test(run) ? ' ' : '',
    )
    .replace(/\s+/gu, ' ')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1')
    .trim();

function scoreProblems(value: unknown, scores: ReadonlyMap<string, number> | undefined): readonly string[] {
  if (scores === undefined || !Array.isArray(value)) return [];
  const rows = value as readonly { readonly group_id?: unknown; readonly score?: unknown }[];
  const wrong = rows.filter((row) => scores.get(String(row?.group_id)) !== row?.score);
  const sorted = rows.every((row, at) => at === 0 || Number(rows[at - 1]?.score) >= Number(row?.score));
  const twice = new Set(rows.map((row) => row?.group_id)).size !== rows.length;
  return [
    ...(wrong.length > 0 ? ['every group_id and score is one of the list, unchanged'] : []),
    ...(sorted && !twice ? [] : ['the groups stand once each, the highest score first']),
  ];
}
