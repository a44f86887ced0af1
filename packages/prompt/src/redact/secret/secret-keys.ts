import { isAlnum, isLetter, isLower, isUpper } from '../chars.js';
import type { SecretKind } from './secret-value.js';

/** What a key holds, told by its last letters; `header` and `cookie` values have a form of their own. */
export type KeyKind =
  | SecretKind
  | 'authorization'
  | 'cookie'
  | 'query'
  | 'named'
  | 'basic'
  | 'user'
  | 'value'
  | 'key-data'
  | 'key-lines'
  /** A secret that two sides share: long and random, or chosen like a good password. */
  | 'shared';

/** The ends of keys, in lower case without `_`, `-` and `.`. The first that fits counts. */
const ENDS: readonly (readonly [kind: KeyKind, ends: string])[] = [
  ['authorization', 'authorization authheader extraheader authentication registryauth sentryauth'],
  ['cookie', 'cookie cookies cookiejar'],
  [
    'password',
    'password passwd passphrase pwd passwort wachtwoord senha contrasena userpass dbpass dbpw rootpw adminpass smtppass mailpass pgpass requirepass bindpw psk authtok storepass keypass authident remotepass localpass',
  ],
  [
    'token',
    'secret token tokens credential credentials creds apikey apikeys accesskey accesskeyid secretkey privatekey authkey ' +
      'signingkey accountkey encryptionkey clientsecret masterkey sharedkey sharedaccesskey storagekey sessionkey ' +
      'servicekey subscriptionkey deploykey licensekey licencekey appkey applicationkey hmackey aeskey jwtkey ' +
      'webhookkey ingestkey adminkey rootkey integrationkey functionskey secretaccesskey sessionid authtoken ' +
      'personalaccesstoken secretid refreshtoken idtoken connectionstring secretbase secretkeybase presharedkey ' +
      'phpsessid samlresponse samlart routingkey validationkey decryptionkey machinekey passwords secrets passphrases',
  ],
  ['shared', 'secret'],
  ['named', 'key pat session team salt seckey'],
  ['query', 'sig signature key code auth hash sas session sid jwt hmac'],
  ['basic', 'auth'],
  ['key-data', 'keydata clientkeydata certificatekey'],
  ['key-lines', 'privatelines'],
  ['password', 'pass passcode pw'],
  ['value', 'value'],
];

/** The longest key that is read. */
const KEY_MAX = 40;

/** Short ends are words of their own: `db_pass`, not `compass`; `userAuth`, not `oauth`. */
const SHORT: ReadonlySet<string> = new Set(
  'pass pw pwd psk pat team salt auth key code hash sas sid jwt sig hmac session value creds'.split(' '),
);

const ALL_ENDS = ENDS.flatMap(([kind, ends]) =>
  ends.split(' ').map((end) => ({ kind, end, isShort: SHORT.has(end) })),
);

/** By the last two letters of a key: the ends to look at. */
const BY_LAST_TWO = new Map<number, (typeof ALL_ENDS)[number][]>();
const LAST_TWO = new Uint8Array(128 * 128);
/** By code in lower case: 1 for the last letter of a key. */
export const KEY_LAST = new Uint8Array(128);
for (const each of ALL_ENDS) {
  const last = each.end.charCodeAt(each.end.length - 1);
  const two = each.end.charCodeAt(each.end.length - 2) * 128 + last;
  KEY_LAST[last] = 1;
  LAST_TWO[two] = 1;
  const ends = BY_LAST_TWO.get(two);
  if (ends) ends.push(each);
  else BY_LAST_TWO.set(two, [each]);
}

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
  while (
    end > 0 &&
    at - end < 3 &&
    (isGap(text.charCodeAt(end - 1)) || isIndexEnd(text.charCodeAt(end - 2), text.charCodeAt(end - 1)))
  )
    end -= 1;
  if (!isKeyEnd(text.charCodeAt(end - 2) | 32, text.charCodeAt(end - 1) | 32)) return undefined;
  const kinds = kindsAt(text, Math.max(0, end - KEY_MAX), end);
  if (kinds.length === 0) return undefined;
  let start = end;
  while (start > 0 && end - start < KEY_MAX && isKeyCode(text.charCodeAt(start - 1))) start -= 1;
  return { kinds, name: text.slice(start, end), start, quoted: /["'`]/.test(text.slice(end, at)) };
}

/** `['password'] =`: the end of an index, by its last two characters. */
export const isIndexEnd = (before: number, last: number): boolean =>
  last === 93 && (before === 39 || before === 34);

const isKeyCode = (code: number): boolean =>
  isLetter(code) || code === 95 || code === 45 || code === 46 || (code >= 48 && code <= 57);

/** What a key may hold; none for most. */
export const kindsOf = (name: string): readonly KeyKind[] => kindsAt(name, 0, name.length);

const NO_KINDS: readonly KeyKind[] = [];

function kindsAt(text: string, start: number, end: number): readonly KeyKind[] {
  const ends = BY_LAST_TWO.get((text.charCodeAt(end - 2) | 32) * 128 + (text.charCodeAt(end - 1) | 32));
  if (!ends) return NO_KINDS;
  let kinds: KeyKind[] | undefined;
  for (const each of ends) {
    const from = endStart(text, start, end, each.end);
    if (from === -1 || kinds?.includes(each.kind)) continue;
    if (each.isShort && from > start && !isWordStart(text, from, end)) continue;
    kinds = [...(kinds ?? []), each.kind];
  }
  return kinds ?? NO_KINDS;
}

/** Where the key's last letters start when they are these, whatever `_`, `-`, `.` or space stands between; or -1. */
function endStart(text: string, start: number, end: number, letters: string): number {
  let at = end;
  for (let index = letters.length - 1; index >= 0; ) {
    at -= 1;
    if (at < start) return -1;
    const code = text.charCodeAt(at);
    if ((code | 32) === letters.charCodeAt(index)) index -= 1;
    else if (at === end - 1 || !(code === 95 || code === 45 || code === 46 || code === 32)) return -1;
  }
  return at;
}

/** A new word of the key starts at `from`. */
function isWordStart(text: string, from: number, end: number): boolean {
  const before = text.charCodeAt(from - 1);
  if (!isAlnum(before)) return true;
  return isUpper(text.charCodeAt(from)) && (isLower(before) || isAllUpper(text.slice(from, end)));
}

/** `PGPASSWORD`, `MYSQL_PWD`: a variable of an environment. */
export const isAllUpper = (name: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(name);
