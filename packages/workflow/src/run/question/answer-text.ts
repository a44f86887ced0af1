import { fail, ok, type Result } from '@cuebook/prompt';
import { quoted } from '@cuebook/prompt/hint';
import { checkAnswer, type QuestionAnswer, type Widget, type WidgetField } from './widget.js';

/**
 * An answer from what a person writes on a command line: `yes` or `no`, the value of an option, `NAME=VALUE` for
 * each field of a form, `approve` or what is wrong with a plan, or the words themselves.
 */
export function readAnswer(widget: Widget, texts: readonly string[]): Result<QuestionAnswer, string> {
  if (widget.type === 'form') return readForm(widget, texts);
  const [text = '', ...more] = texts;
  if (more.length > 0) return fail('one answer is wanted');
  switch (widget.type) {
    case 'confirmation': {
      const yes = readYes(text);
      return yes === undefined ? fail('answer yes or no') : ok({ confirmed: yes });
    }
    case 'selection':
      return checkAnswer(widget, { selected: text });
    case 'action_selection':
      return checkAnswer(widget, { action: text });
    case 'plan_review': {
      const yes = readYes(text) ?? (text.trim().toLowerCase() === 'approve' ? true : undefined);
      if (yes !== undefined) return ok({ approved: yes });
      return checkAnswer(widget, { approved: false, feedback: text });
    }
    case 'feedback':
      return checkAnswer(widget, { text });
  }
}

/** How a question is answered on a command line, in a few words. */
export const answerHint = (widget: Widget): string =>
  exampleWords(widget)
    .map((word) => `--answer ${quoted(word)}`)
    .join(' ');

/** The same as the words behind a command. */
export const answerExample = (widget: Widget): string => exampleWords(widget).map(quoted).join(' ');

/** The forms that an answer may have, as a person writes them; of a form every one is wanted. */
export function answerForms(widget: Widget): readonly string[] {
  switch (widget.type) {
    case 'confirmation':
      return ['yes', 'no'];
    case 'plan_review':
      return ['approve', 'TEXT'];
    case 'selection':
    case 'action_selection':
      return (widget.options ?? []).map(({ value }) => value);
    default:
      return exampleWords(widget);
  }
}

/** What would be a good answer, in short: what the forms of this question are. */
export function answerAdvice(widget: Widget): string {
  switch (widget.type) {
    case 'confirmation':
      return 'yes or no';
    case 'plan_review':
      return 'approve, or what should change';
    case 'feedback':
      return 'the words themselves';
    case 'form':
      return `${exampleWords(widget).join(' ')}, each field once`;
    default:
      return `one of ${answerForms(widget).join(', ')}`;
  }
}

function exampleWords(widget: Widget): readonly string[] {
  switch (widget.type) {
    case 'form':
      return (widget.fields ?? []).map(({ name, kind }) => `${name}=${FORM_HINTS[kind]}`);
    case 'confirmation':
      return ['yes'];
    case 'plan_review':
      return ['approve'];
    case 'feedback':
      return ['TEXT'];
    default:
      return [widget.options?.[0]?.value ?? 'VALUE'];
  }
}

const FORM_HINTS = { text: 'TEXT', number: 'NUMBER', 'yes-no': 'yes' } as const;

/** Undefined when it is neither. */
export function readYes(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (['yes', 'y', 'true'].includes(word)) return true;
  return ['no', 'n', 'false'].includes(word) ? false : undefined;
}

function readForm(widget: Widget, texts: readonly string[]): Result<QuestionAnswer, string> {
  const values: [string, string | number | boolean][] = [];
  for (const text of texts) {
    const cut = text.indexOf('=');
    const name = text.slice(0, cut);
    const field = (widget.fields ?? []).find((each) => each.name === name);
    if (cut < 1 || field === undefined) {
      const names = (widget.fields ?? []).map((each) => each.name).join(', ');
      return fail(`write NAME=VALUE for each field of the form: ${names}`);
    }
    if (values.some(([own]) => own === name)) return fail(`the field "${name}" is answered twice`);
    values.push([name, readField(field, text.slice(cut + 1))]);
  }
  return checkAnswer(widget, { values: Object.fromEntries(values) });
}

/** As the field wants it, where the text can be read so; the check says what is wrong with anything else. */
function readField({ kind }: WidgetField, text: string): string | number | boolean {
  if (kind === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  return kind === 'yes-no' ? (readYes(text) ?? text) : text;
}
