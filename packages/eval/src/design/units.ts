import { type BlockInput, cutPieces, isBelow, isVerbatim, type Piece } from '@cuebook/prompt';
import { findObligations } from '@cuebook/prompt/diff';
import { rangesOf } from '../edit/apply.js';
import type { EditPlace } from '../edit/edit.js';

/** What is left out at a time: a sentence that demands or forbids, a list item or paragraph, or a whole file. */
export const UNIT_KINDS = ['obligation', 'part', 'origin'] as const;
export type UnitKind = (typeof UNIT_KINDS)[number];

/** A part of a prompt that reads well without it. */
export interface PromptUnit {
  readonly at: EditPlace;
  readonly text: string;
  /** Where it begins; undefined where it has no place in a file. */
  readonly file?: string;
  readonly line?: number;
}

/**
 * The units of a prompt, in its order. Only public words of authors and operators are units: what cases hand in, what is
 * confidential and what is structure stays in every variant.
 */
export function unitsOf(blocks: readonly BlockInput[], kind: UnitKind): readonly PromptUnit[] {
  const found = new Map<string, PromptUnit>();
  for (const block of blocks)
    for (const unit of inBlock(block, kind)) {
      const key = JSON.stringify(unit.at);
      if (!found.has(key)) found.set(key, unit);
    }
  return [...found.values()];
}

function inBlock(block: BlockInput, kind: UnitKind): readonly PromptUnit[] {
  if (kind === 'obligation') return block.role === 'system' ? obligationsIn(block) : [];
  const pieces = block.pieces.filter(isUnitText);
  if (kind === 'origin')
    return pieces.map(({ text, origin: { ref, line } }) => ({
      at: { kind: 'origin', ref },
      text,
      file: ref,
      ...(line === undefined ? {} : { line }),
    }));
  return pieces.flatMap(partsOf);
}

/** Fields of a shell are data of its structure; a body is text. */
const isUnitText = ({ text, trust, secrecy, origin, form = 'body' }: Piece): boolean =>
  form === 'body' &&
  (origin.kind === 'file' || origin.kind === 'value') &&
  secrecy === 'public' &&
  !isBelow(trust, 'operator') &&
  text.trim() !== '';

function obligationsIn(block: BlockInput): readonly PromptUnit[] {
  const words = block.pieces.map((piece) => (isBelow(piece.trust, 'operator') ? '\n' : piece.text)).join('');
  return findObligations(words).flatMap(({ text }): PromptUnit[] => {
    const at: EditPlace = { kind: 'obligation', text };
    const [range] = rangesOf(block, at);
    if (range === undefined) return [];
    const gone = cutPieces(block.pieces, ...range);
    if (!gone.every((piece) => isUnitText(piece) || piece.text.trim() === '')) return [];
    const [first] = gone.filter(isUnitText);
    const { ref, line } = first?.origin ?? { ref: undefined, line: undefined };
    return [
      {
        at,
        text,
        ...(ref === undefined ? {} : { file: ref }),
        ...(line === undefined ? {} : { line }),
      },
    ];
  });
}

/** The list items and paragraphs of a piece; a line that ends a sentence ends a paragraph. Titles are no parts. */
function partsOf(piece: Piece): readonly PromptUnit[] {
  const { origin, text } = piece;
  const { ref, line: first } = origin;
  if (first === undefined) return [];
  if (!isVerbatim(origin))
    return [{ at: { kind: 'origin', ref, lines: [first, first] }, text, file: ref, line: first }];
  const units: PromptUnit[] = [];
  let open: { from: number; lines: string[] } | undefined;
  let fence = false;
  const close = (): void => {
    if (open === undefined) return;
    const { from, lines } = open;
    units.push({
      at: { kind: 'origin', ref, lines: [from, from + lines.length - 1] },
      text: lines.join('\n').trim(),
      file: ref,
      line: from,
    });
    open = undefined;
  };
  for (const [index, line] of text.split('\n').entries()) {
    const isMark = /^\s*(?:```|~~~)/u.test(line);
    if (!fence && (line.trim() === '' || /^#/u.test(line) || /^\s*(?:[-*+•]|\d{1,3}[.)])\s/u.test(line)))
      close();
    if (isMark && !fence) close();
    if (!fence && (line.trim() === '' || /^#/u.test(line))) continue;
    open ??= { from: first + index, lines: [] };
    open.lines.push(line);
    if (isMark) {
      fence = !fence;
      if (!fence) close();
    } else if (!fence && /[.!?。！？]["'”’)*]*\s*$/u.test(line)) close();
  }
  close();
  return units;
}

/** Whether words of a case have to do with a unit: a word that matters stands in both. */
export function concerns(unit: string, words: string): boolean {
  const known = contentWords(words);
  return [...contentWords(unit)].some((word) => known.has(word));
}

/** Words of four letters or more, without those that stand in every sentence; plurals count as their singular. */
export function contentWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
  return new Set(
    words.filter((word) => !COMMON.has(word)).map((word) => word.replace(/(?<=\p{L}{3})s$/u, '')),
  );
}

const COMMON = new Set(
  'about above after again against also always answer answers another before being below between both cannot could does doing done down during each either else ever every first from gets give given gives good have having here into itself just keep last like made make makes making many more most much must need needs never only onto other others over please same shall should since some such sure take takes tell tells than that their them then there these they this those through under unless until upon used uses using very want wants were what when where whether which while will with within without word words would write your yours yourself'.split(
    ' ',
  ),
);
