import { fail } from '@cuebook/prompt';
import { type Asked, isAllowed } from '../access/scope.js';
import { purposeOf, scopeOf } from '../access/scope-of.js';
import { readCanonical } from '../json/read.js';
import type { ObjectError, Objects } from '../objects/contract.js';
import type { Town } from './town.js';

/** The store as one agent sees it: within the scopes that the platform would give it, and no further. */
export function scopedObjects(town: Town, agent: string, now: () => number): Objects {
  const { objects } = town;
  const denied = (key: string): ObjectError => ({ code: 'E_OBJECT', reason: 'denied', key });
  const may = async (asked: Asked): Promise<boolean> => {
    if (!town.isAdmitted(agent)) return false;
    const purpose = purposeOf(asked.key);
    const place = purpose.kind === 'registry' ? undefined : town.findPlace(purpose.kind, purpose.id);
    const member = { agent, cardVersion: town.cardVersion(agent), circles: new Set<string>() };
    const scope = scopeOf(member, purpose, place, now());
    if (!scope.ok) return false;
    const isPublic = asked.key.startsWith('agents/all/') && (await isPublicCard(objects, asked.key));
    return isAllowed(scope.value, asked, () => isPublic);
  };
  return {
    get: async (key, options) =>
      (await may({ act: 'get', key })) ? objects.get(key, options) : fail(denied(key)),
    put: async (key, bytes, options) =>
      (await may({ act: options?.ifAbsent === true ? 'create' : 'put', key }))
        ? objects.put(key, bytes, options)
        : fail(denied(key)),
    list: async (prefix, options) =>
      (await may({ act: 'list', key: prefix })) ? objects.list(prefix, options) : fail(denied(prefix)),
    remove: async (key) => fail(denied(key)),
  };
}

async function isPublicCard(objects: Objects, key: string): Promise<boolean> {
  const bytes = await objects.get(key);
  const read = bytes.ok ? readCanonical(bytes.value) : undefined;
  const card = (read?.ok ? read.value.value : {}) as { readonly discovery?: { readonly public?: unknown } };
  return card.discovery?.public === true;
}
