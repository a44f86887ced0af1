import type { Approval } from '@cuebook/engine';
import { guard } from '@cuebook/guard';
import { asJson } from '@cuebook/journal/json';
import { fail, type JsonValue, ok, type Result } from '@cuebook/prompt';
import { checkAnswer, type QuestionAnswer, readWidget, type Widget } from '../run/question/widget.js';
import { TOOLS } from '../shipped-texts.js';
import { failed, type WorkflowToolResult } from './result.js';
import type { WorkflowTool } from './tool.js';

/** Asks the user: each call waits for a person, whose answer is the result. */
export const askUser: WorkflowTool = {
  ...TOOLS.tool('ui.ask_user'),
  safety: 'idempotent',
  policy: 'ask',
  isOn: () => true,
  validate: checkQuestion,
  run: async (_context, args) => answerResult(args),
};

/** The question that an approval stands for; undefined when it is about something else. */
export function questionOf({ tool, input }: Pick<Approval, 'tool' | 'input'>): Widget | undefined {
  if (tool !== askUser.name) return undefined;
  const widget = readWidget(input);
  return widget.ok ? widget.value : undefined;
}

/**
 * The arguments of a question, looked at. A question is answered by changing them: `answer` is added. Only a
 * person can do that; a model that writes an answer into its own question is refused.
 */
export function checkQuestion(input: JsonValue, by: 'model' | 'person'): Result<JsonValue, string> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return fail('the arguments are one JSON object');
  }
  const { answer, ...question } = input as { readonly [key: string]: JsonValue };
  if (guard('question.forged', answer !== undefined && by === 'model')) {
    return fail('answer: only the user answers');
  }
  const widget = readWidget(question);
  if (!widget.ok) return widget;
  if (answer === undefined) return ok(input);
  const checked = checkAnswer(widget.value, answer);
  return checked.ok ? ok(input) : fail(`answer: ${checked.error}`);
}

/** The arguments of a question with the answer in them: what `approval.resolve` changes the call to. */
export const answered = (question: Widget, answer: QuestionAnswer): JsonValue =>
  asJson({ ...question, answer });

/** What the model is told. Allowed without an answer, a question of yes or no is answered with yes. */
export function answerResult(input: JsonValue): WorkflowToolResult {
  const { answer, ...question } = input as { readonly [key: string]: JsonValue };
  const widget = readWidget(question);
  if (!widget.ok) return failed('E_INVALID_ARGS', widget.error);
  const { widgetId, type } = widget.value;
  const value = answer ?? ALLOWED[type];
  if (value === undefined) {
    return failed(
      'E_QUESTION_UNANSWERED',
      'The user gave no answer. Ask in other words, or go on without it.',
    );
  }
  return { ok: true, widgetId, type, value };
}

const ALLOWED: Readonly<Partial<Record<Widget['type'], JsonValue>>> = {
  confirmation: { confirmed: true },
  plan_review: { approved: true },
};
