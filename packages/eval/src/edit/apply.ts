import { guard } from '@cuebook/guard';
import {
  type BlockInput,
  cutPieces,
  fail,
  isVerbatim,
  type OfferedTool,
  ok,
  type Piece,
  piecesText,
  type Result,
} from '@cuebook/prompt';
import type { EditPlace, PromptEdit } from './edit.js';
import { neutralWords } from './neutral.js';

/** A request before its gates. */
export interface EditableRequest {
  readonly blocks: readonly BlockInput[];
  readonly tools: readonly OfferedTool[];
  readonly params: Readonly<Record<string, unknown>>;
}

export interface EditRefusal {
  readonly code: 'E_EDIT_PROTECTED';
  readonly message: string;
}

export interface Edited extends EditableRequest {
  /** How many places each edit has changed, in the order of the edits. Zero: it matches nothing here. */
  readonly matched: readonly number[];
}

export interface EditOptions {
  /** The words of a replacement with their labels: who could have written them decides where they may stand. */
  readonly words: (by: Extract<PromptEdit, { readonly edit: 'replace' }>['by']) => Omit<Piece, 'form'>;
  /** Confidential text may be edited: whoever asks may see it. */
  readonly reveal?: boolean;
}

/**
 * Applies edits to the pieces of a request. Nothing but the named places changes, and the result has passed no gate: it is
 * composed like any other, so an edit cannot say what an author could not.
 */
export function applyEdits(
  request: EditableRequest,
  edits: readonly PromptEdit[],
  options: EditOptions,
): Result<Edited, EditRefusal> {
  let current: EditableRequest = request;
  const matched: number[] = [];
  for (const edit of edits) {
    const done = applyEdit(current, edit, options);
    if (!done.ok) return done;
    current = done.value.request;
    matched.push(done.value.count);
  }
  return ok({ ...current, matched });
}

interface Applied {
  readonly request: EditableRequest;
  readonly count: number;
}

function applyEdit(
  request: EditableRequest,
  edit: PromptEdit,
  options: EditOptions,
): Result<Applied, EditRefusal> {
  if (edit.edit === 'model')
    return ok({ request: { ...request, params: { ...request.params, model: edit.model } }, count: 1 });
  if (edit.edit === 'param')
    return ok({ request: { ...request, params: { ...request.params, [edit.name]: edit.value } }, count: 1 });
  if (edit.edit === 'tool') {
    const tools = request.tools.filter(({ name }) => name !== edit.remove);
    return ok({ request: { ...request, tools }, count: request.tools.length - tools.length });
  }
  return applyToBlocks(request, edit, options);
}

type WordEdit = Extract<PromptEdit, { readonly edit: 'drop' | 'neutral' | 'replace' }>;

function applyToBlocks(
  request: EditableRequest,
  edit: WordEdit,
  options: EditOptions,
): Result<Applied, EditRefusal> {
  const blocks: BlockInput[] = [];
  let count = 0;
  for (const block of request.blocks) {
    const found = rangesOf(block, edit.at);
    const ranges = edit.edit === 'drop' ? found.map((range) => folded(block.pieces, range)) : found;
    count += ranges.length;
    const refused = ranges
      .flatMap(([start, end]) => cutPieces(block.pieces, start, end))
      .find((piece) => isProtected(piece, edit.at, options));
    if (refused !== undefined)
      return fail({
        code: 'E_EDIT_PROTECTED',
        message:
          refused.secrecy === 'public'
            ? `Block ${block.name}: structure is not edited`
            : `Block ${block.name}: confidential text is edited with --reveal alone`,
      });
    const pieces = ranges.length === 0 ? block.pieces : rewritten(block.pieces, ranges, edit, options);
    if (ranges.length === 0 || pieces.some(({ text }) => text.trim() !== ''))
      blocks.push({ ...block, pieces });
  }
  return ok({ request: { ...request, blocks }, count });
}

/** Inside a block that goes as a whole, its own structure goes with it; a part of a block leaves structure alone. */
function isProtected({ origin, secrecy }: Piece, at: EditPlace, { reveal = false }: EditOptions): boolean {
  const isStructure = (origin.kind === 'structure' || origin.kind === 'redaction') && at.kind !== 'block';
  return guard('edit.protected', isStructure || (secrecy !== 'public' && !reveal));
}

/** From UTF-16 unit to unit of the text of a block. */
type TextRange = readonly [start: number, end: number];

