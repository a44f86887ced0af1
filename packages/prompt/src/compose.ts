import { isPlainBlock } from './ascii.js';
import type { Block, BlockInput, Piece, Prompt, Redaction, Span } from './block.js';
import { type GatedBlock, gateForgery, gateLabels } from './gates.js';
import { guard } from './guard.js';
import { isBelow } from './label.js';
import { cutPieces, piecesText } from './piece.js';
import { joinBlocks } from './project.js';
import type { JsonValue } from './redact/leak-context.js';
import type { Redactor } from './redact/redactor.js';
import { redactionsOf } from './redaction.js';
import type { Refusal } from './refusal.js';
import { type PieceReplacement, replaceInPieces } from './replace.js';
import { fail, ok, type Result } from './result.js';
import { utf8Length } from './utf8.js';
import { findInvisible } from './visible.js';

/** A digest of a text's UTF-8 bytes, written `sha256:` and 64 hex digits. */
export type Hash = (text: string) => string;

export interface ComposeInput {
  readonly blocks: readonly BlockInput[];
  readonly hash: Hash;
  readonly redactor: Redactor;
}

/**
 * Turns blocks into a prompt that may be sent, or says why not. In this order: labels are checked, invisible
 * characters in text below `author` are shown, private paths, names and credentials are aliased or masked,
 * forged structure is refused, and a last look at the canonicalised bytes refuses what still leaks.
 * Same input, same bytes. Every refusal is reported, not just the first.
 */
export function compose({ blocks, hash, redactor }: ComposeInput): Result<Prompt, readonly Refusal[]> {
  const refusals: Refusal[] = [...duplicateNames(blocks)];
  const composed: Block[] = [];
  const redactions: Redaction[] = [];
  for (const input of blocks) {
    const raw = toGated(input);
    const refused = gateLabels(raw);
    refusals.push(...refused);
    if (refused.length > 0) continue;
    const clean = redact(showInvisible(raw), redactor);
    refusals.push(...gateForgery(clean), ...gateLeaks(clean, redactor));
    const block = attach(toBlock(clean, hash), input, redactor);
    composed.push(block);
    if (clean !== raw) redactions.push(...redactionsOf(block));
  }
  if (refusals.length > 0) return fail(refusals);
  const text = joinBlocks(composed);
  return ok({ blocks: composed, text, hash: hash(text), redactions });
}

function showInvisible(block: GatedBlock): GatedBlock {
  if (block.plain) return block;
  const found: PieceReplacement[] = [];
  let base = 0;
  for (const { text, trust } of block.pieces) {
    if (isBelow(trust, 'author')) {
      for (const { start, end, text: shown } of findInvisible(text)) {
        found.push({ start: base + start, end: base + end, text: shown, kind: 'invisible' });
      }
    }
    base += text.length;
  }
  return replaceAll(block, found);
}

/**
 * What only looks private by its shape is left alone in text that ships with Cuebook, unless something known
 * hides in it.
 */
function redact(block: GatedBlock, redactor: Redactor): GatedBlock {
  const found = redactor.find(block.text);
  if (found.length === 0) return block;
  const isShipped = shippedRanges(block.pieces);
  const kept = found.filter((each) => each.known || !isShipped(each.start, each.end));
  const lenient = replaceAll(block, kept);
  if (kept.length === found.length || redactor.leaks(lenient.text).length === 0) return lenient;
  return replaceAll(block, found);
}

/** Whether a range lies in platform text alone. Ranges are asked for in text order. */
function shippedRanges(pieces: readonly Piece[]): (start: number, end: number) => boolean {
  let index = 0;
  let base = 0;
  return (start, end) => {
    while (index < pieces.length && base + (pieces[index] as Piece).text.length <= start) {
      base += (pieces[index] as Piece).text.length;
      index += 1;
    }
    for (let at = index, from = base; at < pieces.length && from < end; at += 1) {
      const piece = pieces[at] as Piece;
      if (piece.trust !== 'platform' && piece.text !== '') return false;
      from += piece.text.length;
    }
    return true;
  };
}

function replaceAll(block: GatedBlock, found: readonly PieceReplacement[]): GatedBlock {
  if (found.length === 0) return block;
  return toGated({ ...block, pieces: replaceInPieces(block.pieces, found) });
}

function toGated({ name, role, pieces }: BlockInput): GatedBlock {
  const text = piecesText(pieces);
  return { name, role, pieces, text, plain: isPlainBlock(text) };
}

/** One refusal for each kind of thing that leaks from the block. */
function gateLeaks(block: GatedBlock, redactor: Redactor): readonly Refusal[] {
  const leaks = redactor.leaks(block.text);
  if (!guard('gate.leak', leaks.length > 0)) return [];
  const kinds = new Map(leaks.map((leak) => [leak.kind, leak]));
  return [...kinds.values()].map(
    ({ kind, start, end }): Refusal => ({
      code: 'E_PROMPT_LEAK',
      block: block.name,
      start: utf8Length(block.text.slice(0, start)),
      end: utf8Length(block.text.slice(0, end)),
      origin: (cutPieces(block.pieces, start, end)[0] as Piece).origin,
      kind,
    }),
  );
}

function toBlock({ name, role, text, pieces, plain }: GatedBlock, hash: Hash): Block {
  return { name, role, text, spans: toSpans(pieces, plain), hash: hash(text) };
}

/** Calls in the history are cleaned leaf by leaf like every structured value, ids and names included. */
function attach(block: Block, { calls, callId, media }: BlockInput, redactor: Redactor): Block {
  if (calls === undefined && callId === undefined && media === undefined) return block;
  const clean = <T>(value: T): T => redactor.redactValue(value as JsonValue).value as T;
  return {
    ...block,
    ...(calls === undefined ? {} : { calls: clean(calls) }),
    ...(callId === undefined ? {} : { callId: clean(callId) }),
    ...(media === undefined ? {} : { media }),
  };
}

function toSpans(pieces: readonly Piece[], plain: boolean): readonly Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (const { text, origin, trust, secrecy, volatility } of pieces) {
    if (text === '') continue;
    const end = start + (plain ? text.length : utf8Length(text));
    spans.push({ start, end, origin, trust, secrecy, volatility });
    start = end;
  }
  return spans;
}

function duplicateNames(blocks: readonly BlockInput[]): readonly Refusal[] {
  const seen = new Set<string>();
  return blocks.flatMap(({ name }): Refusal[] => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [
      { code: 'E_DUPLICATE_BLOCK', block: name, start: 0, end: 0, origin: { kind: 'structure', ref: name } },
    ];
  });
}
