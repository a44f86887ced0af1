import { type HostError, misfit, type Reply, refuse, replyWord, type Wait, type Word } from '@cuebook/host';
import { ok, type Result } from '@cuebook/prompt';
import { answerAdvice, readAnswer } from '../run/question/answer-text.js';
import type { QuestionAnswer, Widget } from '../run/question/widget.js';
import { answered, questionOf } from '../tool/ask-user.js';

/** The word that a reply means: the answer to a question is read in the form of the question. */
export function workflowWord(wait: Wait, reply: Reply): Result<Word, HostError> {
  const question = wait.for === 'question' ? questionOf({ tool: wait.tool, input: wait.input }) : undefined;
  if (question === undefined) return replyWord(wait, reply);
  const answer = answerOf(wait, question, reply);
  if (!answer.ok) return answer;
  const approve = { type: 'approve', approval: wait.id } as const;
  if (answer.value === undefined)
    return ok({ ...approve, decision: 'deny', ...('message' in reply ? messageOf(reply) : {}) });
  return ok({ ...approve, decision: 'change', input: answered(question, answer.value) });
}

const messageOf = ({ message }: { readonly message?: string }): { readonly message?: string } =>
  message === undefined ? {} : { message };

/** Undefined: the question is turned down. */
function answerOf(wait: Wait, question: Widget, reply: Reply): Result<QuestionAnswer | undefined, HostError> {
  if ('texts' in reply) return readTexts(wait, question, reply.texts);
  if (reply.decision === 'change')
    return misfit(wait, 'A question is answered, and change is for teams and threads.');
  if (reply.decision === 'deny') {
    const { message } = reply;
    if (question.type === 'plan_review')
      return ok({ approved: false, ...(message === undefined ? {} : { feedback: message }) });
    return ok(question.type === 'confirmation' && message === undefined ? { confirmed: false } : undefined);
  }
  if (reply.grant === true) return misfit(wait, 'A question is answered once: leave --grant out.');
  const isYesNo = question.type === 'confirmation' || question.type === 'plan_review';
  return isYesNo ? readTexts(wait, question, ['yes']) : misfit(wait, 'This is a question, not a permission.');
}

/** Several words are one answer, but for a form, which has one word for each field. */
function readTexts(
  wait: Wait,
  question: Widget,
  texts: readonly string[],
): Result<QuestionAnswer, HostError> {
  if (texts.length === 0) return misfit(wait);
  const read = readAnswer(question, question.type === 'form' ? texts : [texts.join(' ')]);
  if (read.ok) return read;
  const why = `${read.error.charAt(0).toUpperCase()}${read.error.slice(1)}`;
  return refuse(
    'invalid',
    'E_REPLY',
    `${why}. Answer with ${answerAdvice(question)}, such as: ${wait.example}`,
  );
}
