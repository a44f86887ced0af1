import { guard } from '@cuebook/guard';
import { fail, ok, type Result } from '@cuebook/prompt';
import { z } from 'zod';

/** The six kinds of question. */
export const WIDGETS = [
  'form',
  'selection',
  'confirmation',
  'plan_review',
  'feedback',
  'action_selection',
] as const;

const line = z.string().max(10_000);
const name = z.string().min(1).max(200);

const option = z.strictObject({ value: name, label: line.optional(), description: line.optional() });
const field = z.strictObject({
  name,
  label: line.optional(),
  kind: z.enum(['text', 'number', 'yes-no']).default('text'),
});

const schema = z.strictObject({
  widgetId: name,
  type: z.enum(WIDGETS),
  message: z.string().min(1).max(50_000),
  options: z.array(option).max(100).optional(),
  fields: z.array(field).max(50).optional(),
  plan: z.string().max(200_000).optional(),
});

/** A question of `ui.ask_user`, as a model puts it. */
export type Widget = z.infer<typeof schema>;
export type WidgetOption = z.infer<typeof option>;
export type WidgetField = z.infer<typeof field>;

/** Reads a question. One that nobody could answer is refused: a selection of nothing, a form without a field. */
export function readWidget(input: unknown): Result<Widget, string> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return fail(`${issue?.path.join('.') || 'the arguments'}: ${issue?.message ?? 'wrong'}`);
  }
  const widget = parsed.data;
  if (OF_OPTIONS.has(widget.type) && (widget.options ?? []).length === 0) {
    return fail(`options: a question of type ${widget.type} has at least one option`);
  }
  if (widget.type === 'form' && (widget.fields ?? []).length === 0) {
    return fail('fields: a form has at least one field');
  }
  const names = [
    ...(widget.options ?? []).map(({ value }) => `option ${value}`),
    ...(widget.fields ?? []).map(({ name: own }) => `field ${own}`),
  ];
  const twice = names.find((each, at) => names.indexOf(each) !== at);
  return twice === undefined ? ok(widget) : fail(`the ${twice} stands twice`);
}

const OF_OPTIONS: ReadonlySet<string> = new Set(['selection', 'action_selection']);

/** What a person answers, by the type of the question. */
export type QuestionAnswer =
  | { readonly values: { readonly [field: string]: string | number | boolean } }
  | { readonly selected: string }
  | { readonly confirmed: boolean }
  | { readonly approved: boolean; readonly feedback?: string }
  | { readonly text: string }
  | { readonly action: string };

const said = z.string().max(200_000);
const ANSWERS = {
  form: z.strictObject({ values: z.record(z.string(), z.union([said, z.number(), z.boolean()])) }),
  selection: z.strictObject({ selected: z.string() }),
  confirmation: z.strictObject({ confirmed: z.boolean() }),
  plan_review: z.strictObject({ approved: z.boolean(), feedback: said.optional() }),
  feedback: z.strictObject({ text: said }),
  action_selection: z.strictObject({ action: z.string() }),
} as const satisfies Record<Widget['type'], z.ZodType>;

/** An answer that fits its question, or what is wrong with it. */
export function checkAnswer(widget: Widget, value: unknown): Result<QuestionAnswer, string> {
  const parsed = ANSWERS[widget.type].safeParse(value);
  if (guard('question.answer', !parsed.success) && !parsed.success) {
    const [issue] = parsed.error.issues;
    return fail(`${issue?.path.join('.') || 'the answer'}: ${issue?.message ?? 'wrong'}`);
  }
  const answer = (parsed.success ? parsed.data : value) as QuestionAnswer;
  const chosen = 'selected' in answer ? answer.selected : 'action' in answer ? answer.action : undefined;
  const options = (widget.options ?? []).map((each) => each.value);
  if (guard('question.option', chosen !== undefined && !options.includes(chosen))) {
    return fail(`"${chosen}" is none of the options: ${options.join(', ')}`);
  }
  return 'values' in answer ? checkForm(widget, answer) : ok(answer);
}

const TYPES = { text: 'string', number: 'number', 'yes-no': 'boolean' } as const;

function checkForm(
  widget: Widget,
  answer: Extract<QuestionAnswer, { values: unknown }>,
): Result<QuestionAnswer, string> {
  const fields = widget.fields ?? [];
  const stray = Object.keys(answer.values).find((key) => !fields.some((each) => each.name === key));
  if (stray !== undefined) return fail(`the form has no field "${stray}"`);
  for (const { name: key, kind } of fields) {
    const value = Object.hasOwn(answer.values, key) ? answer.values[key] : undefined;
    if (value === undefined) return fail(`the field "${key}" is missing`);
    if (typeof value !== TYPES[kind]) return fail(`the field "${key}" needs ${WANTED[kind]}`);
  }
  return ok(answer);
}

const WANTED = { text: 'a text', number: 'a number', 'yes-no': 'yes or no' } as const;
