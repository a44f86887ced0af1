import type { YamlSource } from '@cuebook/yaml';

/**
 * An object that did not come from a file, such as one that an API server answered: its values have no lines,
 * so every place is `ref`.
 */
export function plainObject(ref: string, value: unknown): YamlSource {
  const textAt = (path: readonly PropertyKey[]): unknown => {
    let here = value;
    for (const key of path) {
      if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
      here = (here as Readonly<Record<PropertyKey, unknown>>)[key];
    }
    return here;
  };
  return {
    file: ref,
    value,
    place: () => ({ ref }),
    pieces: (path, labels) => {
      const text = textAt(path);
      if (typeof text !== 'string' || text === '') return [];
      return [{ text, origin: { kind: 'value', ref: `${ref} ${path.join('.')}` }, ...labels }];
    },
  };
}
