import type { Labels, Piece } from '@cuebook/prompt';
import type { YamlSource } from '@cuebook/yaml';

export interface PlainObjectOptions {
  /** Tells the line of each text value, counted from its own first line. Left out: every place is `ref`. */
  readonly byLine?: boolean;
}

/**
 * An object that did not come from a file, such as one that an API server answered: its values have no lines in a file,
 * so every place is `ref`, or a line of the value.
 */
export function plainObject(
  ref: string,
  value: unknown,
  { byLine = false }: PlainObjectOptions = {},
): YamlSource {
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
    place: (path) => (byLine && path.length > 0 ? { ref: `${ref} ${path.join('.')}` } : { ref }),
    numbers: () => [],
    pieces: (path, labels) => {
      const text = textAt(path);
      if (typeof text !== 'string' || text === '') return [];
      const at = `${ref} ${path.join('.')}`;
      if (byLine) return linePieces(text, at, labels);
      return [{ text, origin: { kind: 'value', ref: at }, ...labels }];
    },
  };
}

/** One piece a line, each at its line of the value. */
const linePieces = (text: string, ref: string, labels: Labels): readonly Piece[] =>
  (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line, index) => ({
    text: line,
    origin: { kind: 'value', ref, line: index + 1, column: 1 },
    ...labels,
  }));
