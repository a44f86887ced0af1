import type { Piece, Role } from './block.js';
import { guard } from './guard.js';
import { isBelow } from './label.js';
import type { Refusal } from './refusal.js';
import { mayStartStructure, structureOf } from './shell/lex.js';
import { lineAt, lineEnd, lineStartBefore } from './shell/lines.js';
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
 * Only lines that hold such text are read, each once.
 */
export function gateForgery(block: GatedBlock): readonly Refusal[] {
  const { pieces, text } = block;
  const refusals: Refusal[] = [];
  const refuse = refuser(block);
  let start = 0;
  let read = 0;
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index] as Piece;
    const end = start + piece.text.length;
    if (end > read && start < end && isBelow(piece.trust, 'operator')) {
      let line = lineStartBefore(text, Math.max(start, read), read);
      while (line < end) {
        const stop = block.plain ? nextFeed(text, line) : lineEnd(text, line);
        if (guard('gate.forgery', isForged(block, line, stop, index, start))) {
          refusals.push(refuse('E_FORGED_STRUCTURE', piece, start));
          read = end;
          break;
        }
        read = block.plain ? stop + 1 : lineAt(text, line).next;
        if (stop === text.length) break;
        line = read;
      }
    }
    start = end;
  }
  return refusals;
}

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

/**
 * True when low-trust text reaches into the token of the line `[line, end)`. `pieces[index]`, which begins at
 * `start`, is the first low-trust piece on that line.
 */
function isForged(block: GatedBlock, line: number, end: number, index: number, start: number): boolean {
  const { text, pieces, role, plain } = block;
  if (!mayStartStructure(text.charCodeAt(line))) return false;
  const content = text.slice(line, end);
  const structure = structureOf(content, plain);
  if (structure === undefined) return false;
  // A field's value may come from anyone: its token ends at the colon. Other tokens take the whole line.
  const tokenEnd = structure === 'field' && content.startsWith('-') ? line + content.indexOf(':') + 1 : end;
  if (start >= tokenEnd) return false;
  if (structure !== 'tool-call' || role !== 'assistant') return true;
  for (let from = start, at = index; at < pieces.length && from < end; at += 1) {
    const { trust, text: own } = pieces[at] as Piece;
    if (own !== '' && isBelow(trust, 'operator') && trust !== 'agent') return true;
    from += own.length;
  }
  return false;
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
