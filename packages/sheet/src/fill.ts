import { guard } from '@cuebook/guard';
import { isBelow, type Labels, type Piece, type Place, piecesText, shellPieces } from '@cuebook/prompt';
import type { SheetInput } from './schema.js';
import { misfit } from './shape/shape.js';
import type { SheetSource } from './source.js';

/** What a caller hands in. */
export interface HandedIn {
  readonly values: Readonly<Record<string, string>>;
  /** The author's own examples stand in. */
  readonly isSample: boolean;
  readonly work: Work;
}

/** How much templates may still include, and the texts that they are in the midst of. */
export interface Work {
  readonly open: Set<string>;
  left: number;
}

/** Texts that the templates of a sheet include in all. */
const MAX_INCLUDED = 2_000;

export const newWork = (): Work => ({ open: new Set(), left: MAX_INCLUDED });

/** Text of an input as it stands in a message, or why it cannot. */
export type FilledInput =
  | { readonly kind: 'line' | 'fence'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'misfit'; readonly why: string };

/** Text that was handed in, or computed from it, at a place of a message. */
export interface StandingText {
  /** The input, or the inputs that it was computed from. */
  readonly name: string;
  /** What asks for it. */
  readonly at: Place;
  readonly filled: FilledInput;
  /** The same inside a fence; undefined where the author wants it refused instead. */
  readonly fenced: (() => FilledInput) | undefined;
}

/** Where an input is put, and what led there. */
export interface StandsAt {
  readonly at: Place;
  readonly via: readonly Place[];
}

/** The header of the fence around text that is less trusted than the operator. */
const FENCE_HEADER = 'INPUT_TEXT';

/**
 * What was handed in for an input. It stands in its line when it is trusted, or fits the shape that its author
 * declared; else in a fence. A text of an enumeration is the author's own. `part`: one text of a list.
 */
export function standInput(
  source: SheetSource,
  name: string,
  place: StandsAt,
  { values, isSample }: Pick<HandedIn, 'values' | 'isSample'>,
  part?: string,
): StandingText | undefined {
  const declared = declaredInput(source, name);
  const value = part ?? (Object.hasOwn(values, name) ? values[name] : undefined);
  if (declared === undefined || value === undefined || value === '') return undefined;
  const led = (pieces: readonly Piece[]): readonly Piece[] => pieces.map((piece) => ledTo(piece, place));
  const own = led(isSample ? samplePieces(source, name, value) : handedIn(name, value, declared));
  const fenced = (): FilledInput => fence(source, [name], declared.trust, own);
  const { shape, otherwise = 'refuse', trust } = declared;
  const stands = (filled: FilledInput): StandingText => ({
    name,
    at: place.at,
    filled,
    fenced: shape !== undefined && otherwise === 'refuse' ? undefined : fenced,
  });
  if (shape === undefined)
    return stands(isBelow(trust, 'operator') ? fenced() : { kind: 'line', pieces: own });
  const why = misfit(value, shape);
  // An example that does not fit has been told by a check.
  if (why === undefined || isSample) {
    const chosen = 'enum' in shape ? shape.enum.indexOf(value) : -1;
    return stands({ kind: 'line', pieces: chosen < 0 ? own : led(chosenPieces(source, name, chosen)) });
  }
  return stands(guard('shape.refuse', otherwise === 'refuse') ? { kind: 'misfit', why } : fenced());
}

/** Text inside a fence, on lines of its own. */
export function fence(
  { yaml }: SheetSource,
  names: readonly string[],
  trust: string,
  body: readonly Piece[],
): FilledInput {
  const label = (word: string): Piece => ({
    text: word,
    origin: { kind: 'value', ...yaml.place(['inputs', names[0] ?? '']) },
    trust: 'author',
    secrecy: 'public',
    volatility: 'build',
  });
  const fields = [
    { key: 'name', value: label(names.join(', ')) },
    { key: 'trust', value: label(trust) },
  ];
  return { kind: 'fence', pieces: shellPieces({ header: FENCE_HEADER, fields, body, closed: true }) };
}

const handedIn = (
  name: string,
  text: string,
  { trust, secrecy, volatility }: SheetInput,
): readonly Piece[] => [{ text, origin: { kind: 'input', ref: name }, trust, secrecy, volatility }];

/** An example at its place in the sheet; the stand-in for a missing one at that of its input. */
function samplePieces({ yaml, sheet }: SheetSource, name: string, text: string): readonly Piece[] {
  const { trust, secrecy, volatility } = sheet.inputs[name] as SheetInput;
  const labels = { trust, secrecy, volatility };
  const pieces = yaml.pieces(['inputs', name, 'example'], labels);
  const origin = { kind: 'value', ...yaml.place(['inputs', name]) } as const;
  return piecesText(pieces) === text ? pieces : [{ text, origin, ...labels }];
}

/** The text of an enumeration, where its author wrote it. */
function chosenPieces({ yaml, sheet }: SheetSource, name: string, chosen: number): readonly Piece[] {
  const { secrecy, volatility } = sheet.inputs[name] as SheetInput;
  return yaml.pieces(['inputs', name, 'shape', 'enum', chosen], { trust: 'author', secrecy, volatility });
}

const ledTo = (piece: Piece, { at, via }: StandsAt): Piece => ({
  ...piece,
  origin: { ...piece.origin, via: [...via, at] },
});

/** The labels of what is computed from an input: a text of an enumeration is the author's own. */
export function computedLabels({ trust, secrecy, volatility, shape, otherwise }: SheetInput): Labels {
  const isChosen = shape !== undefined && 'enum' in shape && otherwise !== 'fence';
  return { trust: isChosen ? 'author' : trust, secrecy, volatility };
}

/** The declaration of an input with its labels; an input of a sheet that fits in part may lack some. */
export function declaredInput({ sheet }: Pick<SheetSource, 'sheet'>, name: string): SheetInput | undefined {
  const declared: Partial<SheetInput> | undefined = Object.hasOwn(sheet.inputs, name)
    ? sheet.inputs[name]
    : undefined;
  if (declared?.trust === undefined || declared.secrecy === undefined || declared.volatility === undefined) {
    return undefined;
  }
  return declared as SheetInput;
}
