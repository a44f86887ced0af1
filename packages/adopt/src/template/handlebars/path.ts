import { inputName } from '../../names.js';
import { type GoPieces, goPath, isFieldName } from '../go.js';
import { isInherited } from '../tokens.js';

/** Where a tag stands: at the top, or in a loop. */
export interface HandlebarsScope {
  /** How many loops are around. */
  readonly depth: number;
  /** Inside a condition in a loop the library hands an empty object on where the item is null. */
  readonly isNullHidden: boolean;
  /** A condition around says that the item is not null. */
  readonly isItemKnown: boolean;
  /** What the body of the loop asks about its place. */
  readonly asked: { index: boolean; last: boolean };
}

export const ROOT_SCOPE: HandlebarsScope = {
  depth: 0,
  isNullHidden: false,
  isItemKnown: false,
  asked: { index: false, last: false },
};

/** A value that a tag names, as an expression. */
export interface HandlebarsValue {
  readonly pieces: GoPieces;
  /** The input, where the value is all of it. */
  readonly input?: string;
  /** The item of the loop itself. */
  readonly isItem?: boolean;
  /** The expression is true or false. */
  readonly isFlag?: boolean;
}

const PATH = /^[\p{L}_$][\p{L}\p{M}\p{N}_$-]*(?:\.[\p{L}_$][\p{L}\p{M}\p{N}_$-]*)*$/u;
const LITERALS = ['true', 'false', 'null', 'undefined', 'this'];

/** Whether words are a plain path: names with dots between. */
export const isPlainPath = (words: string): boolean =>
  PATH.test(words) && !words.split('.').some((part) => LITERALS.includes(part)) && !isInherited(words);

/**
 * The value that words name. Undefined for what has no equal in a sheet: `../x`, whose meaning hangs on the values, and
 * `length`, which texts and lists have as well.
 */
export function readPath(
  words: string,
  scope: HandlebarsScope,
  isPrinted: boolean,
): HandlebarsValue | undefined {
  const { depth, asked, isNullHidden } = scope;
  const dot = depth === 0 ? '.' : '$.';
  if (depth > 0 && words.startsWith('@') && !words.startsWith('@root.')) return placeOf(words, depth, asked);
  if (depth > 0 && (words === 'this' || words === '.'))
    return isNullHidden ? undefined : { pieces: ['.'], isItem: true };
  const isRoot = depth === 0 || words.startsWith('@root.');
  const bare = words.replace(/^(?:@root\.|this\.|\.\/)/, '');
  const path = bare.split('.');
  const fields = isRoot ? path.slice(1) : path;
  if (!isPlainPath(bare) || fields.includes('length')) return undefined;
  if (!isRoot) return { pieces: goPath(path, { dot, isPrinted, holder: ['.'] }) };
  const [first = ''] = path;
  if (!isFieldName(inputName(first))) return undefined;
  const pieces = goPath(path, { dot, isPrinted });
  return path.length === 1 ? { pieces, input: first } : { pieces };
}

function placeOf(words: string, depth: number, asked: HandlebarsScope['asked']): HandlebarsValue | undefined {
  if (!['@index', '@first', '@last'].includes(words)) return undefined;
  asked.index = true;
  if (words === '@index') return { pieces: [`$index${depth}`] };
  if (words === '@first') return { pieces: [`eq $index${depth} 0`], isFlag: true };
  asked.last = true;
  return { pieces: [`eq (len (slice $items${depth} $index${depth})) 1`], isFlag: true };
}
