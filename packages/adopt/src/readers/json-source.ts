import { quote, type Reporter, reporter } from '../diagnostic.js';
import type { ImportDraft } from '../draft.js';
import type { ForeignFile } from '../reader.js';
import { decodeFile } from '../text/decode.js';
import { type JsonDocument, type PlacedJson, readJson } from '../text/json.js';

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
  if (json.ok) return read(json.value, report);
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
