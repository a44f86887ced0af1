import { checkAnswer, type QuestionAnswer, type Widget, type WidgetField } from '@cuebook/workflow';
import { confirm, isCancel, note, select, text } from '../input/questions.js';
import { screenText } from '../output/style.js';

/** The streams of a terminal; left out: those of the process. */
export interface Terminal {
  readonly input?: NodeJS.ReadableStream;
  readonly output?: NodeJS.WritableStream;
  readonly signal?: AbortSignal;
}

type Streams = Parameters<typeof confirm>[0];

/** Puts a question to a person at a terminal, whatever its type; undefined when they leave it open. */
export async function askPerson(
  question: Widget,
  terminal: Terminal = {},
): Promise<QuestionAnswer | undefined> {
  const streams = terminal as Pick<Streams, 'input' | 'output' | 'signal'>;
  const message = screenText(question.message, true);
  switch (question.type) {
    case 'confirmation': {
      const confirmed = await confirm({ message, ...streams });
      return isCancel(confirmed) ? undefined : { confirmed };
    }
    case 'selection':
    case 'action_selection': {
      const chosen = await select({ message, options: optionsOf(question), ...streams });
      if (isCancel(chosen)) return undefined;
      return question.type === 'selection' ? { selected: chosen } : { action: chosen };
    }
    case 'plan_review': {
      if (question.plan !== undefined) note(screenText(question.plan, true), 'Plan', streams);
      const approved = await confirm({ message, active: 'Approve', inactive: 'Reject', ...streams });
      if (isCancel(approved)) return undefined;
      if (approved) return { approved };
      const feedback = await text({ message: 'What should change?', ...streams });
      return isCancel(feedback) ? undefined : { approved, ...(feedback ? { feedback } : {}) };
    }
    case 'feedback': {
      const said = await text({ message, ...streams });
      return isCancel(said) ? undefined : { text: said ?? '' };
    }
    case 'form':
      return askForm(question, message, streams);
  }
}

/** Yes or no to one thing that an agent wants to do; undefined when it is left open. */
export async function askPermission(what: string, terminal: Terminal = {}): Promise<boolean | undefined> {
  const yes = await confirm({
    message: screenText(what, true),
    initialValue: false,
    ...(terminal as Pick<Streams, 'input' | 'output' | 'signal'>),
  });
  return isCancel(yes) ? undefined : yes;
}

/** One of some; undefined when it is left open. */
export async function askOne(
  what: string,
  options: readonly { readonly value: string; readonly label: string; readonly description?: string }[],
  terminal: Terminal = {},
): Promise<string | undefined> {
  const chosen = await select({
    message: screenText(what, true),
    options: optionsOf({ options: [...options] }),
    ...(terminal as Pick<Streams, 'input' | 'output' | 'signal'>),
  });
  return isCancel(chosen) ? undefined : chosen;
}

/** A word to go on with; undefined when there is none. */
export async function askWord(message: string, terminal: Terminal = {}): Promise<string | undefined> {
  const said = await text({ message, ...(terminal as Pick<Streams, 'input'>) });
  return isCancel(said) || said === undefined || said.trim() === '' ? undefined : said;
}

const optionsOf = ({ options = [] }: Pick<Widget, 'options'>) =>
  options.map(({ value, label, description }) => ({
    value,
    label: screenText(label ?? value, true),
    ...(description === undefined ? {} : { hint: screenText(description, true) }),
  }));

async function askForm(
  question: Widget,
  message: string,
  streams: Pick<Streams, 'input' | 'output' | 'signal'>,
): Promise<QuestionAnswer | undefined> {
  note(message, 'Form', streams);
  const values: [string, string | number | boolean][] = [];
  for (const field of question.fields ?? []) {
    const value = await askField(field, streams);
    if (value === undefined) return undefined;
    values.push([field.name, value]);
  }
  const answer = checkAnswer(question, { values: Object.fromEntries(values) });
  return answer.ok ? answer.value : undefined;
}

async function askField(
  { name, label = name, kind }: WidgetField,
  streams: Pick<Streams, 'input' | 'output' | 'signal'>,
): Promise<string | number | boolean | undefined> {
  const message = screenText(label, true);
  if (kind === 'yes-no') {
    const yes = await confirm({ message, ...streams });
    return isCancel(yes) ? undefined : yes;
  }
  const isNumber = (said: string | undefined) =>
    said !== undefined && said.trim() !== '' && Number.isFinite(Number(said));
  const said = await text({
    message,
    ...streams,
    ...(kind === 'number'
      ? { validate: (given: string | undefined) => (isNumber(given) ? undefined : 'A number is wanted.') }
      : {}),
  });
  if (isCancel(said)) return undefined;
  return kind === 'number' ? Number(said) : (said ?? '');
}
