import { createHash } from 'node:crypto';
import { Metadata, MetadataKind, Signature, type Targets } from '@tufjs/models';
import { printTime } from '../cert/cert.js';
import { canonicalBytes } from '../json/read.js';
import { type KeySigner, keyIdOf, type PublicKey, tufKey } from '../key/key.js';

/** Signed metadata of The Update Framework, as it is stored: canonical, so that there is one form of it. */
export interface SignedMetadata {
  readonly version: number;
  readonly bytes: Buffer;
}

/** Which keys speak for a role, and how many of them must agree. */
export interface RoleKeys {
  readonly keys: readonly PublicKey[];
  readonly threshold: number;
}

/**
 * What the offline `targets` role hands on. `library` lists reviewed templates, `reviews` the words of reviewed
 * cards; both are signed away from the server. `assignment` says which card and bundle an agent has now, with the
 * key of the server; the same key certifies the objects. `log` signs checkpoints of the transparency log.
 */
export const DELEGATED = {
  library: ['templates/*/*'],
  reviews: ['reviews/*/*'],
  assignment: ['agents/all/*', 'agents/prompts/*/*'],
  log: ['log/*'],
} as const;
export type DelegatedRole = keyof typeof DELEGATED;

interface Common {
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** Each adds its signature: old and new keys for a root that takes over from another. */
  readonly signers: readonly KeySigner[];
}

export interface RootRoles {
  readonly root: RoleKeys;
  readonly targets: RoleKeys;
  readonly snapshot: RoleKeys;
  readonly timestamp: RoleKeys;
}

/** The root: who speaks for each of the four roles. A new one is signed by the threshold of the one before it too. */
export function rootMetadata(roles: RootRoles, common: Common): SignedMetadata {
  const named = Object.entries(roles).map(([name, role]: [string, RoleKeys]) => [name, roleOf(role)]);
  return sign(MetadataKind.Root, common, {
    consistent_snapshot: true,
    keys: keysOf(Object.values(roles)),
    roles: Object.fromEntries(named),
  });
}

/** The offline role that hands on to the four others. It lists nothing itself and is the same for every agent. */
export function targetsMetadata(
  delegated: Readonly<Record<DelegatedRole, RoleKeys>>,
  common: Common,
): SignedMetadata {
  const roles = Object.entries(DELEGATED).map(([name, paths]) => ({
    name,
    paths: [...paths],
    terminating: true,
    ...roleOf(delegated[name as DelegatedRole]),
  }));
  return sign(MetadataKind.Targets, common, {
    targets: {},
    delegations: { keys: keysOf(Object.values(delegated)), roles },
  });
}

/** A file that a role vouches for: its bytes, or what is known of them. `logIndex` is its place in the transparency log. */
export type Listed = ({ readonly bytes: Uint8Array } | Digest) & { readonly logIndex?: number };

/** What is known of bytes that are not at hand. */
export interface Digest {
  readonly length: number;
  readonly sha256: string;
}

