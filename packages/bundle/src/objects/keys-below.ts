import { ok, type Result } from '@cuebook/prompt';
import type { ObjectError, Objects } from './contract.js';

/** At most 50,000 keys, years of a busy topic: one that has more is looked at in part. What fails ends the list. */
export async function keysBelow(objects: Pick<Objects, 'list'>, prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  await collect(objects, prefix, keys);
  return keys;
}

/** The same after a key, for who must know that nothing is missing: what fails is the answer. */
export async function listBelow(
  objects: Pick<Objects, 'list'>,
  prefix: string,
  after?: string,
): Promise<Result<readonly string[], ObjectError>> {
  const keys: string[] = [];
  const done = await collect(objects, prefix, keys, after);
  return done.ok ? ok(keys) : done;
}

async function collect(
  objects: Pick<Objects, 'list'>,
  prefix: string,
  keys: string[],
  from?: string,
): Promise<Result<void, ObjectError>> {
  let after = from;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const listed = await objects.list(prefix, after === undefined ? {} : { after });
    if (!listed.ok) return listed;
    for (const key of listed.value.keys) if (key.endsWith('.json')) keys.push(key);
    after = listed.value.next;
    if (after === undefined) break;
  }
  return ok(undefined);
}

const MAX_PAGES = 50;
