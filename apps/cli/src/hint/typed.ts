import { PROGRAM, shellWord, withHints } from '@cuebook/prompt/hint';
import { COMMANDS } from '../commands.js';
import type { Typing } from './program.js';

/** Whoever is told. */
interface Told {
  readonly typing: Typing;
}

/** A command line that can be typed as it stands, where this one was typed: with its program and its project. */
export function typed({ typing: { program, project } }: Told, line: string): string {
  const [whole = '', name = ''] = CALL.exec(line) ?? [];
  const takesProject = COMMANDS.some((command) => command.name === name && command.inProject === true);
  const isAdded = project !== undefined && takesProject && !/ --project[ =]/.test(line);
  const started = line.replace(whole, () => whole.replace(PROGRAM, () => program));
  return isAdded ? `${started} --project ${shellWord(project)}` : started;
}

/** A sentence whose command lines, in backticks, can be typed as they stand. */
export const told = (io: Told, sentence: string): string => withHints(sentence, (line) => typed(io, line));

/** Our program at the beginning of a line or behind a pipe, and the name of the command. */
const CALL = /(?:^|\| )cuebook(?: ([a-z]+))?/;
