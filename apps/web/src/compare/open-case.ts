import { getRouteApi } from '@tanstack/react-router';
import { useKeys } from '../shell/keys.js';
import { useSelection } from '../shell/selection.js';
import { withoutUnset } from '../wire/search.js';
import type { ComparisonSearch } from './search.js';

const route = getRouteApi('/runs/$run/comparison');

/** Which of several cases is open, and which take of it, as the address says; changed by a click or from the keyboard. */
export function useOpenCase(
  ids: readonly string[],
  names: { readonly screen: string; readonly open: string },
) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const go = (change: ComparisonSearch | Record<keyof ComparisonSearch, undefined>): void =>
    void navigate({
      search: (before) => withoutUnset<ComparisonSearch>({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    });
  const { selected, select, listRef, keys } = useSelection(ids);
  const toggle = (id: string): void =>
    go(search.case === id ? { case: undefined, take: undefined } : { case: id, take: 1 });
  const step = (by: number) => () =>
    search.case !== undefined && go({ take: Math.max(1, (search.take ?? 1) + by) });
  useKeys(names.screen, [
    ...keys,
    { keys: 'o', label: names.open, run: () => selected !== undefined && toggle(selected) },
    { keys: ']', label: 'Next take', run: step(1) },
    { keys: '[', label: 'Previous take', run: step(-1) },
  ]);
  return {
    listRef,
    isOpen: (id: string): boolean => search.case === id,
    take: search.take ?? 1,
    goToTake: (take: number): void => go({ take }),
    /** What the row of a case needs. */
    rowOf: (id: string) => ({
      'data-key': id,
      'data-selected': id === selected,
      'aria-expanded': search.case === id,
      onClick: () => {
        select(id);
        toggle(id);
      },
    }),
  };
}

/** The case that the address names. */
export const useNamedCase = (): string | undefined => route.useSearch().case;
