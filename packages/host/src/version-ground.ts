import type { RunId } from '@cuebook/journal';
import { createRedactor, ok, type Result } from '@cuebook/prompt';
import type { HostError } from './contract.js';
import type { Ground, VersionPlace } from './kind.js';

/**
 * The ground of each run: the project as it was when the run began, where the clone of this machine stands elsewhere.
 * Its folder is told by the alias of the project's own.
 */
export function versionGrounds(ground: Ground): (run: RunId) => Promise<Result<Ground, HostError>> {
  const known = new Map<string, Ground>();
  return async (run) => {
    const found = await ground.versions?.find(run);
    if (found?.ok === false) return found;
    const place = found?.value;
    if (place === undefined) return ok(ground);
    const made = known.get(place.folder) ?? groundIn(ground, place);
    known.set(place.folder, made);
    return ok({ ...made, files: place.files });
  };
}

/** The same project in another folder. */
export function groundIn(ground: Ground, { folder, files }: VersionPlace): Ground {
  const context: Ground['context'] = {
    ...ground.context,
    roots: [['@project', folder], ...(ground.context.roots ?? [])],
  };
  const { packages = ground.folder } = ground;
  return { ...ground, folder, files, packages, context, redactor: createRedactor(context) };
}
