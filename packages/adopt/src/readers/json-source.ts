import { guard } from '@cuebook/guard';
import { quote, type Reporter, reporter } from '../diagnostic.js';
import type { ImportDraft } from '../draft.js';
import type { ForeignFile } from '../reader.js';
import { decodeFile } from '../text/decode.js';
import { type JsonDocument, type PlacedJson, readJson } from '../text/json.js';
import { sayNumbers } from '../text/numbers.js';

/** What a file that could not be read gives: its diagnostics. */
export const nothingRead = (report: Reporter): ImportDraft => ({
  sheets: [],
  texts: [],
  cases: [],
  diagnostics: report.found,
});

/** Reads a JSON file, and hands it on when it is one. */
export function readJsonSource(
  file: ForeignFile,
  read: (json: JsonDocument, report: Reporter) => ImportDraft,
): ImportDraft {
  const report = reporter(file.path);
  const text = decodeFile(file.bytes, report);
  if (text === undefined) return nothingRead(report);
  const json = readJson(text.text);
  if (json.ok) {
    const { numbers, at } = json.value;
    sayNumbers(
      numbers.map((each) => ({ ...each, at: () => at(each.start) })),
      report,
    );
    return read(json.value, report);
  }
  report.error('E_IMPORT_SYNTAX', json.at, json.message);
  return nothingRead(report);
}

/** A line about keys that are kept under `meta`. */
export const keptUnderMeta = (keys: readonly string[]): string =>
  `Kept under meta and never sent: ${keys.map((key) => quote(key)).join(', ')}`;

/** Whether a value says anything: empty ones are written where nothing was given. */
export function isWorthKeeping(node: PlacedJson): boolean {
  if (node.kind === 'array') return node.items.length > 0;
  if (node.kind === 'object') return node.entries.size > 0;
  return node.value !== null && node.value !== false && node.value !== '';
}

/** What a key of a format holds. */
export type JsonKind = 'a text' | 'a text or number' | 'true or false' | 'a list' | 'a map';

const isKind = (node: PlacedJson, kind: JsonKind): boolean => {
  if (kind === 'a list') return node.kind === 'array';
  if (kind === 'a map') return node.kind === 'object';
  const isText = node.kind === 'string';
  if (node.kind !== 'scalar') return isText && kind !== 'true or false';
  if (kind === 'true or false') return typeof node.value === 'boolean';
  return kind === 'a text or number' && typeof node.value === 'number';
};

/** Names the keys of an object whose values are of another kind than the format has there: nothing reads them. */
export function sayUnfit(
  node: PlacedJson | undefined,
  kinds: Readonly<Record<string, JsonKind>>,
  json: Pick<JsonDocument, 'at'>,
  report: Reporter,
): void {
  for (const [key, value] of node?.kind === 'object' ? node.entries : []) {
    const kind = Object.hasOwn(kinds, key) ? kinds[key] : undefined;
    if (guard('adopt.kind', kind !== undefined && isWorthKeeping(value) && !isKind(value, kind)))
      report.warning('W_IMPORT_KEY', json.at(value.start), `Not kept: ${quote(key)}, which is not ${kind}`);
  }
}

/** Names the keys of an object that say something and are not kept. */
export function sayLostKeys(
  node: PlacedJson | undefined,
  kept: readonly string[],
  json: Pick<JsonDocument, 'at'>,
  report: Reporter,
): void {
  const lost = [...(node?.kind === 'object' ? node.entries : [])].filter(
    ([key, value]) => !kept.includes(key) && isWorthKeeping(value),
  );
  const [first] = lost;
  if (first === undefined) return;
  const names = lost.map(([key]) => quote(key));
  const shown =
    names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
  report.warning('W_IMPORT_KEY', json.at(first[1].start), `Not kept: ${shown}`);
}
