import {
  type AskedAccess,
  type Credential,
  isAllowed,
  type ObjectError,
  type Objects,
  purposeOf,
} from '@cuebook/bundle';
import { findAgent, isPublicCard, issueCredential, type PlatformParts } from '@cuebook/platform';
import { fail } from '@cuebook/prompt';

/**
 * The store as one agent sees it: for each purpose a credential of the platform, on its record, and nothing beyond
 * what that credential covers.
 */
export function scopedObjects(parts: PlatformParts, agent: string): Objects {
  const { objects } = parts;
  const held = new Map<string, Credential>();
  const denied = (key: string): ObjectError => ({ code: 'E_OBJECT', reason: 'denied', key });
  const credentialFor = async (key: string): Promise<Credential | undefined> => {
    const purpose = purposeOf(key);
    const name = JSON.stringify(purpose);
    const known = held.get(name);
    if (known !== undefined && known.expiresAt > parts.now()) return known;
    const issued = await issueCredential(parts, { agent, purpose });
    if (!issued.ok) return undefined;
    held.set(name, issued.value);
    return issued.value;
  };
  const may = async (asked: AskedAccess): Promise<boolean> => {
    const credential = await credentialFor(asked.key);
    if (credential === undefined) return false;
    const of = /^agents\/all\/([^/]+)\.json$/.exec(asked.key)?.[1];
    const record = of === undefined ? undefined : await findAgent(parts, of);
    return isAllowed(credential.scope, asked, () => record !== undefined && isPublicCard(record));
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
