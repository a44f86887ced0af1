import { guard } from '@cuebook/guard';
import type { RunId } from '../contract.js';
import type { VerifyProblem } from '../verify/problem.js';
import type { ExportFile } from './read-export.js';

/**
 * The states of a file that are not about its run. Who makes a file can write any state into it and sign nothing: what is
 * known of other runs, of the project and of its platform must not come from there.
 */
export function strangeStates({ run, commits, projections }: ExportFile): readonly VerifyProblem[] {
  const values = new Map(projections.map(({ name, key, value }) => [JSON.stringify([name, key]), value]));
  const named = new Map<string, { readonly name: string; readonly key: string }>();
  for (const commit of commits)
    for (const { name, key } of commit.projections) named.set(JSON.stringify([name, key]), { name, key });
  return [...named].flatMap(([id, { name, key }]) => {
    const isOwn = isAbout(run, { name, key, value: values.get(id) });
    if (!guard('import.states', !isOwn)) return [];
    return [{ code: 'E_VERIFY_STORE', message: `State ${name} is not one of this run` }];
  });
}

/** By its key, or by the run that its value names. */
function isAbout(
  run: RunId,
  { name, key, value }: { readonly name: string; readonly key: string; readonly value: unknown },
): boolean {
  if (OF_THE_PROJECT.test(name)) return false;
  if (key === run || key.startsWith(`${run}/`)) return true;
  return !key.startsWith('run_') && (Object(value) as { readonly run?: unknown }).run === run;
}

/** States that a project keeps about itself: they are written by no run that does work. */
const OF_THE_PROJECT = /^platform\./;
