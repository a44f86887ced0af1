import { guard } from '@cuebook/guard';
import type { Piece, Role } from './block.js';
import { isBelow } from './label.js';
import type { Origin } from './origin.js';
import { piecesText } from './piece.js';
import { surveyOf } from './redact/survey.js';
import type { Refusal } from './refusal.js';
import { mayStartStructure, type Structure, structureOf } from './shell/lex.js';
import { lineAt, lineEnd } from './shell/lines.js';
import { byteOffsets } from './utf8.js';

/** What a gate looks at: a block's pieces and their text end to end. */
export interface GatedBlock {
  readonly name: string;
  readonly role: Role;
  readonly text: string;
  readonly pieces: readonly Piece[];
  /** Whether the text is plain (see `isPlain`): then nothing in it is hidden and lines end at line feeds alone. */
  readonly plain: boolean;
}

/** Secrets and half characters never go out; text below `operator` never stands in a system-role block. */
export function gateLabels(block: GatedBlock): readonly Refusal[] {
  const refusals: Refusal[] = [];
  const isBroken = guard('gate.unicode', !block.plain && !block.text.isWellFormed());
  const refuse = refuser(block);
  let start = 0;
  for (const piece of block.pieces) {
    const code = labelRefusal(piece, block.role, isBroken);
    if (code !== undefined) refusals.push(refuse(code, piece, start));
    start += piece.text.length;
  }
  return refusals;
}

/**
 * No text below `operator` may form a token of structure, on its own or together with its neighbours.
 * A tool call that an agent itself made, in its own assistant-role block, is not a forgery.
 */
export function gateForgery(block: GatedBlock): readonly Refusal[] {
  const { pieces, text, plain } = block;
  if (!pieces.some(isLow)) return [];
  const refusals: Refusal[] = [];
  const refuse = refuser(block);
  let index = 0;
  let start = 0;
  for (let line = 0; line < text.length; ) {
    const end = plain ? nextFeed(text, line) : lineEnd(text, line);
    const token = mayStartStructure(text, line) ? tokenOn(text.slice(line, end), plain) : undefined;
    if (token !== undefined) {
      while (start + (pieces[index] as Piece).text.length <= line) {
        start += (pieces[index] as Piece).text.length;
        index += 1;
      }
      const forger = findForger(block, token, { index, start, tokenEnd: line + token.end });
      if (guard('gate.forgery', forger !== undefined)) {
        const [piece, from] = forger as [Piece, number];
        refusals.push(refuse('E_FORGED_STRUCTURE', piece, from));
      }
    }
    line = plain ? end + 1 : lineAt(text, line).next;
    if (end === text.length) break;
  }
  return refusals;
}

/**
 * The origins of texts below `operator` that form structure where they stand, before anything is cleaned: whoever puts
 * text into lines can choose another form for it. The gate has the last word all the same.
 */
export function findForgers(role: Role, pieces: readonly Piece[]): ReadonlySet<Origin> {
  const text = piecesText(pieces);
  const refusals = gateForgery({ name: '', role, pieces, text, plain: surveyOf(text).isPlain });
  return new Set(refusals.map(({ origin }) => origin));
}

interface Token {
  readonly structure: Structure;
  /** Where the token ends in its line. */
  readonly end: number;
}

/** A field's value may come from anyone: its token ends at the colon. Other tokens take the whole line. */
function tokenOn(line: string, plain: boolean): Token | undefined {
  const structure = structureOf(line, plain);
  if (structure === undefined) return undefined;
  const isField = structure === 'field' && line.startsWith('-');
  return { structure, end: isField ? line.indexOf(':') + 1 : line.length };
}

/** The first low-trust piece that reaches into the token, and where it begins. */
function findForger(
  { pieces, role }: GatedBlock,
  { structure }: Token,
  at: { readonly index: number; readonly start: number; readonly tokenEnd: number },
): readonly [Piece, number] | undefined {
  let from = at.start;
  for (let index = at.index; index < pieces.length && from < at.tokenEnd; index += 1) {
    const piece = pieces[index] as Piece;
    if (piece.text !== '' && isLow(piece)) {
      const isOwnCall = structure === 'tool-call' && role === 'assistant' && piece.trust === 'agent';
      if (!isOwnCall) return [piece, from];
    }
    from += piece.text.length;
  }
  return undefined;
}

const isLow = (piece: Piece): boolean => isBelow(piece.trust, 'operator');

const nextFeed = (text: string, from: number): number => {
  const feed = text.indexOf('\n', from);
  return feed === -1 ? text.length : feed;
};

function labelRefusal(piece: Piece, role: Role, isBroken: boolean): Refusal['code'] | undefined {
  if (guard('gate.secrecy', piece.secrecy === 'secret')) return 'E_SECRET_IN_PROMPT';
  if (guard('gate.trust', role === 'system' && isBelow(piece.trust, 'operator'))) return 'E_TRUST_IN_SYSTEM';
  if (isBroken && !piece.text.isWellFormed()) return 'E_NOT_UNICODE';
  return undefined;
}

/** Refusals of one block, made in text order. */
function refuser(block: GatedBlock): (code: Refusal['code'], piece: Piece, start: number) => Refusal {
  let bytes: ((at: number) => number) | undefined;
  return (code, piece, start) => {
    bytes ??= byteOffsets(block.text);
    return {
      code,
      block: block.name,
      start: bytes(start),
      end: bytes(start + piece.text.length),
      origin: piece.origin,
    };
  };
}
