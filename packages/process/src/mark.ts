import { randomBytes, randomInt } from 'node:crypto';

/**
 * The variable that every child carries, and with it all that the child starts. Its value is a mark. The same mark is
 * a limit too, of file locks: Linux keeps that limit, shows it and never uses it, and a program that starts another
 * with an empty environment leaves it in place.
 */
export const MARK_NAME = 'CUEBOOK_CHILD';

/** No two processes of ours have the same. */
const OWN = randomBytes(12).toString('hex');
const CHILD_DIGITS = 6;
let count = randomInt(10 ** CHILD_DIGITS);

/** `NAME=value`, the beginning that all children of this process have in common. */
export const ownMark = (): string => `${MARK_NAME}=${OWN}.`;

/** `NAME=value` for one child. */
export function newMark(): string {
  count = (count + 1) % 10 ** CHILD_DIGITS;
  return `${ownMark()}${String(count).padStart(CHILD_DIGITS, '0')}${randomBytes(9).toString('hex')}`;
}

/** No process carries this. */
export const NO_MARK = `${MARK_NAME}=none.${randomBytes(12).toString('hex')}`;

/** The limit that a child with this mark is given. */
export const limitOf = (mark: string): string => parts(mark)?.join('') ?? '';

/** The line of /proc/PID/limits of a process that has the limit of a mark, as a pattern; of any child, for a beginning. */
export function limitPattern(mark: string): string {
  const [own, child = `[0-9]{${CHILD_DIGITS}}`] = parts(mark) ?? [];
  if (own === undefined) return 'no such line';
  return `^Max file locks +(${own}${child} |[0-9a-z]+ +${own}${child} )`;
}

const MARK = new RegExp(
  `^${MARK_NAME}=([0-9a-f]{7})[0-9a-f]{17}\\.(?:([0-9]{${CHILD_DIGITS}})[0-9a-f]{18})?$`,
);

/** Nine digits of the process, and those of the child. */
function parts(mark: string): readonly string[] | undefined {
  const [, own, child] = MARK.exec(mark) ?? [];
  if (own === undefined) return undefined;
  const digits = String(1e8 + Number.parseInt(own, 16));
  return child === undefined ? [digits] : [digits, child];
}
