import { quote, type Reporter, reporter } from '../diagnostic.js';
import type { ImportDraft } from '../draft.js';
import type { ForeignFile } from '../reader.js';
import { decodeFile } from '../text/decode.js';
import { type JsonDocument, readJson } from '../text/json.js';

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
