import { type RefObject, useEffect, useRef, useState } from 'react';
import type { KeyCommand } from './keys.js';

/** One of a list is selected; `j` and `k` move. The elements of the list carry `data-key`. */
export function useSelection(ids: readonly string[]): {
  readonly selected: string | undefined;
  readonly select: (id: string) => void;
  readonly listRef: RefObject<HTMLDivElement | null>;
  readonly keys: readonly KeyCommand[];
} {
  const [wanted, select] = useState<string | undefined>(undefined);
  const place = useRef(0);
  const listRef = useRef<HTMLDivElement>(null);
  const found = wanted === undefined ? -1 : ids.indexOf(wanted);
  // What was selected is gone: its neighbour takes its place.
  const at = found === -1 ? Math.min(place.current, Math.max(0, ids.length - 1)) : found;
  const selected = ids[at];
  const isMoved = useRef(false);
  useEffect(() => {
    place.current = at;
    if (!isMoved.current) return;
    isMoved.current = false;
    const element = [...(listRef.current?.querySelectorAll<HTMLElement>('[data-key]') ?? [])].find(
      (each) => each.dataset.key === selected,
    );
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: 'nearest' });
  }, [at, selected]);
  const move = (step: number) => () => {
    const next = ids[Math.min(Math.max(at + step, 0), ids.length - 1)];
    if (next === undefined) return;
    isMoved.current = true;
    select(next);
  };
  return {
    selected,
    select,
    listRef,
    keys: [
      { keys: 'j', label: 'Next', run: move(1) },
      { keys: 'k', label: 'Previous', run: move(-1) },
    ],
  };
}