/** Where a place stands in the text of a block. */
export function rangesOf(block: BlockInput, at: EditPlace): readonly TextRange[] {
  const text = piecesText(block.pieces);
  if (at.kind === 'block') return at.name === block.name && text !== '' ? [[0, text.length]] : [];
  if (at.kind === 'obligation') return obligationRanges(text, at.text);
  const found: TextRange[] = [];
  let start = 0;
  for (const piece of block.pieces) {
    for (const [from, to] of linesIn(piece, at)) found.push([start + from, start + to]);
    start += piece.text.length;
  }
  return joined(found);
}

/** The parts of a piece that come from the lines of an origin. */
function linesIn(
  piece: Piece,
  { ref, lines }: Extract<EditPlace, { readonly kind: 'origin' }>,
): readonly TextRange[] {
  const { origin, text } = piece;
  if (origin.ref !== ref || origin.kind === 'structure' || origin.kind === 'redaction' || text === '')
    return [];
  if (lines === undefined) return [[0, text.length]];
  const [first, last] = lines;
  if (origin.line === undefined) return [];
  // Only the start of decoded text is known: it goes as a whole or not at all.
  if (!isVerbatim(origin)) return origin.line >= first && origin.line <= last ? [[0, text.length]] : [];
  let [line, at, from] = [origin.line, 0, -1];
  let to = -1;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const next = end === -1 ? text.length : end + 1;
    if (line >= first && line <= last) {
      if (from === -1) from = at;
      to = next;
    }
    line += 1;
    at = next;
  }
  return from === -1 ? [] : [[from, to]];
}

/** A gap of blank lines that a removal would leave goes with it, unless it is structure. */
function folded(pieces: readonly Piece[], [start, end]: TextRange): TextRange {
  const text = piecesText(pieces);
  if (start > 0 && !text.slice(0, start).endsWith('\n\n')) return [start, end];
  let to = end;
  while (text[to] === '\n' && cutPieces(pieces, to, to + 1)[0]?.origin.kind !== 'structure') to += 1;
  return [start, to];
}

const joined = (ranges: readonly TextRange[]): readonly TextRange[] => {
  const all: [number, number][] = [];
  for (const [start, end] of ranges) {
    const before = all.at(-1);
    if (before !== undefined && before[1] === start) before[1] = end;
    else all.push([start, end]);
  }
  return all;
};

/** Where a sentence stands, however its white space is; with its list mark and line where it has a line to itself. */
function obligationRanges(text: string, sentence: string): readonly TextRange[] {
  const words = sentence.trim().split(/\s+/u).map(escaped).join('\\s+');
  const found: TextRange[] = [];
  for (const match of text.matchAll(new RegExp(words, 'gu'))) {
    let [start, end] = [match.index, match.index + match[0].length];
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    const lineEnd = text.indexOf('\n', end);
    const before = text.slice(lineStart, start);
    const after = text.slice(end, lineEnd === -1 ? text.length : lineEnd);
    if (/^\s*(?:[-*+•]|\d{1,3}[.)])?\s*$/u.test(before) && after.trim() === '') {
      start = lineStart;
      end = lineEnd === -1 ? text.length : lineEnd + 1;
    } else if (before !== '' && /\s$/u.test(before) && after.trim() === '') start -= 1;
    else if (/^[ \t]/u.test(after)) end += 1;
    found.push([start, end]);
  }
  return found;
}

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&');

function rewritten(
  pieces: readonly Piece[],
  ranges: readonly TextRange[],
  edit: WordEdit,
  options: EditOptions,
): readonly Piece[] {
  const length = piecesText(pieces).length;
  const result: Piece[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    result.push(...cutPieces(pieces, at, start));
    result.push(...instead(cutPieces(pieces, start, end), edit, options));
    at = end;
  }
  result.push(...cutPieces(pieces, at, length));
  return result;
}

/** What stands in the place of pieces. Line ends at the end of what is replaced stay. */
function instead(gone: readonly Piece[], edit: WordEdit, { words }: EditOptions): readonly Piece[] {
  const [first] = gone;
  if (edit.edit === 'drop' || first === undefined) return [];
  const text = piecesText(gone);
  const tail = /\n*$/u.exec(text)?.[0] ?? '';
  const head = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/u.exec(text)?.[0] ?? '';
  if (edit.edit === 'replace') {
    const piece = words(edit.by);
    const kept = piece.text.replace(/\n*$/u, '');
    return [{ ...piece, text: `${kept}${tail}`, ...(first.form && { form: first.form }) }];
  }
  return [
    {
      ...first,
      text: `${head}${neutralWords(text.length - tail.length - head.length)}${tail}`,
      origin: { kind: 'shipped', ref: 'neutral words' },
      trust: first.trust,
    },
  ];
}