/** A piece of metadata in the store, as a snapshot or a timestamp pins it. */
export interface PinnedMetadata extends Digest {
  readonly version: number;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** Metadata as others pin it. */
export const pinOf = ({ version, bytes }: SignedMetadata, expires: number): PinnedMetadata => {
  const { length, hashes } = digestOf(bytes);
  return { version, expires, length, sha256: hashes.sha256 };
};

/** The metadata of a delegated role: what it vouches for, by path. */
export function delegatedMetadata(targets: Readonly<Record<string, Listed>>, common: Common): SignedMetadata {
  const listed = Object.entries(targets).map(([path, file]) => {
    const { logIndex } = file;
    const digest = 'bytes' in file ? digestOf(file.bytes) : digestMember(file);
    return [path, { ...digest, ...(logIndex === undefined ? {} : { custom: { log_index: logIndex } }) }];
  });
  return sign(MetadataKind.Targets, common, { targets: Object.fromEntries(listed) });
}

/** Pins the version and the bytes of every role's metadata, so that versions cannot be mixed. */
export function snapshotMetadata(
  roles: Readonly<Record<string, SignedMetadata | PinnedMetadata>>,
  common: Common,
): SignedMetadata {
  const meta = Object.entries(roles).map(([role, metadata]) => [`${role}.json`, metaOf(metadata)]);
  return sign(MetadataKind.Snapshot, common, { meta: Object.fromEntries(meta) });
}

/**
 * Pins the snapshot of one agent, for a short time. `issued` is signed with it: who has verified it knows that this time
 * has come, whatever a clock says.
 */
export const timestampMetadata = (
  snapshot: SignedMetadata | PinnedMetadata,
  { issued, agent, ...common }: Common & { readonly issued: number; readonly agent: string },
): SignedMetadata =>
  sign(MetadataKind.Timestamp, common, {
    meta: { 'snapshot.json': metaOf(snapshot) },
    agent_id: agent,
    issued_at: printTime(issued),
  });

/** sha256 and length, as metadata tells them. */
export const digestOf = (bytes: Uint8Array) => ({
  length: bytes.length,
  hashes: { sha256: createHash('sha256').update(bytes).digest('hex') },
});

/** The list of a role as the library of the framework has it. Throws for what is none. */
export const parseTargets = (bytes: Uint8Array): Metadata<Targets> =>
  Metadata.fromJSON(MetadataKind.Targets, JSON.parse(Buffer.from(bytes).toString('utf8')));

const digestMember = ({ length, sha256 }: Digest) => ({ length, hashes: { sha256 } });

const metaOf = (metadata: SignedMetadata | PinnedMetadata) => ({
  version: metadata.version,
  ...('bytes' in metadata ? digestOf(metadata.bytes) : digestMember(metadata)),
});

function sign(kind: MetadataKind, common: Common, body: object): SignedMetadata {
  const { version, expires, signers } = common;
  const signed = { _type: kind, spec_version: '1.0.31', version, expires: printTime(expires), ...body };
  // The framework signs its own canonical form. For what stands in metadata, plain ASCII and whole numbers, it is the
  // form of RFC 8785, letter for letter; anything else goes through the library.
  const text = printPlain(signed);
  if (text === undefined || !IS_PLAIN.test(text)) return signByLibrary(kind, common, signed);
  const bytes = Buffer.from(text, 'latin1');
  // A key counts once, however often it is named.
  const unique = [...new Map(signers.map((signer) => [signer.keyId, signer])).values()];
  const signatures = unique.map(
    (signer) => `{"keyid":"${signer.keyId}","sig":"${signer.sign(bytes).toString('hex')}"}`,
  );
  const head = Buffer.from(`{"signatures":[${signatures.join(',')}],"signed":`);
  return { version, bytes: Buffer.concat([head, bytes, CLOSE]) };
}

/**
 * The canonical form of plain data: texts, whole numbers, truth values, lists, and objects of them. Undefined for
 * anything else. What has an escape or a letter beyond ASCII in it is for the caller to find.
 */
export function printPlain(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  const names = isList ? value.keys() : Object.keys(value).sort();
  for (const name of names) {
    const part = printPlain((value as Record<string | number, unknown>)[name]);
    if (part === undefined) return undefined;
    if (text.length > 1) text += ',';
    text += isList ? part : `${JSON.stringify(name)}:${part}`;
  }
  return text + (isList ? ']' : '}');
}

/** No escape, no letter beyond ASCII: where the two canonical forms could differ. */
const IS_PLAIN = /^[ !#-[\]-~"]*$/;
const CLOSE = Buffer.from('}');

function signByLibrary(kind: MetadataKind, { version, signers }: Common, signed: object): SignedMetadata {
  // The library's types tell the four kinds apart; here any of them will do.
  const metadata = Metadata.fromJSON(kind as MetadataKind.Root, { signed, signatures: [] } as never);
  for (const signer of signers)
    metadata.sign((bytes) => new Signature({ keyID: signer.keyId, sig: signer.sign(bytes).toString('hex') }));
  return { version, bytes: canonicalBytes(metadata.toJSON()) as Buffer };
}

const roleOf = ({ keys, threshold }: RoleKeys) => ({
  keyids: keys.map(({ hex }) => keyIdOf(hex)),
  threshold,
});

const keysOf = (roles: readonly RoleKeys[]) =>
  Object.fromEntries(roles.flatMap(({ keys }) => keys).map(({ hex }) => [keyIdOf(hex), tufKey(hex)]));
