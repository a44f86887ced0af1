import { isLetter } from '../chars.js';
import type { SecretKind } from './secret-value.js';

/** What a key holds, told by its last letters; `header` and `cookie` values have a form of their own. */
export type KeyKind = SecretKind | 'authorization' | 'cookie' | 'query' | 'basic' | 'user' | 'value' | 'key-data';

/** The ends of keys, in lower case without `_`, `-` and `.`. The first that fits counts. */
const ENDS: readonly (readonly [kind: KeyKind, ends: string])[] = [
  ['authorization', 'authorization authheader extraheader'],
  ['cookie', 'cookie cookies cookiejar'],
  ['password', 'password passwd passphrase pwd passwort userpass dbpass dbpw rootpw adminpass smtppass mailpass pgpass requirepass'],
  [
    'token',
    'secret token tokens credential credentials creds apikey apikeys accesskey accesskeyid secretkey privatekey authkey ' +
      'signingkey accountkey encryptionkey clientsecret masterkey sharedkey sharedaccesskey storagekey sessionkey ' +
      'servicekey subscriptionkey deploykey licensekey licencekey appkey applicationkey hmackey aeskey jwtkey ' +
      'webhookkey ingestkey adminkey rootkey integrationkey functionskey secretaccesskey sessionid authtoken ' +
      'personalaccesstoken secretid refreshtoken idtoken connectionstring secretbase secretkeybase',
  ],
  ['query', 'sig signature key code auth hash sas session sid jwt hmac'],
  ['basic', 'auth'],
  ['key-data', 'keydata clientkeydata certificatekey'],
  ['password', 'pass passcode pw'],
  ['value', 'value'],
];

/** The longest key that is read. */
const KEY_MAX = 40;

const ALL_ENDS = ENDS.flatMap(([kind, ends]) => ends.split(' ').map((end) => ({ kind, end })));

/** By the last two letters of a key: the ends to look at. */
const BY_LAST_TWO = new Map<string, typeof ALL_ENDS>();
/** By their two codes: 1 when there are any. */
const LAST_TWO = new Uint8Array(128 * 128);
for (const each of ALL_ENDS) {
  const two = each.end.slice(-2);
  BY_LAST_TWO.set(two, [...(BY_LAST_TWO.get(two) ?? []), each]);
  LAST_TWO[two.charCodeAt(0) * 128 + two.charCodeAt(1)] = 1;
}

/** By code in lower case: 1 for the last letter of a key. */
export const KEY_LAST = Uint8Array.from({ length: 128 }, (_, code) =>
  ALL_ENDS.some(({ end }) => end.charCodeAt(end.length - 1) === code) ? 1 : 0,
);

/** Two characters, in lower case, that a key of a secret may end with. Nearly every key fails. */
export const isKeyEnd = (first: number, second: number): boolean =>
  first < 128 && second < 128 && LAST_TWO[first * 128 + second] === 1;

/** Between a key and its sign: spaces and quotes. */
export const isGap = (code: number): boolean => code === 32 || code === 34 || code === 39 || code === 96;

/** A key as it stands in a text. */
export interface Key {
  readonly kinds: readonly KeyKind[];
  /** As written. */
  readonly name: string;
  readonly start: number;
  /** A quote stands behind it. */
  readonly quoted: boolean;
}

/** The key before the `=`, `:` or `>` at `at`, when it is one of a secret. */
export function keyBefore(text: string, at: number): Key | undefined {
  let end = at;
  while (end > 0 && at - end < 3 && isGap(text.charCodeAt(end - 1))) end -= 1;
  if (!isKeyEnd(text.charCodeAt(end - 2) | 32, text.charCodeAt(end - 1) | 32)) return undefined;
  let start = end;
  while (start > 0 && end - start < KEY_MAX && isKeyCode(text.charCodeAt(start - 1))) start -= 1;
  const name = text.slice(start, end);
  const kinds = kindsOf(name);
  if (kinds.length === 0) return undefined;
  return { kinds, name, start, quoted: /["'`]/.test(text.slice(end, at)) };
}

const isKeyCode = (code: number): boolean =>
  isLetter(code) || code === 95 || code === 45 || code === 46 || (code >= 48 && code <= 57);

/** What a key may hold; none for most. */
export function kindsOf(name: string): readonly KeyKind[] {
  const plain = name.toLowerCase().replace(/[_.-]|\s/g, '');
  const kinds = new Set<KeyKind>();
  for (const { kind, end } of BY_LAST_TWO.get(plain.slice(-2)) ?? []) {
    if (!plain.endsWith(end)) continue;
    if (SHORT.has(end) && plain !== end && !isWordEnd(name, end)) continue;
    kinds.add(kind);
  }
  return [...kinds];
}

/** Short ends are words of their own: `db_pass`, not `compass`; `userAuth`, not `oauth`. */
const SHORT: ReadonlySet<string> = new Set('pass pw pwd auth key code hash sas sid jwt sig hmac session value creds'.split(' '));

function isWordEnd(name: string, end: string): boolean {
  const before = name.charCodeAt(name.length - end.length - 1);
  const first = name.charCodeAt(name.length - end.length);
  return before === 95 || before === 45 || before === 46 || (first >= 65 && first <= 90 && before >= 97) || isAllUpper(name);
}

/** `PGPASSWORD`, `MYSQL_PWD`: a variable of an environment. */
export const isAllUpper = (name: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(name);
