import { BOUNDS } from '../bounds.js';
import type { EventText, ProjectionText } from './chain.js';
import { pack, unpack } from './pack.js';

/** What a commit row holds in its body. Blobs stand by row number; their names are in their own table. */
export interface Body {
  readonly command: string;
  readonly target: string;
  readonly answer: string;
  readonly projections: readonly ProjectionText[];
  readonly blobs: readonly number[];
  readonly events: readonly EventText[];
}

/**
 * Five lines and two for each event. Values are canonical JSON, which has no line feed, so they are stored and
 * read back as the very text that was hashed.
 */
export function encodeBody(body: Body): Buffer {
  const lines = [
    JSON.stringify([body.command, body.target]),
    body.answer,
    JSON.stringify(body.projections.map(({ name, key, hash }) => [name, key, hash])),
    JSON.stringify(body.blobs),
    ...body.events.flatMap(({ type, data }) => [JSON.stringify(type), data]),
  ];
  return pack(Buffer.from(lines.join('\n')));
}

/** The body again; `undefined` if it is damaged. */
export function decodeBody(stored: Uint8Array): Body | undefined {
  const plain = unpack(stored, 2 * BOUNDS.append + BOUNDS.value);
  if (plain === undefined) return undefined;
  try {
    return parseLines(plain.toString('utf8').split('\n'));
  } catch {
    return undefined; // Not the lines that were written: the caller says what it was.
  }
}

/** Throws for lines of another form. */
function parseLines([
  names = '',
  answer = '',
  projections = '',
  blobs = '',
  ...rest
]: readonly string[]): Body {
  const [command, target] = JSON.parse(names) as [string, string];
  const numbers = JSON.parse(blobs) as number[];
  const isFit =
    typeof command === 'string' &&
    typeof target === 'string' &&
    Array.isArray(numbers) &&
    numbers.every(Number.isSafeInteger) &&
    rest.length % 2 === 0;
  if (!isFit) throw new TypeError('not the lines of a commit');
  return {
    command,
    target,
    answer,
    projections: (JSON.parse(projections) as [string, string, string | null][]).map(([name, key, hash]) => ({
      name,
      key,
      hash,
    })),
    blobs: numbers,
    events: Array.from({ length: rest.length / 2 }, (_, index) => ({
      type: JSON.parse(rest[2 * index] ?? '') as string,
      data: rest[2 * index + 1] ?? '',
    })),
  };
}
