import type { Objects } from './contract.js';

/** At most 5,000 keys: a topic that has more is looked at in part. */
export async function keysBelow(objects: Pick<Objects, 'list'>, prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  let after: string | undefined;
  for (let page = 0; page < 5; page += 1) {
    const listed = await objects.list(prefix, after === undefined ? {} : { after });
    if (!listed.ok) break;
    keys.push(...listed.value.keys.filter((key) => key.endsWith('.json')));
    after = listed.value.next;
    if (after === undefined) break;
  }
  return keys;
}
