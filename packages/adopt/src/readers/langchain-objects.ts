import type { Reporter } from '../diagnostic.js';
import { itemsOf, type JsonDocument, member, type PlacedJson, stringOf } from '../text/json.js';
import { sayLostKeys } from './json-source.js';

/**
 * The class of a serialised object. What LangChain itself would not build as that class (a secret, an object of another
 * package) has a name that nothing matches.
 */
export function classOf(node: PlacedJson | undefined): string {
  const path = itemsOf(member(node, 'id')).map((part) => stringOf(part) ?? '');
  const name = path.at(-1) ?? '';
  const type = stringOf(member(node, 'type')) ?? '';
  const form = member(node, 'lc');
  if (form !== undefined && !(form.kind === 'scalar' && form.value === 1))
    return `${name} (lc ${form.kind === 'scalar' ? form.value : form.kind})`;
  if (name === '') return 'an object without a class';
  if (type !== 'constructor') return `${name} (${type})`;
  return /^langchain/.test(path[0] ?? '') ? name : `${path.join('.')}`;
}

export const kwargsOf = (node: PlacedJson | undefined): PlacedJson | undefined => member(node, 'kwargs');

/** Keys that describe an object and do not change what it prints. */
const SILENT = [
  'input_variables',
  'optional_variables',
  'input_types',
  'validate_template',
  'type',
  'id',
  'example',
  'response_metadata',
  'usage_metadata',
];

/** Names the keys that stand beside those that every serialised object has; some serialisers name the object again. */
export const sayLostBeside = (node: PlacedJson | undefined, json: JsonDocument, report: Reporter): void =>
  sayLostKeys(node, ['lc', 'type', 'id', 'kwargs', 'name', 'graph'], json, report);

/** Names the keys of an object that are not in the sheet. */
export const sayLost = (
  node: PlacedJson | undefined,
  kept: readonly string[],
  json: JsonDocument,
  report: Reporter,
): void => sayLostKeys(node, [...kept, ...SILENT], json, report);
