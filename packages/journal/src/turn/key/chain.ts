import type { KeyObject } from 'node:crypto';
import { guard } from '@cuebook/guard';
import { z } from 'zod';
import { fingerprintOf, isSigned, type PublicKeys, pemOf, publicKeyOf, type Signer } from './key.js';

/** A public key of the records, as they keep it: signed by itself, and by the key that it replaced. */
export interface KeyRecord {
  /** The fingerprint that a store keeps it under. */
  readonly id?: string | undefined;
  /** PEM. */
  readonly publicKey: string;
  /** Milliseconds since the epoch: when it came into use. */
  readonly at: number;
  /** The key that it replaced, as PEM; left out for the first one. */
  readonly previous?: string | undefined;
  /** The signature of the key that it replaced. */
  readonly vouched?: string | undefined;
  readonly sig: string;
}

export const keyRecordSchema = z.object({
  id: z.string().optional(),
  publicKey: z.string().max(1_000),
  at: z.number(),
  previous: z.string().max(1_000).optional(),
  vouched: z.string().optional(),
  sig: z.string(),
});

/** The record of a key that replaced none. */
export const firstKey = (signer: Signer, at: number): KeyRecord => {
  const text = recordText(signer.fingerprint, undefined, at);
  return { publicKey: signer.publicKey, at, sig: signer.sign(text) };
};

/** The record of a key that takes the place of another, which signs for it. */
export function nextKey(from: Signer, to: Signer, at: number): KeyRecord {
  const text = recordText(to.fingerprint, from.fingerprint, at);
  const { publicKey } = to;
  return { publicKey, at, previous: from.publicKey, vouched: from.sign(text), sig: to.sign(text) };
}

/** Keys that count, and since when some of them have been replaced. */
export interface KeyRing {
  readonly publicKeys: PublicKeys;
  /** By fingerprint, in milliseconds since the epoch. */
  readonly replaced: ReadonlyMap<string, number>;
  /** What is wrong with the records of keys. */
  readonly problems: readonly string[];
}

/**
 * All keys that those who are trusted vouch for, one after the other and in both directions: a key for the one that
 * took its place, and that one for what was signed before it. A key that signed for two successors vouches for
 * neither: whoever stole it could make one of them.
 */
export function readRing(trusted: PublicKeys, records: readonly KeyRecord[]): KeyRing {
  const keys = new Map(trusted);
  const replaced = new Map<string, number>();
  const problems: string[] = [];
  const links: Link[] = [];
  for (const record of records) {
    const link = readRecord(record);
    if (link === undefined) problems.push('the record of a key is not as it was signed');
    else if (link.previous !== undefined) links.push(link);
  }
  const successors = (of: string): ReadonlySet<string> =>
    new Set(links.filter(({ previous }) => previous?.id === of).map(({ id }) => id));
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const { id, key, previous } of links) {
      if (previous === undefined || keys.has(id) === keys.has(previous.id)) continue;
      if (keys.has(id)) keys.set(previous.id, previous.key);
      else if (successors(previous.id).size === 1) keys.set(id, key);
      else continue;
      isNew = true;
    }
  }
  for (const { previous, at, id } of links) {
    if (previous === undefined || !keys.has(previous.id)) continue;
    if (keys.has(id)) replaced.set(previous.id, Math.min(at, replaced.get(previous.id) ?? at));
    else
      problems.push(
        `key ${previous.id.slice(0, 12)} signed for two successors, and one of them is not known here`,
      );
  }
  return { publicKeys: keys, replaced, problems };
}

interface Link {
  readonly id: string;
  readonly key: KeyObject;
  readonly at: number;
  readonly previous?: { readonly id: string; readonly key: KeyObject };
}

/** A record whose signatures fit, and that is written in the one way in which it can be. */
function readRecord({ id: kept, publicKey, previous, at, vouched, sig }: KeyRecord): Link | undefined {
  const key = exactKey(publicKey);
  const before = previous === undefined ? undefined : exactKey(previous);
  if (key === undefined || (previous === undefined) !== (before === undefined)) return undefined;
  const id = fingerprintOf(key);
  if (kept !== undefined && kept !== id) return undefined;
  if (before === undefined && vouched !== undefined) return undefined;
  const text = recordText(id, before && fingerprintOf(before), at);
  if (!isSigned(text, sig, key)) return undefined;
  if (before === undefined) return { id, key, at };
  if (!isSigned(text, vouched ?? '', before)) return undefined;
  return { id, key, at, previous: { id: fingerprintOf(before), key: before } };
}

/** PEM may be spelt in several ways; a record that is spelt otherwise than it was written was changed. */
function exactKey(pem: string): KeyObject | undefined {
  const key = publicKeyOf(pem);
  return key !== undefined && guard('key.spelling', pemOf(key) !== pem) ? undefined : key;
}

const recordText = (id: string, previous: string | undefined, at: number): string =>
  `cuebook key 1\n${JSON.stringify([id, previous ?? null, at])}`;
