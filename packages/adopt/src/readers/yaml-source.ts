import { readYaml, type YamlSource } from '@cuebook/yaml';
import { type Reporter, reporter } from '../diagnostic.js';
import type { ImportDraft } from '../draft.js';
import type { ForeignFile } from '../reader.js';
import { HALF, pathToHalf, yamlOddity } from '../text/characters.js';
import { decodeFile } from '../text/decode.js';
import type { LineColumn } from '../text/mapped.js';
import { sayYamlNumbers } from '../text/numbers.js';
import { nothingRead } from './json-source.js';

/** A map as YAML gives it. */
export type PlainMap = Readonly<Record<string, unknown>>;

export const isMap = (value: unknown): value is PlainMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A YAML file whose top is a map. */
export interface YamlMap {
  readonly yaml: YamlSource;
  readonly value: PlainMap;
  readonly at: (...path: readonly PropertyKey[]) => LineColumn;
}

/** Reads a YAML file, and hands it on when it is a map of whole characters. */
export function readYamlSource(
  file: ForeignFile,
  read: (map: YamlMap, report: Reporter) => ImportDraft,
  dialect: { readonly merge?: boolean } = {},
): ImportDraft {
  const report = reporter(file.path);
  const text = decodeFile(file.bytes, report);
  if (text === undefined) return nothingRead(report);
  const odd = yamlOddity(text.text);
  if (odd !== undefined) {
    report.error('E_IMPORT_SYNTAX', text.at(odd.start), odd.message);
    return nothingRead(report);
  }
  const found = readYaml(file.path, text.text, 'E_IMPORT_SYNTAX', dialect);
  if (found.ok && isMap(found.value.value)) {
    const { value: yaml } = found;
    const at = (...path: readonly PropertyKey[]): LineColumn => {
      const { line = 1, column = 1 } = yaml.place(path);
      return { line, column };
    };
    const half = pathToHalf(yaml.value);
    if (half === undefined) {
      sayYamlNumbers(yaml, report);
      return read({ yaml, value: found.value.value, at }, report);
    }
    report.error('E_IMPORT_SYNTAX', at(...half), HALF);
    return nothingRead(report);
  }
  const problem = found.ok ? undefined : found.diagnostics[0];
  report.error(
    'E_IMPORT_SYNTAX',
    { line: problem?.line ?? 1, column: problem?.column ?? 1 },
    (problem?.message ?? 'The file is not a map').split('\n')[0] ?? '',
  );
  return nothingRead(report);
}
