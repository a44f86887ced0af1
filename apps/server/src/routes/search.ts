import { type AnswerOf, SEARCH_ROUTES } from '@cuebook/api';
import { eventsOf, isReceiptType, type RunId, rebuildTurn, type StoredEvent, turnOf } from '@cuebook/journal';
import { type JsonValue, ok } from '@cuebook/prompt';
import { routeGroup } from '../http/group.js';
import { createRunMask } from '../stream/run-mask.js';
import { NO_RECEIPT, turnView } from '../view/turn-view.js';
import { excerptOf } from './excerpt.js';
import type { TeamParts } from './parts.js';

type Found = AnswerOf<typeof SEARCH_ROUTES.search>['found'][number];

/** Finding words. What is masked elsewhere is not found here. */
export function searchRoutes({ store }: Pick<TeamParts, 'store'>) {
  const inPrompt = async (run: RunId, event: StoredEvent, { find, looked }: Search) => {
    const turn = turnOf(event) ?? '';
    const rebuilt = await rebuildTurn(store, run, turn);
    if (!rebuilt.ok) return [];
    let start = 0;
    const found: Found[] = [];
    for (const { name, text, hash } of turnView(rebuilt.value, NO_RECEIPT, false).full.blocks) {
      const at = looked.has(hash) ? undefined : find(text);
      looked.add(hash);
      if (start > 0 && text !== '') start += 2;
      if (at !== undefined)
        found.push({
          ...{ run, kind: 'prompt', seq: event.seq, at: event.at, where: name, turn },
          byte: start + Buffer.byteLength(text.slice(0, at)),
          excerpt: excerptOf(text, at),
        });
      start += Buffer.byteLength(text);
    }
    return found;
  };
  return routeGroup(SEARCH_ROUTES, {
    search: async ({ query: { text, limit } }, { signal }) => {
      const search: Search = { find: finder(text), looked: new Set() };
      const until = performance.now() + SEARCH_MS;
      const found: Found[] = [];
      const isOver = () => found.length >= limit || signal.aborted || performance.now() > until;
      for (const { run } of [...(await store.runs())].reverse()) {
        const mask = await createRunMask(store, run);
        for await (const event of eventsOf(store, run)) {
          if (isOver()) return ok({ found: found.slice(0, limit), more: true });
          if (event.type === 'turn.recorded') found.push(...(await inPrompt(run, event, search)));
          else if (!isReceiptType(event.type))
            found.push(...inEvent(event, mask.value(event.data), search.find));
        }
      }
      return ok({ found: found.slice(0, limit), more: found.length > limit });
    },
  });
}

interface Search {
  readonly find: (text: string) => number | undefined;
  /** Blocks that were looked through: most turns repeat those of the turn before. */
  readonly looked: Set<string>;
}

function finder(typed: string): Search['find'] {
  const words = typed.toLowerCase();
  return (text) => {
    const exact = text.indexOf(typed);
    // Few letters change their length with their case: the place is right for all others.
    const at = exact === -1 ? text.toLowerCase().indexOf(words) : exact;
    return at === -1 ? undefined : Math.min(at, text.length);
  };
}

function inEvent(event: StoredEvent, data: JsonValue, find: Search['find']): readonly Found[] {
  const { run, seq, at, type } = event;
  for (const text of stringsIn(data)) {
    const place = find(text);
    if (place === undefined) continue;
    const excerpt = excerptOf(text, place);
    return [{ run, kind: 'event', seq, at, where: type, turn: null, byte: null, excerpt }];
  }
  return [];
}

function* stringsIn(value: JsonValue): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const each of Object.values(value)) yield* stringsIn(each as JsonValue);
}

/** How long one search reads: what it found by then is the answer. */
const SEARCH_MS = 3_000;
