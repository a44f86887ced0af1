import type { Diagnostic } from '@cuebook/prompt';
import { hint } from '@cuebook/prompt/hint';
import type { Bench } from './bench.js';

/** Runs the hooks of definitions with the author's examples. Loaded only where there are definitions. */
export const hooksOn = async (bench: Bench, targets: readonly string[]) =>
  targets.some((target) => /^(?:agent|prompt):/.test(target))
    ? (await import('@cuebook/thread')).runComposer(bench)
    : undefined;

/** What is said of a project, or of one of its files, that no target is made of. */
export function nothingToCheck(file?: string): Diagnostic {
  const message =
    file === undefined
      ? `There is nothing to check: the project has no target. Write a sheet (sheets/NAME.yaml) or a definition (agents/prompts/NAME.ts), or name what lies elsewhere: ${hint`check workflow:DIR`}, ${hint`check -f FILE`}`
      : `There is nothing to check: ${file} is part of no target. Name a target, such as sheet:NAME, or check the whole project with ${hint`check`}`;
  return { code: 'E_NO_TARGET', severity: 'error', message };
}
