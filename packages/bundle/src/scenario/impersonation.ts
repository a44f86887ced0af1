import type { Persona } from '../card/schema.js';

/**
 * Whether a text claims to be the inspiration of a persona. It looks for the plain claims of the first person in
 * front of the name, letter case, width, accents and punctuation aside. It is a net with known holes: a claim in
 * other words passes.
 */
export function findsImpersonation(text: string, persona: Persona | undefined): boolean {
  const reference = persona?.inspiration?.reference;
  if (reference === undefined) return false;
  const name = plain(reference);
  if (name === '') return false;
  const said = plain(text);
  for (let at = said.indexOf(name); at !== -1; at = said.indexOf(name, at + 1)) {
    if (isWordAt(said, at, name.length) && CLAIM.test(said.slice(Math.max(0, at - 48), at))) return true;
  }
  return false;
}

/** Letters and digits in one form, with single spaces between words. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** A name inside a longer word is another name. Scripts without spaces have no word ends. */
function isWordAt(text: string, at: number, length: number): boolean {
  const before = text[at - 1] ?? ' ';
  const after = text[at + length] ?? ' ';
  const joins = (a: string, b: string) => LATIN.test(a) && LATIN.test(b);
  return !joins(before, text[at] ?? '') && !joins(text[at + length - 1] ?? '', after);
}

const LATIN = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;
/** Ends right before the name. "I am not" is no claim. */
const CLAIM =
  /(?:^|\s)(?:i am|i m|im|my name is|call me|this is|it is me|it s me|speaking as|yours truly|ich bin|mein name ist|je suis|je m appelle|soy|me llamo|sono|mi chiamo)(?: (?:the|really|actually|indeed|in fact|still|only|real|one and only|great|famous|der|die|das|le|la|el|il))* ?$|(?:我是|我就是|我叫|吾乃|在下|本人是|我的名字是) ?$/u;
