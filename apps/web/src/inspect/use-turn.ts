import { isCut, type TurnView } from '@cuebook/api';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useState } from 'react';
import { queries, turnQuery } from '../wire/queries.js';

/** A turn as far as it is known: a long prompt is drawn when its first words are there, and the rest comes behind. */
export function useTurn(of: {
  readonly run: string;
  readonly turn: string;
  readonly reveal: boolean;
  /** The first words alone are of no use: a byte that is looked for may be anywhere. */
  readonly needsWhole: boolean;
}): { readonly turn: TurnView | undefined; readonly error: unknown } {
  const { run, turn, reveal, needsWhole } = of;
  const whole = turnQuery(run, turn, reveal);
  const isKnown = queries.getQueryData(whole.queryKey) !== undefined;
  const head = useQuery({ ...turnQuery(run, turn, reveal, 'head'), enabled: !needsWhole && !isKnown });
  const isEnough = head.data !== undefined && !hasMore(head.data);
  const isDrawn = useDrawn(head.isFetched);
  const rest = useQuery({ ...whole, enabled: needsWhole || (isDrawn && !isEnough) });
  const known = rest.data ?? head.data;
  // The words that are on the screen stay usable while thousands of others are laid out.
  return { turn: useDeferredValue(known) ?? known, error: rest.error ?? head.error };
}

/** Whether words are left out of a turn as it is known so far. */
export const hasMore = ({ full, delta }: TurnView): boolean =>
  isCut(full) || (delta !== null && isCut(delta));

/** Whether the browser has painted since `isThere`. */
function useDrawn(isThere: boolean): boolean {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    if (!isThere) return undefined;
    // What is called in a frame comes before its paint.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setDrawn(true));
    });
    return () => cancelAnimationFrame(frame);
  }, [isThere]);
  return isThere && isDrawn;
}
