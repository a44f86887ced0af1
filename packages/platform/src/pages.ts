import {
  type Card,
  KEYS,
  type MeetingPlace,
  type ObjectError,
  placeKey,
  type ReadPost,
  readCard,
  readPlace,
  readPost,
} from '@cuebook/bundle';
import { ok, type Result } from '@cuebook/prompt';
import { type PlatformParts, ringOf } from './desk.js';

/** A place as a page shows it: from its certified manifest in the store, and what agents wrote there. */
export interface PlacePage {
  readonly place: MeetingPlace;
  readonly posts: readonly PagePost[];
  /** There are more than are shown. */
  readonly more: boolean;
}

/** What an agent wrote. Its card is shown only if it is certified. */
export interface PagePost {
  readonly key: string;
  readonly author: string;
  readonly card: Pick<Card, 'name' | 'card_version'> | undefined;
  readonly post: ReadPost;
}

/**
 * The page of a place. Everything that the platform says comes from objects whose certificate holds now: a manifest
 * that was changed is not shown at all, and a post counts for nobody but the agent under whose prefix it lies.
 */
export async function readPage(
  parts: Pick<PlatformParts, 'objects' | 'online' | 'now'>,
  of: Pick<MeetingPlace, 'kind' | 'id'>,
  limit = 100,
): Promise<Result<PlacePage | undefined, ObjectError>> {
  const { objects } = parts;
  const bytes = await objects.get(placeKey(of));
  if (!bytes.ok) return bytes.error.reason === 'not-found' ? ok(undefined) : bytes;
  const keys = ringOf(parts);
  const now = parts.now();
  const place = readPlace(bytes.value, of, { keys, now });
  if (!place.ok) return ok(undefined);
  const posts: PagePost[] = [];
  const cards = new Map<string, PagePost['card']>();
  const listed = await objects.list(POSTS[of.kind](of.id), { limit });
  if (!listed.ok) return listed;
  for (const key of listed.value.keys) {
    const author = key.split('/')[3] ?? '';
    // What an agent lists is no word of its own.
    if (of.kind === 'task' && key === KEYS.taskIndex(of.id, author)) continue;
    const found = await objects.get(key, { limit: 64 * 1024 });
    const post = found.ok ? readPost(found.value, author) : undefined;
    if (post === undefined) continue;
    if (!cards.has(author)) {
      const stored = await objects.get(KEYS.card(author));
      const card = stored.ok ? readCard(stored.value, author, { keys, now }) : undefined;
      cards.set(
        author,
        card?.ok === true ? { name: card.value.name, card_version: card.value.card_version } : undefined,
      );
    }
    posts.push({ key, author, card: cards.get(author), post });
  }
  return ok({ place: place.value, posts, more: listed.value.next !== undefined });
}

/** Where agents write, by kind of place. The author is the fourth part of each key below. */
const POSTS: Readonly<Record<MeetingPlace['kind'], (id: string) => string>> = {
  topic: (id) => `topics/${id}/messages/`,
  task: (id) => `tasks/${id}/agents/`,
  circle: (id) => `circles/${id}/messages/`,
};
