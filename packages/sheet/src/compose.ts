import type { Composed, ComposeHow } from '@cuebook/profile';
import {
  type BlockInput,
  besideSources,
  type Diagnostic,
  describeIncludeError,
  isBelow,
  type Labels,
  type Piece,
  type Place,
  piecesText,
  resolveIncludes,
  shellPieces,
} from '@cuebook/prompt';
import { besidePath, contractOf, paramsOf } from './answer.js';
import { historyBlocks } from './history.js';
import { AUTHORED, entriesOf, type InputSlot, type Message, type OpenPart, openParts } from './part.js';
import type { SheetInput } from './schema.js';
import type { SheetSource } from './source.js';

/** The header of the fence around text that is less trusted than the operator. */
export const FENCE_HEADER = 'INPUT_TEXT';

/** A sheet and its inputs to blocks. Inputs that are absent leave no trace. */
export function composeSheet(
  source: SheetSource,
  values: Readonly<Record<string, string>>,
  { isSample = false }: ComposeHow = {},
): Composed {
  const diagnostics: Diagnostic[] = [];
  const blocks = entriesOf(source.sheet).flatMap((entry): readonly BlockInput[] => {
    if ('history' in entry) return historyBlocks(entry.history, values, source.yaml);
    const made = messagePieces(source, entry.message, { values, isSample });
    if (!made.ok) diagnostics.push(made.diagnostic);
    const { name, role } = entry.message;
    return made.ok ? [{ name, role, pieces: made.pieces }] : [];
  });
  const { tools, capabilities, meta } = source.sheet;
  const params = paramsOf(source.sheet);
  const sources = besideSources({ tools, params }, (path) => {
    const at = besidePath(path, source.sheet);
    const [first, ...more] = source.yaml.pieces(at, AUTHORED);
    const isSlice = first !== undefined && more.length === 0;
    return { origin: isSlice ? first.origin : { kind: 'value', ...source.yaml.place(at) }, ...AUTHORED };
  });
  const contract = contractOf(source.sheet);
  const value = {
    ...{ blocks, tools, params, sources, capabilities },
    ...(meta === undefined ? {} : { meta }),
    ...(contract === undefined ? {} : { contract }),
  };
  return diagnostics.length > 0 ? { ok: false, diagnostics, partial: value } : { ok: true, value };
}

interface Given {
  readonly values: Readonly<Record<string, string>>;
  readonly isSample: boolean;
}

type MessagePieces =
  | { readonly ok: true; readonly pieces: readonly Piece[] }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** The parts of a message end to end, texts that it includes put in, inputs filled in. */
function messagePieces(source: SheetSource, { parts }: Message, given: Given): MessagePieces {
  const resolved = resolveIncludes<InputSlot>(
    parts.flatMap((part) => openParts(part, source.yaml)),
    (name): readonly OpenPart[] | undefined => source.texts.get(name),
  );
  if (!resolved.ok) {
    const { at, code } = resolved.error;
    const message = describeIncludeError(resolved.error);
    return { ok: false, diagnostic: { code, severity: 'error', message, ...placeOf(at) } };
  }
  const pieces: Piece[] = [];
  for (const part of resolved.value) {
    const next = 'slot' in part ? slotPieces(source, part, given) : [part];
    pieces.push(...seam(pieces, next), ...next);
  }
  return { ok: true, pieces };
}

const placeOf = ({ ref, line, column }: Place): Pick<Diagnostic, 'file' | 'line' | 'column'> => ({
  file: ref,
  ...(line === undefined ? {} : { line }),
  ...(column === undefined ? {} : { column }),
});

/** What the fence is made of has rules of its own; the rest is there because a part asks for it. */
function slotPieces(source: SheetSource, { name, at, via = [] }: InputSlot, given: Given): readonly Piece[] {
  return inputPieces(source, name, given).map((piece) =>
    piece.origin.kind === 'structure' ? piece : { ...piece, origin: { ...piece.origin, via: [...via, at] } },
  );
}

/** An input as it stands, or inside a fence when it is less trusted than the operator. */
function inputPieces(source: SheetSource, name: string, { values, isSample }: Given): readonly Piece[] {
  const declared = Object.hasOwn(source.sheet.inputs, name) ? source.sheet.inputs[name] : undefined;
  const text = Object.hasOwn(values, name) ? values[name] : undefined;
  if (declared === undefined || !isLabelled(declared) || text === undefined || text === '') return [];
  const { trust, secrecy, volatility } = declared;
  const labels = { trust, secrecy, volatility };
  const value: readonly Piece[] = isSample
    ? samplePieces(source, name, text, labels)
    : [{ text, origin: { kind: 'input', ref: name }, ...labels }];
  if (!isBelow(trust, 'operator')) return value;
  const label = (word: string): Piece => ({
    text: word,
    origin: { kind: 'value', ...source.yaml.place(['inputs', name]) },
    trust: 'author',
    secrecy: 'public',
    volatility: 'build',
  });
  const fields = [
    { key: 'name', value: label(name) },
    { key: 'trust', value: label(trust) },
  ];
  return shellPieces({ header: FENCE_HEADER, fields, body: value, closed: true });
}

/** An example at its place in the sheet; the stand-in for a missing one at that of its input. */
function samplePieces({ yaml }: SheetSource, name: string, text: string, labels: Labels): readonly Piece[] {
  const pieces = yaml.pieces(['inputs', name, 'example'], labels);
  const origin = { kind: 'value', ...yaml.place(['inputs', name]) } as const;
  return piecesText(pieces) === text ? pieces : [{ text, origin, ...labels }];
}

/** An input of a sheet that fits in part may lack labels. */
const isLabelled = ({ trust, secrecy, volatility }: Partial<SheetInput>): boolean =>
  trust !== undefined && secrecy !== undefined && volatility !== undefined;

/** A fence stands on lines of its own: the line break that the text around it lacks. */
function seam(before: readonly Piece[], after: readonly Piece[]): readonly Piece[] {
  const last = before[before.length - 1];
  if (last === undefined || after.length === 0 || last.text.endsWith('\n')) return [];
  const opens = isFence(after[0]);
  const closes = isFence(last);
  if (!opens && (!closes || after[0]?.text.startsWith('\n'))) return [];
  return [
    {
      text: '\n',
      origin: { kind: 'structure', ref: 'seam' },
      trust: 'platform',
      secrecy: 'public',
      volatility: 'build',
    },
  ];
}

const isFence = (piece: Piece | undefined): boolean => piece?.origin.kind === 'structure';
