import type { JsonValue } from '@cuebook/prompt';
import { z } from 'zod';
import { canonical } from '../turn/canonical.js';
import { isSignedBy, keysNamed, type PublicKeys, type Signer } from '../turn/key/key.js';

/** Where a run stood. */
export interface AnchoredHead {
  readonly run: string;
  readonly seq: number;
  /** The store's position of its last commit: which of two heads is the later one. */
  readonly position: number;
  /** In hexadecimal. */
  readonly hash: string;
  /** Milliseconds since the epoch; set when the run was removed on purpose. */
  readonly removedAt?: number;
}

/**
 * One signed statement of an anchor.
 * - `heads`: these runs stood there
 * - `base`: all runs stood there, in place of everything before it
 * - `accepted`: the same, after a person accepted that what was anchored before is gone
 * - `begun`: the same, where an anchor should have been and was not
 */
export interface AnchorLine {
  readonly kind: (typeof KINDS)[number];
  readonly project: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly heads: readonly AnchoredHead[];
  /** Who accepted, and why. */
  readonly by?: string;
  readonly reason?: string;
}

const KINDS = ['heads', 'base', 'accepted', 'begun'] as const;

/** The line, signed. It holds no line feed. */
export function printAnchorLine(line: AnchorLine, signer: Signer): string {
  const open = canonical({ ...toWire(line), key: signer.keyId });
  return `${open.slice(0, -1)},"sig":"${signer.sign(signedText(open))}"}`;
}

export type ReadAnchorLine =
  | { readonly ok: true; readonly line: AnchorLine }
  /** `key`: it was signed with a key that is not known here. */
  | { readonly ok: false; readonly why: 'damaged' | 'signature' | 'key'; readonly key?: string };

export function readAnchorLine(text: string, keys: PublicKeys): ReadAnchorLine {
  const parsed = wireSchema.safeParse(tryParse(text));
  if (!parsed.success) return { ok: false, why: 'damaged' };
  const { sig, ...wire } = parsed.data;
  if (keysNamed(keys, wire.key).length === 0) return { ok: false, why: 'key', key: wire.key };
  const open = canonical(wire as JsonValue);
  // The one spelling: a line that differs in any byte is another one.
  if (text !== `${open.slice(0, -1)},"sig":"${sig}"}`) return { ok: false, why: 'damaged' };
  if (!isSignedBy(keys, wire.key, signedText(open), sig)) return { ok: false, why: 'signature' };
  return { ok: true, line: fromWire(wire) };
}

const signedText = (open: string): string => `cuebook anchor 1\n${open}`;

const whole = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
const headSchema = z.union([
  z.tuple([z.string(), whole, whole, z.string().regex(/^[0-9a-f]{64}$/)]),
  z.tuple([z.string(), whole, whole, z.string().regex(/^[0-9a-f]{64}$/), z.number()]),
]);
const wireSchema = z.strictObject({
  anchor: z.literal(1),
  at: z.number(),
  by: z.string().optional(),
  heads: z.array(headSchema),
  key: z.string(),
  kind: z.enum(KINDS),
  project: z.string(),
  reason: z.string().optional(),
  sig: z.string(),
});

type Wire = Omit<z.output<typeof wireSchema>, 'sig'>;

const toWire = ({ kind, project, at, heads, by, reason }: AnchorLine) => ({
  anchor: 1,
  kind,
  project,
  at,
  heads: heads.map(({ run, seq, position, hash, removedAt }) =>
    removedAt === undefined ? [run, seq, position, hash] : [run, seq, position, hash, removedAt],
  ),
  ...(by === undefined ? {} : { by }),
  ...(reason === undefined ? {} : { reason }),
});

const fromWire = ({ kind, project, at, heads, by, reason }: Wire): AnchorLine => ({
  ...{ kind, project, at },
  heads: heads.map(([run, seq, position, hash, removedAt]) => ({
    ...{ run, seq, position, hash },
    ...(removedAt === undefined ? {} : { removedAt }),
  })),
  ...(by === undefined ? {} : { by }),
  ...(reason === undefined ? {} : { reason }),
});

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: the caller says that the line is damaged.
  }
}
