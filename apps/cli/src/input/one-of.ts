import { nearest } from '@cuebook/prompt';
import { type Failure, usage } from '../failure.js';

/** Advice to whoever typed none of some words: the one that was meant, or all of them. */
export function oneOf(typed: string, words: readonly string[]): string {
  const meant = nearest(typed, words);
  return meant === undefined ? `There are ${words.join(', ')}` : `Did you mean ${meant}?`;
}

/** The failure for an action that a command does not have. */
export const unknownAction = (typed: string, actions: readonly string[]): Failure =>
  usage(`No action is called "${typed}". ${oneOf(typed, actions)}`);
