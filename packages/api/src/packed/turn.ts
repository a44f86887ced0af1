import type { PackedTurnView, TurnView } from '../schema/views.js';

type Request = TurnView['full'];
type PackedRequest = PackedTurnView['full'];
type Span = Request['blocks'][number]['spans'][number];
type Source = PackedRequest['sources'][number];

/** A turn with packed spans. `unpackTurn` is the exact inverse for spans without gaps, as every prompt has them. */
export const packTurn = (turn: TurnView): PackedTurnView => ({
  ...turn,
  full: packRequest(turn.full),
  delta: turn.delta && packRequest(turn.delta),
});

/** A turn with the spans as they are. Undefined: they are not what `packTurn` writes. */
export function unpackTurn(turn: PackedTurnView): TurnView | undefined {
  const full = unpackRequest(turn.full);
  const delta = turn.delta && unpackRequest(turn.delta);
  return full && delta !== undefined ? { ...turn, full, delta } : undefined;
}

function packRequest({ text: _, blocks, ...rest }: Request): PackedRequest {
  const sources: Source[] = [];
  const byRef = new Map<string, number[]>();
  let last = -1;
  const indexOf = (span: Span): number => {
    const before = sources[last];
    if (before !== undefined && before.origin.ref === span.origin.ref && isFrom(span, before)) return last;
    last = find(span);
    return last;
  };
  const find = (span: Span): number => {
    const known = byRef.get(span.origin.ref) ?? [];
    const found = known.find((index) => isFrom(span, sources[index] as Source));
    if (found !== undefined) return found;
    const { origin, trust, secrecy, volatility } = span;
    const { line: _line, column: _column, ...shared } = origin;
    const index = sources.push({ origin: shared, trust, secrecy, volatility }) - 1;
    byRef.set(origin.ref, [...known, index]);
    return index;
  };
  const packed = blocks.map((block) => {
    let spans = '';
    for (const span of block.spans) {
      const { line = 0, column = 0 } = span.origin;
      spans += `${spans === '' ? '' : ' '}${span.end - span.start} ${indexOf(span)} ${line} ${column}`;
    }
    return { ...block, spans };
  });
  return { ...rest, blocks: packed, sources };
}

const isFrom = ({ origin, trust, secrecy, volatility }: Span, source: Source): boolean =>
  trust === source.trust &&
  secrecy === source.secrecy &&
  volatility === source.volatility &&
  origin.kind === source.origin.kind &&
  origin.subject === source.origin.subject &&
  (origin.via === source.origin.via || JSON.stringify(origin.via) === JSON.stringify(source.origin.via));

function unpackRequest({ sources, blocks, ...rest }: PackedRequest): Request | undefined {
  const unpacked: Request['blocks'] = [];
  for (const block of blocks) {
    const spans = unpackSpans(block.spans, sources);
    if (spans === undefined) return undefined;
    unpacked.push({ ...block, spans });
  }
  const text = blocks.flatMap((block) => (block.text === '' ? [] : [block.text])).join('\n\n');
  return { ...rest, text, blocks: unpacked };
}

function unpackSpans(packed: string, sources: readonly Source[]): Span[] | undefined {
  const spans: Span[] = [];
  let place = 0;
  /** The next number; NaN where there is none. */
  const next = (): number => {
    let value = Number.NaN;
    for (; place < packed.length; place += 1) {
      const digit = packed.charCodeAt(place) - ZERO;
      if (digit < 0 || digit > 9) break;
      value = (Number.isNaN(value) ? 0 : value * 10) + digit;
    }
    const isOver = place === packed.length || packed.charCodeAt(place) === SPACE;
    place += 1;
    return isOver ? value : Number.NaN;
  };
  let start = 0;
  while (place < packed.length) {
    const end = start + next();
    const source = sources[next()];
    const line = next();
    const column = next();
    if (source === undefined || Number.isNaN(end + line + column)) return undefined;
    const { trust, secrecy, volatility } = source;
    spans.push({ start, end, origin: originAt(source.origin, line, column), trust, secrecy, volatility });
    start = end;
  }
  return spans;
}

const ZERO = 48;
const SPACE = 32;

/** Written out, not spread: a long prompt has thousands of them, and its reader waits. */
function originAt(origin: Source['origin'], line: number, column: number): Span['origin'] {
  const { kind, ref, subject, via } = origin;
  if (line === 0 && column === 0) return origin;
  if (subject !== undefined || via !== undefined || line === 0 || column === 0)
    return { ...origin, ...(line > 0 && { line }), ...(column > 0 && { column }) };
  return { kind, ref, line, column };
}
