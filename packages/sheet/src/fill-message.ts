import { guard } from '@cuebook/guard';
import {
  type Diagnostic,
  fail,
  findForgers,
  isBelow,
  ok,
  type Piece,
  type Result,
  type Role,
} from '@cuebook/prompt';
import { type FilledInput, type HandedIn, type StandingText, standInput } from './fill.js';
import type { OpenSlot } from './part.js';
import type { SheetSource } from './source.js';
import { executeSlot } from './template/execute.js';
import { problemAt } from './template/parse.js';

/** What a message is made of once its slots are filled in. */
export type FilledItem = Piece | StandingText;

/** The items of parts: inputs are put in, templates executed. Errors of templates are told. */
export function fillParts(
  source: SheetSource,
  parts: readonly (Piece | OpenSlot)[],
  given: HandedIn,
): { readonly items: readonly FilledItem[]; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const items = parts.flatMap((part): readonly FilledItem[] => {
    if (!('slot' in part)) return part.text === '' ? [] : [part];
    if (part.slot === 'input') {
      const { name, at, via = [] } = part;
      const standing = standInput(source, name, { at, via }, given);
      return standing === undefined ? [] : [standing];
    }
    const executed = executeSlot(source, part, given, fillParts);
    if (executed.ok) return executed.value;
    diagnostics.push(executed.error);
    return [];
  });
  return { items, diagnostics };
}

/**
 * A message with its slots filled in. Text of an input that would read as structure where it stands, alone or together
 * with the text around it, does not fit its shape.
 */
export function fillMessage(
  source: SheetSource,
  role: Role,
  parts: readonly (Piece | OpenSlot)[],
  given: HandedIn,
): Result<readonly Piece[], readonly Diagnostic[]> {
  const { items: first, diagnostics } = fillParts(source, parts, given);
  const items = [...first];
  // Every round takes text out of its line, so there are no more rounds than items.
  for (let changed = items.some(isLowInLine); guard('shape.structure', changed); ) {
    changed = false;
    const forgers = findForgers(role, joinItems(items));
    items.forEach((item, index) => {
      if (!isInLine(item) || !item.filled.pieces.some(({ origin }) => forgers.has(origin))) return;
      items[index] = { ...item, filled: item.fenced?.() ?? READS_AS_STRUCTURE };
      changed = true;
    });
  }
  const misfits = items.flatMap((item): readonly Diagnostic[] => {
    if (!('filled' in item) || item.filled.kind !== 'misfit') return [];
    const message = `The input "${item.name}" does not fit its shape: ${item.filled.why}`;
    return [problemAt(item.at, 'E_INPUT_SHAPE', message)];
  });
  const wrong = [...diagnostics, ...misfits];
  return wrong.length > 0 ? fail(wrong) : ok(joinItems(items));
}

const READS_AS_STRUCTURE: FilledInput = { kind: 'misfit', why: 'it would read as structure where it stands' };

interface InLine extends StandingText {
  readonly filled: Extract<FilledInput, { readonly pieces: readonly Piece[] }>;
}

const isInLine = (item: FilledItem): item is InLine => 'filled' in item && item.filled.kind === 'line';

const isLowInLine = (item: FilledItem): boolean =>
  isInLine(item) && item.filled.pieces.some(({ trust }) => isBelow(trust, 'operator'));

/** Items end to end. A fence stands on lines of its own: with the line break that the text around it lacks. */
export function joinItems(items: readonly FilledItem[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let isFence = false;
  for (const item of items) {
    const own = 'filled' in item ? (item.filled.kind === 'misfit' ? [] : item.filled.pieces) : [item];
    if (own.length === 0) continue;
    const opens = 'filled' in item && item.filled.kind === 'fence';
    const last = pieces.at(-1);
    const closes = isFence && !own[0]?.text.startsWith('\n');
    if (last !== undefined && !last.text.endsWith('\n') && (opens || closes)) pieces.push(SEAM);
    for (const piece of own) pieces.push(piece);
    isFence = opens;
  }
  return pieces;
}

const SEAM: Piece = {
  text: '\n',
  origin: { kind: 'structure', ref: 'seam' },
  trust: 'platform',
  secrecy: 'public',
  volatility: 'build',
};
