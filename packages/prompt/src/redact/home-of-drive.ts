import type { SecretRange } from './secret/secret-value.js';
import { signOf } from './sign.js';
import { holds } from './survey.js';

/** What every such path has in it; few texts do. */
const SIGN = signOf('Users\\');
const HOME =
  /(?<![\w])[a-z]:Users[\\/]{1,4}(?!Public\b|Default\b)[^\\/\s:*?"'<>|,;()]{1,64}(?:[\\/]{1,4}[^\\/\s:*?"'<>|,;()]{1,200}){0,40}/gi;

/** `C:Users\\x`: a home by a drive and the folder in which it stands. */
export function homesOfDrives(text: string): readonly SecretRange[] {
  if (!holds(text, SIGN)) return NONE;
  return [...text.matchAll(HOME)].map(({ 0: path, index }) => ({ start: index, end: index + path.length }));
}

const NONE: readonly SecretRange[] = [];
