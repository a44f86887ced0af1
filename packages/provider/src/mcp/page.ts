import { guard } from '@cuebook/guard';

/** How many tools or prompts one answer lists: clients that do not turn pages see these. */
export const PAGE_SIZE = 500;

/** One page of a list and the cursor of the next; undefined for a cursor that is none of ours. */
export function pageOf<Item>(
  items: readonly Item[],
  cursor: unknown,
): { readonly items: readonly Item[]; readonly nextCursor?: string } | undefined {
  const at = cursor === undefined ? 0 : offsetOf(cursor);
  if (guard('mcp.cursor', at === undefined || at > items.length)) return undefined;
  const from = at ?? 0;
  const next = from + PAGE_SIZE;
  return {
    items: items.slice(from, next),
    ...(next < items.length ? { nextCursor: `after-${next}` } : {}),
  };
}

function offsetOf(cursor: unknown): number | undefined {
  const digits = typeof cursor === 'string' ? /^after-(\d{1,9})$/.exec(cursor)?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}
