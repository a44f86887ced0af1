import { guard } from '@cuebook/guard';
import { type Diagnostic, nearest } from '@cuebook/prompt';
import { type Catalog, type DefinitionEntry, definitionsOf } from '../load/catalog.js';
import type { DefinitionKind } from '../load/files.js';
import { problemAt } from '../shape/read-shape.js';

/** A name that one definition uses for others, of one of the kinds. */
export interface Use {
  readonly by: DefinitionEntry<unknown>;
  readonly path: readonly PropertyKey[];
  readonly name: string;
  readonly kinds: readonly DefinitionKind[];
}

/** Nothing when the name is known; otherwise what it could mean, or that its file did not load. */
export function unknownName(catalog: Catalog, use: Use, code = 'E_NAME_UNKNOWN'): readonly Diagnostic[] {
  const { by, path, name, kinds } = use;
  // A name that does not fit has been told of.
  if (name === undefined) return [];
  const isKnown = kinds.some((kind) => definitionsOf(catalog, kind).has(name));
  if (!guard('check.unknown', !isKnown)) return [];
  const what = kinds.join(', ').replace(/, ([^,]+)$/, ' or $1');
  const file = kinds.map((kind) => catalog.broken.get(kind)?.get(name)).find((each) => each !== undefined);
  const message = `The ${by.kind} "${by.name}" names the ${what} "${name}", which ${reason(file, suggestion(catalog, use))}`;
  return [problemAt(by.source, path, { code, severity: 'error', message })];
}

const reason = (brokenFile: string | undefined, hint: string): string =>
  brokenFile === undefined ? `nobody defines. ${hint}` : `did not load: see ${brokenFile}`;

function suggestion(catalog: Catalog, { name, kinds }: Use): string {
  const names = kinds.flatMap((kind) => [...definitionsOf(catalog, kind).keys()]);
  const meant = nearest(name, names);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  const [kind = 'prompt'] = kinds;
  return `Define it in agents/${kind}s/`;
}
