import { lookInside, Unreadable, type UnreadableReason } from '@cuebook/files';
import { guard } from '@cuebook/guard';
import { fail, ok, type Redactor, type Replacement, type Result } from '@cuebook/prompt';

/** Why bytes may not be sent: what kind of secret they hold, or that nobody can look into them. */
export type BytesProblem = Replacement['kind'] | UnreadableReason;

/**
 * The bytes of a file as they may be sent and kept. Text passes the masks that all text passes, in whatever encoding it
 * is. What cannot be changed (archives, documents, pictures) is refused when something stands in it that is known to be
 * private, which no wire would let pass either, or that is a credential by its shape. A path that only looks private
 * is no reason: documents are full of them.
 */
export async function cleanBytes(
  bytes: Uint8Array,
  redactor: Redactor,
): Promise<Result<Uint8Array, BytesProblem>> {
  const inside = lookInside(bytes);
  if (inside.kind === 'text') {
    const { text, replacements } = redactor.redactText(inside.text);
    const isMasked = guard('attachment.mask', replacements.length > 0);
    const held = await findInside(inside.held(isMasked ? text : inside.text), redactor);
    if (guard('attachment.held', held !== undefined) && held !== undefined) return fail(held);
    return ok(isMasked ? inside.encode(text) : bytes);
  }
  const found = await findInside(inside.texts, redactor);
  return guard('attachment.secret', found !== undefined) && found !== undefined ? fail(found) : ok(bytes);
}

async function findInside(
  texts: AsyncIterable<string>,
  redactor: Redactor,
): Promise<BytesProblem | undefined> {
  try {
    for await (const text of texts) {
      const found = redactor.find(text).find(isReason);
      if (found !== undefined) return found.kind;
    }
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Unreadable) return thrown.reason;
    throw thrown;
  }
}

const isReason = ({ kind, known }: Replacement): boolean => known || kind === 'credential';

/** A sentence part: what is wrong with the file. */
export const describeBytes = (problem: BytesProblem): string => PROBLEMS[problem];

const PROBLEMS: Readonly<Record<BytesProblem, string>> = {
  credential: 'holds a credential',
  path: 'holds a private path of this machine',
  root: 'holds a private path of this machine',
  name: 'holds the name of a user or of this machine',
  bomb: 'unpacks to more than can be looked through',
  encrypted: 'is encrypted, so nobody can say what it holds',
  packed: 'is packed in a way that is not opened here, so nobody can say what it holds',
  broken: 'is broken, so nobody can say what it holds',
};
