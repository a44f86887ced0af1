import { signOf } from '../sign.js';
import { holdsAny } from '../survey.js';
import { isPlaceholder, isRandom, isSecretValue, SAMPLES, type SecretRange } from './secret-value.js';
import { toldWindows } from './told-windows.js';

/** Words that speak of secrets or of signing in. */
const NOUN =
  /(?:pass(?:word|wd|phrase|code|(?![a-z]))|(?<![A-Za-z0-9])(?:pw\b|pwd|psk)|creds|identified by|secret|token|credential|(?:api|access|private|sec|licen[cs]e|account|signing|encryption|unseal|recovery)[ _.-]?key)(?:s(?![a-z]))?(?:(?<=key) \d(?=:))?|auth(?!or(?!i))|log ?in\b/gi;
/** The same, of few texts. */
const RARE =
  /bindpw|requirepass|authtok|r[ow]community|masterauth|bearer(?=,)|[Pp]asswort|[Kk]ennwort|[Mm]ot de passe|[Ss]enha|[Ww]achtwoord|[Pp]arola|[Ss]alasana|[Hh]eslo|[Aa]dgangskode|connect(?=\()|getConnection|PDO(?=\()|useradd|usermod|ssh-keygen|activate-service-account|snmp-server community|htpasswd -\w*b\w* \S{1,60} \S{1,40}(?= )|identified by(?= ["'])/g;
/** The same in letters beyond ASCII. */
const FOREIGN =
  /contraseña|hasło|lösenord|şifre|пароль|пароля|密码|密碼|口令|密钥|パスワード|비밀번호|암호|รหัสผ่าน|كلمة المرور|סיסמה|mật khẩu/gi;
const BEYOND_ASCII = /[^\0-\x7f]/;

/** Small words that may stand between a noun and its secret. */
const SMALL =
  'is are was be to this key value provided given set used now str string String text const char td th br code b strong span li dd dt p est ist es for prod staging pypi on lautet';
/** Marks, small words, `(len=22)`, the end of a line: what may stand between. */
const BETWEEN = String.raw`(?:[ \t"'\x60*_|:=<>/()!,\\$~.：èé是为為は-]|\r?\n(?=[ \t]*\S)|\r\n\r\n|\b(?:${SMALL.replaceAll(' ', '|')}|len=\d{1,6}|5)\b)`;
const TAIL = new RegExp(
  String.raw`(${BETWEEN}{1,14}(?:[\w.-]{1,32}[:/])?)([A-Za-z0-9][A-Za-z0-9_+/=.~!@#%^&*-]{7,120})`,
  'y',
);

/**
 * Secrets that the words before them tell: `the password is X`, `| API key | X |`, `bindpw X`, `token: >-` and X on the
 * next line. What is told counts when it looks made by chance, so a sentence about passwords stays as it is.
 */
export function toldSecrets(text: string, windows = toldWindows(text)): readonly SecretRange[] {
  const found: SecretRange[] = [];
  for (const window of windows) {
    const part = text.slice(window.start, window.end);
    const told: SecretRange[] = [];
    toldBy(NOUN, part, told);
    toldBy(RARE, part, told);
    if (BEYOND_ASCII.test(part)) toldBy(FOREIGN, part, told);
    for (const { start, end } of told) found.push({ start: window.start + start, end: window.start + end });
  }
  if (holdsAny(text, STATEMENTS)) statementSecrets(text, found);
  return found;
}

function toldBy(nouns: RegExp, text: string, found: SecretRange[]): void {
  nouns.lastIndex = 0;
  while (nouns.test(text)) if (!isOwnMark(text, nouns.lastIndex)) toldAfter(text, nouns.lastIndex, found);
}

/** Where a secret was stands a mark that may name where it is kept: `[removed:credential:0a1b…]`. */
const isOwnMark = (text: string, nounEnd: number): boolean =>
  text.startsWith(OWN_MARK, nounEnd - OWN_MARK.length);
const OWN_MARK = '[removed:credential';

/** What the noun that ends at `at` tells: right behind it, or further on in its line when it is random through and through. */
function toldAfter(text: string, at: number, found: SecretRange[]): void {
  TAIL.lastIndex = at;
  const match = isBetween(text.charCodeAt(at)) ? TAIL.exec(text) : null;
  const [whole = '', between = '', word = ''] = match ?? [];
  const secret = word.replace(/[.,;:!?*_&]+$/, '');
  const start = at + whole.length - word.length;
  if (match && text.charCodeAt(start + word.length) !== OPEN && isTold(secret, between))
    found.push({ start, end: start + secret.length });
  else if (!pairSecret(text, at, found)) nearSecret(text, at, found);
}

/** `login("kim", "X")`, `auth = ("kim", "X")`: a name and what it signs in with. */
function pairSecret(text: string, at: number, found: SecretRange[]): boolean {
  PAIR.lastIndex = at;
  const [whole, secret = ''] = PAIR.exec(text) ?? [];
  if (whole === undefined || isPlaceholder(secret) || !isRandom(secret)) return false;
  const start = at + whole.lastIndexOf(secret);
  found.push({ start, end: start + secret.length });
  return true;
}

const PAIR =
  /\w{0,20}\s{0,2}[=(]\s{0,2}\(?(?:[^()\n"']{0,60},\s{0,2})?["'][^"'\n]{1,60}["'],\s{0,2}["']([^"'\s]{12,80})["']\s{0,2}\)/y;

/** `secret = toText(x)`: what is called is no secret. */
const OPEN = 40;

/**
 * A word that is random through and through, small letters, capitals and digits by turns, in the line of the noun or in
 * the next: `smtp.login("kim", "X")`, `useradd -p X`, `os.environ["API_KEY"] = "X"`.
 */
function nearSecret(text: string, at: number, found: SecretRange[]): void {
  const line = LINES.exec(text.slice(at, at + NEAR_MAX + WORD_MAX))?.[0] ?? '';
  const isSign = PASSWORD.test(text.slice(Math.max(0, at - 12), at));
  for (const match of line.matchAll(RANDOM)) {
    const word = match[0];
    const start = at + match.index;
    if (match.index >= NEAR_MAX) break;
    if (!/\d/.test(word) || !/[a-z]/.test(word) || !/[A-Z].*[A-Z]/.test(word) || /[a-z]{6}/.test(word))
      continue;
    if (word.length < LONG && (!isSign || /[a-z]{4}|[A-Z][a-z]{3}.*[A-Z][a-z]{3}/.test(word))) continue;
    if (text.charAt(start - 1) === '=' && !isSign) continue;
    if (!isOpen(text.charAt(start - 1)) || !isRandom(word) || isPlaceholder(word)) continue;
    REST.lastIndex = start;
    found.push({ start, end: start + (REST.exec(text)?.[0].length ?? word.length) });
  }
}

/** So many characters say enough beside any of the words, and fewer beside those that a password has. */
const LONG = 20;
const PASSWORD = /(?:pass\w{0,6}|pw|pwd|psk|creds|secrets?|credentials?|auth|log ?in|identified by)$/i;
/** To the end of the next line that has something. */
const LINES = /^[^\n]*(?:\n\s{0,8}[^\n]*)?/;
const RANDOM = /(?<![A-Za-z0-9_+/.-])[A-Za-z0-9]{12,64}(?![A-Za-z0-9_+/=:(-]|\.\w)/g;
const REST = /[A-Za-z0-9]+/y;
/** So much behind the last place where it may begin shows how it ends. */
const WORD_MAX = 68;
/** How far on from a noun it is looked for. */
const NEAR_MAX = 120;
/** What may stand before it: a quote, a space, a bracket, a sign. */
const isOpen = (char: string): boolean => char === '' || /[\s"'`(=,:>/|{[]/.test(char);

/** No letter, digit or bracket: the noun ends here. */
const isBetween = (code: number): boolean =>
  !((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57));

/** `PASSWORD 'x'`, `IDENTIFIED BY "x"` of a statement: whatever it looks like. */
const STATEMENTS = ['PASSWORD', 'IDENTIFIED'].map(signOf);
const STATEMENT = /\b(?:PASSWORD|IDENTIFIED(?:\s+WITH\s+\S{1,40})?\s+BY)\s+(["'])([^"'\s\\]{3,120})\1/g;

function statementSecrets(text: string, found: SecretRange[]): void {
  for (const match of text.matchAll(STATEMENT)) {
    const [whole, , secret = ''] = match;
    if (SAMPLES.has(secret.toLowerCase()) || !isSecretValue(secret, 'password', 'command')) continue;
    const start = match.index + whole.length - 1 - secret.length;
    found.push({ start, end: start + secret.length });
  }
}

function isTold(secret: string, between: string): boolean {
  if (secret.length < 12 || isPlaceholder(secret) || NO_SECRET.test(secret)) return false;
  if (between.includes('\n') && !/[|>:"]-?\s*\n/.test(between)) return false;
  if (/^[0-9a-f]+$/i.test(secret)) return secret.length >= 32 && /[:=|]|\bis\b/.test(between);
  return isRandom(secret) && (/[A-Z]/.test(secret) || secret.length >= 20);
}

/** Addresses, paths, names of files, code, versions and dates. */
const NO_SECRET =
  /^https?:|^[\w.-]*\/[\w./-]*$|\.[a-z]{1,4}$|^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$|^v?\d+\.\d|^\d{4}-\d\d/;
