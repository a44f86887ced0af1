import type { JsonValue } from '@cuebook/prompt';

/**
 * What is wrong with an answer, each in a sentence that repeats nothing of it; nothing when it is taken. Pure. The
 * contract is the one of the composition, as plain JSON.
 */
export type AnswerJudge = (contract: JsonValue, answer: string) => readonly string[];

/** What goes back to the model, once, after an answer that was not taken. */
export const correctiveNote = (problems: readonly string[]): string =>
  ['Your answer was not taken:', ...problems.map((problem) => `- ${problem}`), 'Answer again, in full.'].join(
    '\n',
  );
