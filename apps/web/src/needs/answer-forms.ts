import type { WaitView } from '@cuebook/api';
import { fieldsOf } from './wait-words.js';

/** How something that waits can be answered, as the parts of a form. */
export interface WaitForms {
  /** Allow, deny or change a call. */
  readonly decides: boolean;
  /** Answers that need no typing: what is sent, what the button says, and what it means. */
  readonly choices: readonly { readonly text: string; readonly label: string; readonly about?: string }[];
  /** Fields that are all wanted, sent as `NAME=VALUE`; or one field without a name, sent as it is. */
  readonly fields: readonly AnswerField[];
}

export interface AnswerField {
  /** Empty: the words themselves. */
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'number' | 'yes-no';
}

/** Reads the forms that an answer may have. */
export function answerForms(wait: WaitView): WaitForms {
  if (wait.for === 'approval') return { decides: true, choices: [], fields: [] };
  const asked = fieldsOf(wait.input);
  const fields = listOf(asked.fields).filter(({ name }) => typeof name === 'string');
  if (wait.for === 'question' && asked.type === 'form' && fields.length > 0)
    return { decides: false, choices: [], fields: fields.map(fieldOf) };
  const options = wait.for === 'question' ? listOf(asked.options) : [];
  const named = new Map(options.map((option) => [String(option.value), option]));
  const isTyped = (answer: string) => !named.has(answer) && TYPED.has(answer);
  return {
    decides: false,
    choices: wait.answers
      .filter((answer) => !isTyped(answer))
      .map((text) => ({ text, ...choiceOf(text, named.get(text)) })),
    fields: wait.answers.filter(isTyped).map((answer) => ({
      name: '',
      label:
        answer === 'TEXT'
          ? (TEXT_LABELS[wait.for] ?? 'Your message')
          : `New limit of ${answer.toLowerCase()}`,
      kind: answer === 'TEXT' ? 'text' : 'number',
    })),
  };
}

/** What is sent for the values of the fields, in their order. */
export const textsOf = (fields: readonly AnswerField[], values: readonly string[]): readonly string[] =>
  fields.map(({ name }, index) => (name === '' ? (values[index] ?? '') : `${name}=${values[index] ?? ''}`));

type Fields = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);

const fieldOf = ({ name, label, kind }: Fields): AnswerField => ({
  name: String(name),
  label: typeof label === 'string' && label !== '' ? label : String(name),
  kind: kind === 'number' || kind === 'yes-no' ? kind : 'text',
});

function choiceOf(
  text: string,
  option: Fields | undefined,
): { readonly label: string; readonly about?: string } {
  if (option === undefined) return { label: CHOICE_LABELS[text] ?? text };
  const { label, description } = option;
  return {
    label: typeof label === 'string' && label !== '' ? label : text,
    ...(typeof description === 'string' && { about: description }),
  };
}

/** Words in capitals stand for what a person writes. */
const TYPED: ReadonlySet<string> = new Set(['TEXT', 'TURNS', 'TOKENS', 'USD', 'NUMBER']);

const TEXT_LABELS: Readonly<Record<string, string>> = {
  loop: 'Send a message that helps',
  question: 'Answer in your own words',
};

const CHOICE_LABELS: Readonly<Record<string, string>> = {
  resume: 'Go on',
  finish: 'Finish the run',
  'not-done': 'It was not done: do it again',
  unknown: 'Nobody knows: tell the agent so',
  yes: 'Yes',
  no: 'No',
  approve: 'Approve',
};
