import type { Composed, ComposeHow } from '@cuebook/profile';
import {
  type BlockInput,
  besideSources,
  type Diagnostic,
  describeIncludeError,
  type IncludePart,
  isBelow,
  type Labels,
  type Piece,
  piecesText,
  resolveIncludes,
  shellPieces,
} from '@cuebook/prompt';
import type { SheetInput, SheetPart } from './schema.js';
import { AUTHORED, type SheetSource, textParts } from './source.js';

/** The header of the fence around text that is less trusted than the operator. */
export const FENCE_HEADER = 'INPUT_TEXT';

/** A sheet and its inputs to blocks. Inputs that are absent leave no trace; a block of a part of a sheet may lack its name or role. */
export function composeSheet(
  source: SheetSource,
  values: Readonly<Record<string, string>>,
  { isSample = false }: ComposeHow = {},
): Composed {
  const diagnostics: Diagnostic[] = [];
  const blocks = source.sheet.blocks.flatMap(({ name, role, parts }, b): BlockInput[] => {
    const pieces: Piece[] = [];
    parts.forEach((part, p) => {
      const result = partPieces(source, part, ['blocks', b, 'parts', p], { values, isSample });
      if (Array.isArray(result)) pieces.push(...seam(pieces, result, 'input' in part), ...result);
      else diagnostics.push(result as Diagnostic);
    });
    return [{ name: name ?? `block ${b + 1}`, role: role ?? 'user', pieces }];
  });
  const { tools, params, capabilities } = source.sheet;
  const sources = besideSources({ tools, params }, (path) => {
    const [first, ...more] = source.yaml.pieces(path, AUTHORED);
    const isSlice = first !== undefined && more.length === 0;
    return { origin: isSlice ? first.origin : { kind: 'value', ...source.yaml.place(path) }, ...AUTHORED };
  });
  const value = { blocks, tools, params, sources, capabilities };
  return diagnostics.length > 0 ? { ok: false, diagnostics, partial: value } : { ok: true, value };
}

interface Given {
  readonly values: Readonly<Record<string, string>>;
  readonly isSample: boolean;
}

function partPieces(
  source: SheetSource,
  part: SheetPart,
  path: readonly PropertyKey[],
  given: Given,
): readonly Piece[] | Diagnostic {
  if ('input' in part) {
    const via = [source.yaml.place([...path, 'input'])];
    // What the fence is made of has rules of its own; the rest is there because a part asks for it.
    return inputPieces(source, part.input, given).map((piece) =>
      piece.origin.kind === 'structure' ? piece : { ...piece, origin: { ...piece.origin, via } },
    );
  }
  const resolved = resolveIncludes(
    textParts(part, source.yaml, path),
    (name): readonly IncludePart[] | undefined => source.texts.get(name),
  );
  if (resolved.ok) return resolved.value;
  const { at, code } = resolved.error;
  return {
    code,
    severity: 'error',
    message: describeIncludeError(resolved.error),
    file: at.ref,
    ...(at.line === undefined ? {} : { line: at.line }),
    ...(at.column === undefined ? {} : { column: at.column }),
  };
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
function seam(before: readonly Piece[], after: readonly Piece[], isInput: boolean): readonly Piece[] {
  const last = before[before.length - 1];
  if (last === undefined || after.length === 0 || last.text.endsWith('\n')) return [];
  const opens = isInput && after[0]?.origin.kind === 'structure';
  const closes = last.origin.kind === 'structure';
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
