import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lazyKind, type RunKind } from '@cuebook/host';
import { CONFIG_FILE } from '@cuebook/profile';
import { ok, type Result } from '@cuebook/prompt';
import { cannotStart, type StartError } from './error.js';

/**
 * The kinds of runs that the configuration of a project names, each by its prefix. Their code is loaded when a run is
 * there or wanted. `taken`: prefixes and names that are shipped.
 */
export function ownKinds(
  kinds: Readonly<Record<string, string>>,
  { folder, taken }: { readonly folder: string; readonly taken: ReadonlySet<string> },
): Result<readonly RunKind[], StartError> {
  const double = Object.keys(kinds).find((name) => taken.has(name));
  if (double !== undefined)
    return cannotStart('E_CONFIG', `${CONFIG_FILE}: kinds: ${double} is a kind that comes with Cuebook.`);
  return ok(
    Object.entries(kinds).map(([name, module]) => {
      const names = { name, prefixes: [name], begins: `${name}.started` };
      return lazyKind({ ...names, load: () => loadKind(names, module, folder) });
    }),
  );
}

/** A module's default export. One that is another kind than it was named by is not put to work. */
async function loadKind(
  { name, begins }: Pick<RunKind, 'name' | 'begins'>,
  module: string,
  folder: string,
): Promise<RunKind> {
  const file = createRequire(join(folder, CONFIG_FILE)).resolve(module);
  const { default: kind } = (await import(pathToFileURL(file).href)) as { readonly default?: RunKind };
  const isKind = kind?.name === name && kind.begins === begins && typeof kind.attach === 'function';
  if (!isKind) throw new TypeError(`${module} has no kind of run ${name} that begins with ${begins}`);
  return kind;
}
