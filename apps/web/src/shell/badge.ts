import type { WaitView } from '@cuebook/api';
import { useEffect, useRef } from 'react';
import { titleOf } from '../needs/wait-words.js';

/** The title says how many things wait, and a notification tells of a new one while nobody looks at the page. */
export function useBadge(waits: readonly WaitView[] | undefined): void {
  const known = useRef<ReadonlySet<string> | undefined>(undefined);
  useEffect(() => {
    if (waits === undefined) return;
    document.title = waits.length === 0 ? 'Cuebook' : `(${waits.length}) Cuebook`;
    const fresh = waits.filter((wait) => known.current !== undefined && !known.current.has(keyOf(wait)));
    known.current = new Set(waits.map(keyOf));
    if (document.visibilityState === 'visible' || !mayNotify()) return;
    for (const wait of fresh) new Notification(titleOf(wait), { tag: keyOf(wait), body: wait.reason ?? '' });
  }, [waits]);
}

/** Whether the person allowed notifications in this browser. */
export const mayNotify = (): boolean => 'Notification' in window && Notification.permission === 'granted';

const keyOf = ({ run, id }: WaitView): string => `${run} ${id}`;
