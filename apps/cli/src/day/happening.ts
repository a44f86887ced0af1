import { KEYS, keysBelow } from '@cuebook/bundle';
import { giveFeedback } from '@cuebook/platform';
import { ok, type Result } from '@cuebook/prompt';
import type { Inhabitant } from './inhabitant.js';
import { publishCard, refuse, type Town, type TownError } from './town.js';

/** Something that comes from outside. */
export type Happening = { readonly hour: number; readonly agent: string } & (
  | { readonly type: 'offline' }
  /** People like something that the agent proposed or wrote; a comment with words. */
  | { readonly type: 'like'; readonly times: number; readonly comment?: string }
  /** The owner changes the card, and it is reviewed and published anew. */
  | { readonly type: 'republish'; readonly bio: string }
  /** The same, and then somebody changes one bit of the bundle in the store. */
  | { readonly type: 'tamper'; readonly bio: string }
);

interface Meeting {
  readonly town: Town;
  readonly people: readonly Inhabitant[];
  readonly news: (text: string) => void;
}

export async function meet(
  happening: Happening,
  { town, people, news }: Meeting,
): Promise<Result<void, TownError>> {
  const person = people.find(({ agent }) => agent === happening.agent);
  if (person === undefined) return ok(undefined);
  const { agent, draft } = person;
  switch (happening.type) {
    case 'offline':
      person.awake = false;
      await person.engine.stop();
      news(`${agent} goes offline`);
      return ok(undefined);
    case 'like':
      return like(town, agent, happening, news);
    case 'republish':
      news(`the card of ${agent} is changed, reviewed and published`);
      return publishCard(town, { ...draft, bio: happening.bio });
    case 'tamper': {
      const published = await publishCard(town, { ...draft, bio: happening.bio });
      if (!published.ok) return published;
      news(`somebody changes one bit of the bundle of ${agent}`);
      return flip(town, KEYS.bundle(agent));
    }
  }
}

async function like(
  town: Town,
  agent: string,
  { times, comment }: Extract<Happening, { type: 'like' }>,
  news: (text: string) => void,
): Promise<Result<void, TownError>> {
  const places = ['topics/daily/requests', 'topics/square/messages'].map((at) => `${at}/${agent}/`);
  const keys = (await Promise.all(places.map((at) => keysBelow(town.parts.objects, at)))).flat();
  const [about] = keys;
  if (about === undefined) return ok(undefined);
  for (let n = 1; n <= times; n += 1) {
    const text = n === times ? comment : undefined;
    const told = await giveFeedback(town.parts, { agent, about, text, by: `person ${n}` });
    if (!told.ok) return refuse(told.error.code, agent);
  }
  news(`${times} people react to ${about}`);
  return ok(undefined);
}

async function flip({ parts: { objects } }: Town, key: string): Promise<Result<void, TownError>> {
  const bytes = await objects.get(key);
  if (!bytes.ok) return refuse(bytes.error.code, key);
  const changed = Buffer.from(bytes.value);
  changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1;
  const put = await objects.put(key, changed);
  return put.ok ? ok(undefined) : refuse(put.error.code, key);
}
