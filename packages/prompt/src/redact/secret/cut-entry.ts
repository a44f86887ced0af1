import { entrySecrets } from './entry.js';
import type { SecretRange } from './secret-value.js';

/** So much of the beginning of a text is looked at. */
const HEAD_MAX = 700;
const SIGN = String.raw`["'\x60]?\s{0,3}(?:=>|[:=])\s{0,3}["'\x60]`;
const QUOTE = String.raw`["'\x60]\s{0,3},\s{0,40}["'\x60]?`;
/** A value whose beginning may be cut, and then the entry that names it. */
const VALUE_FIRST = new RegExp(
  String.raw`^([.\u2026\s]{0,8})([^\s"'\x60{}[\],:]{6,400})${QUOTE}[\w.-]{0,20}(?:name|key|header)${SIGN}([\w.-]{2,60})`,
  'i',
);
/** The same the other way round. */
const NAME_FIRST = new RegExp(
  String.raw`^([.\u2026\s]{0,8}([\w.-]{2,60})${QUOTE}[\w.-]{0,20}value${SIGN})([^\s"'\x60]{3,400})`,
  'i',
);

/** Of a text that begins within an object: `…XYZ","name":"API_KEY"}`, `API_KEY","value":"XYZ"}`. */
export function cutEntrySecrets(text: string): readonly SecretRange[] {
  if (text.length < LEAST || !text.includes(',')) return NONE;
  const head = text.slice(0, HEAD_MAX);
  const first = VALUE_FIRST.exec(head);
  if (first) return secretAt(first[3]!, first[2]!, first[1]!.length);
  const second = NAME_FIRST.exec(head);
  return second ? secretAt(second[2]!, second[3]!, second[1]!.length) : NONE;
}

/** `ab","value":"x…`: a name, a value, and the signs between them. */
const LEAST = 14;
const NONE: readonly SecretRange[] = [];

const secretAt = (name: string, value: string, start: number): readonly SecretRange[] =>
  entrySecrets(name, value).map((range) => ({ start: start + range.start, end: start + range.end }));
