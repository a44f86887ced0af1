import { fail, ok, type Result } from '@cuebook/prompt';
import { type Answer, checkAnswer, type Widget, type WidgetField } from './widget.js';

/**
 * An answer from what a person writes on a command line: `yes` or `no`, the value of an option, `NAME=VALUE` for
 * each field of a form, `approve` or what is wrong with a plan, or the words themselves.
 */
export function readAnswer(widget: Widget, texts: readonly string[]): Result<Answer, string> {
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
export function answerHint(widget: Widget): string {
  switch (widget.type) {
    case 'form':
      return (widget.fields ?? []).map(({ name, kind }) => `--answer ${name}=${FORM_HINTS[kind]}`).join(' ');
    case 'confirmation':
      return '--answer yes';
    case 'plan_review':
      return '--answer approve';
    case 'feedback':
      return '--answer TEXT';
    default:
      return `--answer ${shellWord(widget.options?.[0]?.value ?? 'VALUE')}`;
  }
}

const FORM_HINTS = { text: 'TEXT', number: 'NUMBER', 'yes-no': 'yes' } as const;

const shellWord = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Undefined when it is neither. */
export function readYes(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (['yes', 'y', 'true'].includes(word)) return true;
  return ['no', 'n', 'false'].includes(word) ? false : undefined;
}

function readForm(widget: Widget, texts: readonly string[]): Result<Answer, string> {
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
