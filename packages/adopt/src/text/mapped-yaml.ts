import type { YamlSource } from '@cuebook/yaml';
import { type MappedText, mappedRuns } from './mapped.js';

const LABELS = { trust: 'author', secrecy: 'public', volatility: 'build' } as const;

/** A text of a YAML document with the places of its lines; undefined when there is no text at the path. */
export function mappedYaml(yaml: YamlSource, path: readonly PropertyKey[]): MappedText | undefined {
  let value = yaml.value;
  for (const key of path) value = (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[key];
  if (typeof value !== 'string') return undefined;
  let start = 0;
  const runs = yaml.pieces(path, LABELS).map(({ text, origin }) => {
    const run = { start, place: { line: origin.line ?? 1, column: origin.column ?? 1 } };
    start += text.length;
    return run;
  });
  return mappedRuns(value, runs);
}
