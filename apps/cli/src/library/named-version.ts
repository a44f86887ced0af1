import type { Scenario } from '@cuebook/bundle';
import type { TemplateLibrary, TemplateRecord } from '@cuebook/platform';
import { hint } from '@cuebook/prompt/hint';
import { Failure, usage } from '../failure.js';

/** `greeting@2`, or `greeting` alone. */
export function parseVersion(text: string): { readonly id: string; readonly version?: number } {
  const [, id, version] = /^([a-z][a-z0-9_]{0,63})(?:@v?([1-9]\d{0,8}))?$/.exec(text) ?? [];
  if (id === undefined)
    throw usage(`A version is written NAME@VERSION, such as greeting@2; not "${text.slice(0, 80)}"`);
  return { id, ...(version === undefined ? {} : { version: Number(version) }) };
}

/** The version that is named; without a number the one that is assigned, or the newest that there is. */
export function requireVersion({ record, active }: TemplateLibrary, text: string): TemplateRecord {
  const { id, version } = parseVersion(text);
  const own = record.templates.filter(({ scenario }) => scenario.id === id);
  const wanted = version ?? active.find((scenario) => scenario.id === id)?.version ?? newest(own);
  const found = own.find(({ scenario }) => scenario.version === wanted);
  if (found !== undefined) return found;
  throw new Failure(
    'E_LIBRARY',
    own.length === 0
      ? `No scenario is called "${id}"; ${hint`library`} lists them`
      : `${id} has no version ${version}; ${hint`library show ${id}`} shows what there is`,
    { exit: 1 },
  );
}

const newest = (own: readonly TemplateRecord[]): number =>
  Math.max(0, ...own.map(({ scenario }: { readonly scenario: Scenario }) => scenario.version));
