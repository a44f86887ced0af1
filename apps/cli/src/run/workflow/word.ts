import type { ApprovalView } from '@cuebook/api';
import { UNKNOWN_OUTCOME } from '@cuebook/engine';
import {
  answerAdvice,
  answered,
  type PersonWord,
  type QuestionAnswer,
  questionOf,
  readAnswer,
  readYes,
  type Widget,
} from '@cuebook/workflow';
import { usage } from '../../failure.js';
import { PERSON } from './resume.js';

/** What a person says to something that waits: the words of an answer, or allow, or deny. */
export type PersonAnswer =
  | { readonly kind: 'answer'; readonly texts: readonly string[] }
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly message?: string };

/** The same as the run takes it; what does not fit is a wrong call that names the forms which do. */
export function wordFor(row: ApprovalView, said: PersonAnswer): PersonWord {
  switch (row.for) {
    case 'question':
    case 'approval': {
      const question = questionOf({ tool: row.tool, input: row.input });
      return question === undefined ? permission(row, said) : answerTo(row, question, said);
    }
    case 'outcome':
      return settlement(row, said);
    case 'input':
    case 'loop': {
      const text = said.kind === 'answer' ? said.texts.join(' ') : '';
      if (text.trim() === '')
        throw usage(`The agent waits for a word. ${answerWith(row, 'the words themselves')}`);
      return { type: 'agent.say', text, by: PERSON };
    }
    case 'budget':
      throw usage(`${row.reason ?? 'The budget is spent.'} Raise it: \`${row.command}\``);
    default:
      throw usage(`It goes on with: \`${row.command}\``);
  }
}

/** How it is answered: the forms that fit, and a command that does. */
const answerWith = ({ command }: ApprovalView, forms: string): string =>
  `Answer with ${forms}, such as: ${command}`;

function answerTo(row: ApprovalView, question: Widget, said: PersonAnswer): PersonWord {
  const answer = answerOf(row, question, said);
  const resolve = { type: 'approval.resolve', approval: row.id, by: PERSON } as const;
  if (answer === undefined) return { ...resolve, decision: 'deny', ...messageOf(said) };
  return { ...resolve, decision: 'change', input: answered(question, answer) };
}

/** Undefined: the question is turned down. */
function answerOf(row: ApprovalView, question: Widget, said: PersonAnswer): QuestionAnswer | undefined {
  const isYesNo = question.type === 'confirmation' || question.type === 'plan_review';
  if (said.kind === 'deny') {
    if (question.type === 'plan_review')
      return { approved: false, ...(said.message === undefined ? {} : { feedback: said.message }) };
    return question.type === 'confirmation' && said.message === undefined ? { confirmed: false } : undefined;
  }
  if (said.kind === 'allow' && !isYesNo)
    throw usage(`This is a question, not a permission. ${answerWith(row, answerAdvice(question))}`);
  const texts = said.kind === 'allow' ? ['yes'] : said.texts;
  if (texts.length === 0) throw usage(answerWith(row, answerAdvice(question)));
  // Several words are one answer, but for a form, which has one word for each field.
  const read = readAnswer(question, question.type === 'form' ? texts : [texts.join(' ')]);
  if (read.ok) return read.value;
  throw usage(`${sentence(read.error)}. ${answerWith(row, answerAdvice(question))}`);
}

function permission(row: ApprovalView, said: PersonAnswer): PersonWord {
  const resolve = { type: 'approval.resolve', approval: row.id, by: PERSON } as const;
  if (said.kind === 'deny') return { ...resolve, decision: 'deny', ...messageOf(said) };
  const yes = said.kind === 'allow' ? true : readYes(said.texts.join(' '));
  if (yes === undefined) throw usage(`Something wants your permission. ${answerWith(row, 'yes or no')}`);
  return { ...resolve, decision: yes ? 'allow' : 'deny' };
}

function settlement(row: ApprovalView, said: PersonAnswer): PersonWord {
  const text = said.kind === 'answer' ? said.texts.join(' ').trim() : '';
  if (text !== 'not-done' && text !== 'unknown') {
    throw usage(
      `Say what became of the call: not-done does it again, unknown tells the model that nobody knows. ${answerWith(row, 'not-done or unknown')}`,
    );
  }
  return {
    type: 'effect.resolve',
    effect: row.id,
    outcome: text === 'not-done' ? 'not-done' : UNKNOWN_OUTCOME,
  };
}

const messageOf = (said: PersonAnswer): { readonly message?: string } =>
  said.kind === 'deny' && said.message !== undefined ? { message: said.message } : {};

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
