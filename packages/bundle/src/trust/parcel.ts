import { z } from 'zod';
import { readCanonical } from '../json/read.js';
import { consistencyProof, type HashAt, inclusionProof } from '../log/merkle.js';
import type { Objects } from '../objects/contract.js';

/**
 * What an agent needs for one step on, in one object: pieces of metadata under the keys that they have in the store, the
 * checkpoint, and hashes of the log. Nothing of it is believed because it is here: each part is checked as if it had
 * been fetched alone, and what is missing is fetched.
 */
export interface Parcel {
  readonly objects: ReadonlyMap<string, Buffer>;
  /** Hashes of subtrees of the log, by `level/index`. */
  readonly hashes: ReadonlyMap<string, Buffer>;
}

/** In bytes. */
export const PARCEL_LIMIT = 1024 * 1024;

const schema = z.strictObject({
  format: z.literal('cuebook-parcel-1'),
  objects: z.record(z.string().max(512), z.string()),
  hashes: z.record(z.string().regex(/^\d{1,2}\/\d{1,16}$/), z.string().regex(/^[0-9a-f]{64}$/)),
});

/**
 * In the canonical form, printed by hand: a parcel is made for every agent of a publication, and the engine's printer of
 * texts is right for whatever was UTF-8. What goes to everybody is printed once.
 */
export function printParcel({ objects, hashes }: Parcel): Buffer {
  const known = [...hashes].map(([at, hash]) => [at, `"${hash.toString('hex')}"`] as const);
  const parts = [...objects].map(([key, bytes]) => [key, textOf(bytes)] as const);
  return Buffer.from(
    `{"format":"cuebook-parcel-1","hashes":${printMembers(known)},"objects":${printMembers(parts)}}`,
  );
}

const printMembers = (members: readonly (readonly [name: string, text: string])[]): string =>
  `{${[...members]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join(',')}}`;

function textOf(bytes: Buffer): string {
  const text = TEXTS.get(bytes) ?? JSON.stringify(bytes.toString('utf8'));
  TEXTS.set(bytes, text);
  return text;
}

const TEXTS = new WeakMap<Buffer, string>();

/** The parcel in stored bytes; undefined for anything else: then everything is fetched by itself. */
export function readParcel(bytes: Uint8Array): Parcel | undefined {
  const read = readCanonical(bytes, { bytes: PARCEL_LIMIT });
  const parsed = schema.safeParse(read.ok ? read.value.value : undefined);
  if (!parsed.success) return undefined;
  const { objects, hashes } = parsed.data;
  return {
    objects: new Map(Object.entries(objects).map(([key, text]) => [key, Buffer.from(text)])),
    hashes: new Map(Object.entries(hashes).map(([at, hash]) => [at, Buffer.from(hash, 'hex')])),
  };
}

/** A store whose objects of a parcel are at hand. */
export const withParcel = (objects: Pick<Objects, 'get'>, parcel: Parcel): Pick<Objects, 'get'> => ({
  async get(key, options = {}) {
    const bytes = parcel.objects.get(key);
    const isShort = bytes !== undefined && bytes.length <= (options.limit ?? PARCEL_LIMIT);
    return isShort ? { ok: true, value: bytes } : objects.get(key, options);
  },
});

/** Hashes of a parcel, and those of the log where it has none. */
export const hashesOf =
  ({ hashes }: Parcel, hashAt: HashAt): HashAt =>
  (level, index) => {
    const known = hashes.get(`${level}/${index}`);
    return known === undefined ? hashAt(level, index) : Promise.resolve(known);
  };

/** The hashes of a log that show that it holds these leaves, and that it goes on from these sizes. */
export async function proofHashes(
  { leaves, sizes }: { readonly leaves: readonly number[]; readonly sizes: readonly number[] },
  size: number,
  hashAt: HashAt,
): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const noting: HashAt = async (level, index) => {
    const hash = await hashAt(level, index);
    if (hash !== undefined) found.set(`${level}/${index}`, hash);
    return hash;
  };
  for (const leaf of leaves) await inclusionProof(leaf, size, noting);
  for (const from of new Set(sizes)) await consistencyProof(from, size, noting);
  return found;
}

/** The same hashes again without computing them again. */
export function remembering(hashAt: HashAt): HashAt {
  const known = new Map<number, Map<number, Promise<Buffer | undefined>>>();
  return (level, index) => {
    const row = known.get(level) ?? new Map<number, Promise<Buffer | undefined>>();
    known.set(level, row);
    const hash = row.get(index) ?? hashAt(level, index);
    row.set(index, hash);
    return hash;
  };
}
