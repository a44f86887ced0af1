import { hash } from 'node:crypto';

// What is hashed is text, line by line. Names are JSON strings and values canonical JSON, so no line holds a
// line feed and no two records have the same text.

/** The hash that the first commit of a run stands on. It binds the chain to the run's name. */
export const genesis = (run: string): Buffer => digest(`run\n${run}`);

/** A commit's own record, without its events. */
export interface CommitText {
  readonly run: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly at: number;
  readonly command: string;
  readonly target: string;
  /** Canonical JSON. */
  readonly answer: string;
  readonly projections: readonly ProjectionText[];
  /** Hexadecimal, without `sha256:`. */
  readonly blobs: readonly string[];
  readonly events: readonly EventText[];
}

export interface ProjectionText {
  readonly name: string;
  readonly key: string;
  /** Hexadecimal; `null`: removed. */
  readonly hash: string | null;
}

export interface EventText {
  readonly type: string;
  /** Canonical JSON. */
  readonly data: string;
}

/**
 * The hashes of a commit that follows `previous`: one for each event, and the run's head after it. The record of
 * the command comes first, so the last event's hash covers all of it.
 */
export function chainCommit(
  previous: Uint8Array,
  commit: CommitText,
): { readonly events: readonly Buffer[]; readonly head: Buffer } {
  let head = digest(recordText(previous, commit));
  const events = commit.events.map(({ type, data }, index) => {
    const seq = commit.firstSeq + index;
    head = digest(`event\n${hex(head)}\n${seq}\n${JSON.stringify(type)}\n${data}`);
    return head;
  });
  return { events, head };
}

function recordText(previous: Uint8Array, commit: CommitText): string {
  const { run, firstSeq, lastSeq, at, command, target, answer, projections, blobs } = commit;
  const lines = [
    `commit\n${hex(previous)}\n${run}\n${firstSeq}\n${lastSeq}\n${at}`,
    `${JSON.stringify(command)}\n${JSON.stringify(target)}\n${answer}`,
    ...projections.map(({ name, key, hash }) => `projection ${JSON.stringify([name, key, hash])}`),
    ...blobs.map((blob) => `blob ${blob}`),
  ];
  return lines.join('\n');
}

/** The sha256 of bytes, or of text as UTF-8. */
export const digest = (of: string | Uint8Array): Buffer => hash('sha256', of, 'buffer');

export const hex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');

/** How a hash is shown: `sha256:` and hexadecimal digits. */
export const shownHash = (bytes: Uint8Array): string => `sha256:${hex(bytes)}`;

/** The bytes of a shown hash; `undefined` for anything else. */
export function readHash(shown: string): Buffer | undefined {
  return /^sha256:[0-9a-f]{64}$/.test(shown) ? Buffer.from(shown.slice(7), 'hex') : undefined;
}

/** The first six bytes of a hash as a number: what indexes hold instead of 32 bytes. Not unique; compare after. */
export const keyOf = (hash: Uint8Array): number =>
  Buffer.from(hash.buffer, hash.byteOffset, 6).readUIntBE(0, 6);

/** The index key of a command of a run. */
export const commandKey = (run: string, command: string): number => keyOf(digest(`${run}\n${command}`));
