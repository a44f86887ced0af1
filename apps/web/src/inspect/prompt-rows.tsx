import type { Span } from '@cuebook/prompt';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, type PointerEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { count, money } from '../ui/numbers.js';
import { plain } from '../ui/plain.js';
import { type InspectorRow, rowAt, sizeOf, sourceOf } from './rows.js';
import type { Lens } from './search.js';

/** Where words that change more often begin. */
export interface PrefixEnd {
  readonly byte: number;
  readonly words: string;
}

interface PromptRowsProps {
  readonly rows: readonly InspectorRow[];
  /** Of the prompt that these are the rows of. */
  readonly sources: ReadonlyMap<string, number>;
  readonly lens: Lens;
  readonly byte: number | undefined;
  /** The lines of the turn that it is compared with. */
  readonly known?: ReadonlySet<string> | undefined;
  readonly prefixEnd?: PrefixEnd | undefined;
  /** Tokens of each block, and dollars for one of them. */
  readonly tokens?: readonly number[] | undefined;
  readonly tokenUsd?: number | undefined;
  /** Chosen, by a click or a key. */
  readonly onPoint: (byte: number) => void;
  /** The pointer is over these words. */
  readonly onHover?: (byte: number | undefined) => void;
}

/** The lines of a prompt, of which only those in sight are in the page. Pointing at words asks why they are there. */
export const PromptRows = memo(function PromptRows(props: PromptRowsProps): ReactNode {
  const { rows, byte, onHover } = props;
  const breakAt = useMemo(
    () => (props.prefixEnd === undefined ? -1 : rowAt(rows, props.prefixEnd.byte)),
    [rows, props.prefixEnd],
  );
  const list = useRef<HTMLDivElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => heightOf(rows[index]),
    overscan: 5,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  const first = useRef(byte);
  useEffect(() => {
    if (first.current !== undefined) virtual.scrollToIndex(rowAt(rows, first.current), { align: 'center' });
  }, [rows, virtual]);
  const hover = (event: PointerEvent) => {
    const over = event.target instanceof Element ? event.target.closest<HTMLElement>('.words') : null;
    onHover?.(over === null ? undefined : Number(over.dataset.byte));
  };
  return (
    <div
      className="prompt-rows"
      ref={list}
      style={{ height: virtual.getTotalSize() }}
      onPointerOver={hover}
      onPointerLeave={() => onHover?.(undefined)}
    >
      {virtual.getVirtualItems().map(({ index, start }) => (
        <div
          key={index}
          data-index={index}
          ref={virtual.measureElement}
          className="prompt-row"
          style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
        >
          {index === breakAt && props.prefixEnd && (
            <p className="prefix-end">{plain(props.prefixEnd.words)}</p>
          )}
          <RowView {...props} row={rows[index] as InspectorRow} />
        </div>
      ))}
    </div>
  );
});

/** About how high a row is before it is measured: the nearer this is, the fewer rows are made that nobody sees. */
function heightOf(row: InspectorRow | undefined): number {
  if (row?.kind === 'block') return 44;
  const [first, last] = row?.kind === 'line' ? [row.words[0], row.words.at(-1)] : [];
  if (first === undefined || last === undefined) return LINE_PX;
  const chars = last.byte - first.byte + last.text.length;
  // The column beside the words is as wide as 20rem; a letter is about as wide as half of the small size.
  const columns = Math.max(30, (innerWidth - (innerWidth > 900 ? 660 : 120)) / 7.8);
  return Math.ceil(chars / columns) * LINE_PX;
}

const LINE_PX = 22;

function RowView(props: PromptRowsProps & { readonly row: InspectorRow }): ReactNode {
  const { row, lens, sources, byte, known } = props;
  if (row.kind === 'beside') return <p className="beside quiet">{plain(row.text)}</p>;
  if (row.kind === 'block') {
    const tokens = props.tokens?.[row.index];
    return (
      <h2 className="block-head">
        {plain(row.name)} {row.role !== row.name && <span className="quiet">{row.role} · </span>}
        <span className="quiet">
          {count(row.bytes)} bytes
          {tokens !== undefined && ` · ${count(tokens)} tokens`}
          {tokens !== undefined && props.tokenUsd !== undefined && ` · ${money(tokens * props.tokenUsd)}`}
          {row.hash !== '' && ` · ${row.hash.slice(0, 15)}`}
        </span>
      </h2>
    );
  }
  const isNew = known !== undefined && !known.has(row.words.map(({ text }) => text).join(''));
  const look = (span: Span) => lookOf(span, lens, { sources, isNew });
  const letters = [...new Set(row.words.map(({ span }) => look(span).letter))].join('');
  return (
    <div className="prompt-line">
      <span className="line-number">{row.isRest ? '' : row.number}</span>
      <span className="gutter" title={`${lens}: ${letters}`}>
        {letters.slice(0, 3)}
      </span>
      <span className="line-words">
        {row.words.map((words) => (
          <button
            key={words.byte}
            type="button"
            className={`words ${look(words.span).name}`}
            data-byte={words.byte}
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

/** The byte of the character that was pointed at, as far as the browser can tell. */
function byteInside(element: Element, text: string): number {
  const selection = getSelection();
  const isHere =
    selection !== null && selection.anchorNode !== null && element.contains(selection.anchorNode);
  return isHere ? sizeOf(text.slice(0, Math.min(selection.anchorOffset, text.length - 1))) : 0;
}

/** Never a colour alone: a letter in the gutter says the same. */
function lookOf(
  span: Span,
  lens: Lens,
  { sources, isNew }: { readonly sources: ReadonlyMap<string, number>; readonly isNew: boolean },
): { readonly letter: string; readonly name: string } {
  if (lens === 'changed') return isNew ? { letter: '+', name: 'changed-new' } : { letter: '', name: '' };
  if (lens !== 'origin') return { letter: span[lens].charAt(0).toUpperCase(), name: `${lens}-${span[lens]}` };
  const source = sources.get(sourceOf(span.origin)) ?? 0;
  return { letter: letterOf(source), name: `hue-${(source % 8) + 1}` };
}

/** The letter of a source. */
export const letterOf = (source: number): string => String.fromCodePoint(65 + (source % 26));
