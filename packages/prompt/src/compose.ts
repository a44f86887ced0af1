import { guard } from '@cuebook/guard';
import type { Block, BlockInput, Piece, Prompt, Redaction, RedactionKind, Span } from './block.js';
import { cleanBlock, toGated } from './clean.js';
import { type GatedBlock, gateForgery, gateLabels } from './gates.js';
import type { Hash } from './hash.js';
import type { ComposeMemo, ComposeTools, GatedOnce } from './memo/memo.js';
import { breakTokens } from './neutral.js';
import { cutPieces } from './piece.js';
import { joinBlocks } from './project.js';
import type { JsonValue } from './redact/leak-context.js';
import type { Redactor } from './redact/redactor.js';
import { mapStrings } from './redact/value.js';
import { redactionsOf } from './redaction.js';
import type { Refusal } from './refusal.js';
import { fail, ok, type Result } from './result.js';
import { utf8Length } from './utf8.js';
import { showInvisible } from './visible.js';

export interface ComposeInput extends ComposeTools {
  readonly blocks: readonly BlockInput[];
  /** What was composed before. The answer is the same with and without it. */
  readonly memo?: ComposeMemo | undefined;
}

/**
 * Turns blocks into a prompt that may be sent, or says why not. In this order: labels are checked, characters that
 * nobody sees are shown, private paths, names and credentials are aliased or masked, shells are printed again,
 * chat-template tokens in text below `author` are broken, forged structure is refused, and a last look at the
 * canonicalised bytes refuses what still leaks.
 * Same input, same bytes. Every refusal is reported, not just the first.
 */
export function compose({ blocks, hash, redactor, memo }: ComposeInput): Result<Prompt, readonly Refusal[]> {
  const refusals = duplicateNames(blocks);
  const composed: Block[] = [];
  const redactions: Redaction[] = [];
  const tools = { hash, redactor };
  for (const input of blocks) {
    const gated = memo === undefined ? gateBlock(input, tools) : memo.block(input, tools, gateBlock);
    refusals.push(...gated.refusals);
    if (gated.block === undefined) continue;
    composed.push(gated.block);
    redactions.push(...gated.redactions);
  }
  if (refusals.length > 0) return fail(refusals);
  if (memo !== undefined) return ok({ blocks: composed, ...memo.join(composed, hash), redactions });
  const text = joinBlocks(composed);
  // One block alone is the whole text, and its hash is known.
  const only = composed.length === 1 ? composed[0] : undefined;
  return ok({ blocks: composed, text, hash: only === undefined ? hash(text) : only.hash, redactions });
}

function gateBlock(input: BlockInput, { hash, redactor }: ComposeTools): GatedOnce {
  const raw = toGated(input);
  const refused = gateLabels(raw);
  if (refused.length > 0) return { refusals: refused, redactions: [] };
  const clean = cleanBlock(raw, redactor);
  const refusals = [...gateForgery(clean), ...gateLeaks(clean, redactor)];
  const { block, removed } = attach(toBlock(clean, hash), input, redactor);
  return { refusals, block, redactions: [...redactionsOf(block), ...removed] };
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

/**
 * Calls in the history are cleaned leaf by leaf like every structured value, ids and names included: nothing hides
 * in them, and no chat-template token stands whole.
 */
function attach(block: Block, { calls, callId, media }: BlockInput, redactor: Redactor): Attached {
  if (calls === undefined && callId === undefined && media === undefined) return { block, removed: [] };
  const kinds = new Set<RedactionKind>();
  const redact = (value: JsonValue): JsonValue => {
    const found = redactor.redactValue(value);
    for (const kind of found.kinds) kinds.add(kind);
    return found.value;
  };
  const clean = <T>(value: T): T =>
    mapStrings(redact(mapStrings(redact(value as JsonValue), showInvisible)), breakTokens) as T;
  const whole: Block = {
    ...block,
    ...(calls === undefined ? {} : { calls: clean(calls) }),
    ...(callId === undefined ? {} : { callId: clean(callId) }),
    ...(media === undefined ? {} : { media }),
  };
  // Calls stand behind the text of their block.
  const end = utf8Length(block.text);
  return {
    block: whole,
    removed: [...kinds].sort().map((kind) => ({ kind, block: block.name, start: end, end })),
  };
}

interface Attached {
  readonly block: Block;
  readonly removed: readonly Redaction[];
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

function duplicateNames(blocks: readonly BlockInput[]): Refusal[] {
  const seen = new Set<string>();
  const refusals: Refusal[] = [];
  for (const { name } of blocks) {
    if (seen.has(name))
      refusals.push({
        ...{ code: 'E_DUPLICATE_BLOCK', block: name, start: 0, end: 0 },
        origin: { kind: 'structure', ref: name },
      });
    seen.add(name);
  }
  return refusals;
}
