import type { BlockList, Recorded, SentBytes, SpanTable } from '../receipt.js';
import type { BlockEntry, SourceRow } from '../shape.js';
import { CHANNEL, labelLetters, labelWords, ROLE } from './letters.js';
import { isObject, type Wire, withRest } from './wire.js';

type Body = Omit<Recorded, 'turn' | 'prev' | 'key' | 'sig'>;

/** `[lane, base, whole, blocks, spans, sent, rest?]`; 0 stands for what is not there, `rest` holds what is rare. */
export function recordedWire({ lane, base, whole, blocks, spans, sent, ...rest }: Body): Wire {
  const { delta, ...others } = rest;
  return [
    lane,
    base ?? 0,
    whole,
    blocksWire(blocks),
    spans === undefined ? 0 : typeof spans === 'string' ? spans : spansWire(spans),
    sent === undefined ? 0 : sentWire(sent),
    ...withRest({ ...others, ...(delta && { delta: { ...delta, blocks: blocksWire(delta.blocks) } }) }),
  ];
}

/** What the wire says, in words; a schema looks at it next. */
export function recordedWords([lane, base, whole, blocks, spans, sent, rest]: Wire): object {
  const { delta, ...others } = isObject(rest) ? rest : {};
  return {
    ...others,
    ...(isObject(delta) ? { delta: { ...delta, blocks: blocksWords(delta.blocks) } } : {}),
    lane,
    ...(base === 0 ? {} : { base }),
    whole,
    blocks: blocksWords(blocks),
    ...(spans === 0 ? {} : { spans: spansWords(spans) }),
    ...(sent === 0 ? {} : { sent: sentWords(sent) }),
  };
}

export const sentWire = ({ channel, hash, ordinal }: SentBytes): Wire => [
  CHANNEL.letter(channel) ?? channel,
  ordinal,
  hash,
];

export function sentWords(wire: unknown): unknown {
  if (!Array.isArray(wire)) return wire;
  const [channel, ordinal, hash] = wire;
  return { channel: CHANNEL.word(String(channel)), ordinal, hash };
}

/** In a list of blocks: `[first, count]` as it is, a new one as `[name, role, hash, rest?]`. */
export const blocksWire = (blocks: BlockList | string): unknown =>
  typeof blocks === 'string' ? blocks : blocks.map((item) => (Array.isArray(item) ? item : entryWire(item)));

function entryWire({ name, role, hash, ...rest }: BlockEntry): Wire {
  return [name, ROLE.letter(role) ?? role, hash, ...withRest(rest)];
}

export function blocksWords(wire: unknown): unknown {
  if (!Array.isArray(wire)) return wire;
  return wire.map((item: unknown) => {
    if (!Array.isArray(item) || typeof item[0] === 'number') return item;
    const [name, role, hash, rest] = item;
    return { ...(isObject(rest) ? rest : {}), name, role: ROLE.word(String(role)), hash };
  });
}

/** `[bytes, ...sources]`; bytes that the chain has told are their place there; a source is its place in the table, or `[ref, letters, line?, column?, via?]`. */
export const spansWire = ({ bytes, sources }: SpanTable): Wire => [
  bytes,
  ...sources.map((source) => (typeof source === 'number' ? source : sourceWire(source))),
];

function sourceWire(source: SourceRow): unknown {
  const letters = labelLetters(source);
  if (letters === undefined) return { source };
  const { ref, line, column, via } = source[0];
  const places = [line ?? null, column ?? null, via ?? null];
  while (places.at(-1) === null) places.pop();
  return [ref, letters, ...places];
}

export function spansWords(wire: unknown): unknown {
  if (!Array.isArray(wire)) return wire;
  const [bytes, ...sources] = wire;
  return { bytes, sources: sources.map(sourceWords) };
}

function sourceWords(wire: unknown): unknown {
  if (!Array.isArray(wire)) return isObject(wire) ? wire.source : wire;
  const [ref, letters, line = null, column = null, via = null] = wire;
  const { kind, trust, secrecy, volatility } = labelWords(String(letters));
  // Written out, not spread: a long prompt has thousands of them.
  const origin: Record<string, unknown> = { kind, ref };
  if (line !== null) origin.line = line;
  if (column !== null) origin.column = column;
  if (via !== null) origin.via = via;
  return [origin, trust, secrecy, volatility];
}
