import type { LeakContext } from './leak-context.js';

/**
 * How far behind its beginning something known may end although there is a place to cut in it: values and folders
 * with spaces or with writing that has none, each character spelled with up to six.
 */
export function reachOf({ roots, private: folders, names, credentials = [] }: LeakContext): number {
  const known = [...roots.map(([, path]) => path), ...folders, ...names, ...credentials];
  const loose = known.filter((value) => /[^\x21-\x7e]/.test(value));
  return loose.reduce((longest, value) => Math.max(longest, value.length * SPELLING + SPELLING), 0);
}

const SPELLING = 6;

/**
 * How much of a word is certainly not the beginning of something known. A known value may begin inside a word; one or
 * two characters that could begin one are too common there to be held back.
 */
export function beginsOf({ roots, private: folders, names, credentials = [] }: LeakContext) {
  let spelled: readonly string[] | undefined;
  const spell = (): readonly string[] => {
    const values = [...roots.map(([, path]) => path), ...folders, ...names, ...credentials];
    return values.flatMap((value) => [value, base64(value)]).map((value) => value.toLowerCase());
  };
  return (word: string): number => {
    // Most redactors see no live words.
    spelled ??= spell();
    const known = spelled;
    const small = word.toLowerCase();
    for (let at = 0; at < small.length; at += 1) {
      const rest = small.slice(at);
      if (at > 0 && rest.length < 3) break;
      if (known.some((value) => value.startsWith(rest) || rest.startsWith(value))) return at;
    }
    return word.length;
  };
}

/** Only the beginning matters, and only that of letters: what is beyond ASCII is not told in words of letters alone. */
const base64 = (value: string): string => {
  const bytes = String.fromCharCode(...[...value.slice(0, 24)].map((char) => char.charCodeAt(0) & 0xff));
  return btoa(bytes).replace(/.{0,2}=*$/, '');
};
