import type { Span } from '@cuebook/prompt';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { count } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { type Row, rowAt, sourceOf, sourcesOf } from './rows.js';
import type { Lens } from './search.js';

/** The lines of a prompt, of which only those in sight are in the page. Pointing at words asks why they are there. */
export function PromptRows(props: {
  readonly rows: readonly Row[];
  readonly lens: Lens;
  readonly byte: number | undefined;
  readonly onPoint: (byte: number) => void;
}): ReactNode {
  const { rows, lens, byte, onPoint } = props;
  const sources = useMemo(() => sourcesOf(rows), [rows]);
  const list = useRef<HTMLDivElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index]?.kind === 'block' ? 44 : 22),
    overscan: 30,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  const first = useRef(byte);
  useEffect(() => {
    if (first.current !== undefined) virtual.scrollToIndex(rowAt(rows, first.current), { align: 'center' });
  }, [rows, virtual]);
  return (
    <div className="prompt-rows" ref={list} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, start }) => (
        <div
          key={index}
          data-index={index}
          ref={virtual.measureElement}
          className="prompt-row"
          style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
        >
          <RowView row={rows[index] as Row} lens={lens} sources={sources} byte={byte} onPoint={onPoint} />
        </div>
      ))}
    </div>
  );
}

function RowView(props: {
  readonly row: Row;
  readonly lens: Lens;
  readonly sources: ReadonlyMap<string, number>;
  readonly byte: number | undefined;
  readonly onPoint: (byte: number) => void;
}): ReactNode {
  const { row, lens, sources, byte } = props;
  if (row.kind === 'block')
    return (
      <h2 className="block-head">
        {plain(row.name)} <span className="quiet">{row.role}</span>{' '}
        <span className="quiet">
          {count(row.bytes)} bytes · {row.hash.slice(0, 15)}
        </span>
      </h2>
    );
  const letters = [...new Set(row.words.map(({ span }) => letterOf(span, lens, sources)))].join('');
  return (
    <div className="prompt-line">
      <span className="gutter" title={`${lens}: ${letters}`}>
        {letters.slice(0, 3)}
      </span>
      <span className="line-words">
        {row.words.map((words) => (
          <button
            key={words.byte}
            type="button"
            className={`words ${classOf(words.span, lens, sources)}`}
            // Spaces say nothing to a screen reader.
            {...(words.text.trim() === '' ? { 'aria-label': 'white space' } : {})}
            data-pointed={byte !== undefined && byte >= words.byte && byte < words.byte + sizeOf(words.text)}
            onClick={(event) => props.onPoint(words.byte + byteInside(event.currentTarget, words.text))}
          >
            {plain(words.text)}
          </button>
        ))}
      </span>
    </div>
  );
}

const sizeOf = (text: string): number => new TextEncoder().encode(text).length;

/** The byte of the character that was pointed at, as far as the browser can tell. */
function byteInside(element: Element, text: string): number {
  const selection = getSelection();
  const isHere =
    selection !== null && selection.anchorNode !== null && element.contains(selection.anchorNode);
  return isHere ? sizeOf(text.slice(0, Math.min(selection.anchorOffset, text.length - 1))) : 0;
}

/** Never a colour alone: a letter in the gutter says the same. */
function letterOf(span: Span, lens: Lens, sources: ReadonlyMap<string, number>): string {
  if (lens === 'origin') return String.fromCodePoint(65 + ((sources.get(sourceOf(span.origin)) ?? 0) % 26));
  return span[lens].charAt(0).toUpperCase();
}

function classOf(span: Span, lens: Lens, sources: ReadonlyMap<string, number>): string {
  if (lens === 'origin') return `hue-${((sources.get(sourceOf(span.origin)) ?? 0) % 8) + 1}`;
  return `${lens}-${span[lens]}`;
}
