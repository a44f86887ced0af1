import type { RenderDocument } from '@cuebook/prompt';
import type { GivenAnswer } from '../expect/answer.js';

/** A request as a snapshot shows it: what is said to whom, then the tools and parameters. */
export function requestText({ messages, tools, params }: RenderDocument): string {
  return [
    ...messages.map(({ role, content }) => `[${role}]\n${content}`),
    ...tools.map((tool) => `[tool]\n${JSON.stringify(tool, undefined, 2)}`),
    `[params]\n${JSON.stringify(params, undefined, 2)}`,
  ].join('\n\n');
}

/** An answer as a snapshot shows it. */
export function answerText({ text, calls, error }: GivenAnswer): string {
  return [
    text,
    ...calls.map(({ name, args }) => `[call] ${name} ${JSON.stringify(args)}`),
    ...(error === undefined ? [] : [`[error] ${error.code}`]),
  ].join('\n\n');
}
