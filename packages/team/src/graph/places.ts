import type { Piece } from '@cuebook/prompt';
import type { YamlSource } from '@cuebook/yaml';

/** Where facts of a node or an edge are written, by name. Plain JSON: it is in the log of a run. */
export type FactPlaces = {
  readonly ref: string;
  readonly at: { readonly [fact: string]: FactPlace };
};

/** Line and column; with a third number the file has the fact there as it is told. */
export type FactPlace =
  | readonly [line: number, column: number]
  | readonly [line: number, column: number, verbatim: 1];

/** A run of a text: its length in UTF-16 units, and where it is written. */
export type TextRun = readonly [length: number, ...place: FactPlace];

/** The places of facts, each by its path. A fact that is left out has the place of what it belongs to. */
export function factPlaces(
  yaml: YamlSource,
  paths: Readonly<Record<string, readonly PropertyKey[]>>,
): FactPlaces {
  const at = Object.entries(paths).map(([fact, path]) => {
    const [piece, more] = yaml.pieces(path, LABELS);
    return [fact, piece !== undefined && more === undefined ? placeOf(piece) : nearest(yaml, path)] as const;
  });
  return { ref: yaml.file, at: Object.fromEntries(at) };
}

/** Where each run of a text is written. */
export const textRuns = (yaml: YamlSource, path: readonly PropertyKey[]): readonly TextRun[] =>
  yaml.pieces(path, LABELS).map((piece) => [piece.text.length, ...placeOf(piece)]);

const placeOf = ({ origin: { kind, line = 1, column = 1 } }: Piece): FactPlace =>
  kind === 'file' ? [line, column, 1] : [line, column];

function nearest(yaml: YamlSource, path: readonly PropertyKey[]): FactPlace {
  const { line = 1, column = 1 } = yaml.place(path);
  return [line, column];
}

const LABELS = { trust: 'author', secrecy: 'public', volatility: 'build' } as const;
