import type { AnswerJudge } from '@cuebook/profile';
import { schemaProblems } from '@cuebook/profile/answer-schema';

/** Whether an answer is JSON that fits the schema of its sheet. Nothing of the answer is repeated. */
export const judgeSheet: AnswerJudge = (contract, answer) => {
  const { schema } = contract as { readonly schema: unknown };
  let value: unknown;
  try {
    value = JSON.parse(answer);
  } catch {
    return ['it is not JSON. Answer with one JSON value and nothing around it'];
  }
  const problems = schemaProblems(schema, value);
  return typeof problems === 'string' ? ['nobody here can read the schema that it is held to'] : problems;
};
