import { isPlaceholder, isRandom, isSecretValue, SAMPLES, type SecretRange } from './secret-value.js';

/** Words that say that a secret follows. */
const NOUN =
  /pass(?:word|wd|phrase|code)|secret(?![a-z])|token(?![a-z])|credentials?|(?:api|access|auth|secret|private|licen[cs]e|account|signing|sec|encryption)[ _-]?key(?![a-z])|bindpw|requirepass|authtok(?:en)?(?![a-z])|r[ow]community|masterauth|bearer(?=,)|passwort|kennwort|mot de passe|clave de acceso|senha|wachtwoord|parola|salasana|heslo|adgangskode/gi;
/** The same in letters beyond ASCII. */
const FOREIGN_NOUN =
  /contraseña|hasło|lösenord|şifre|пароль|пароля|密码|密碼|口令|密钥|パスワード|비밀번호|암호|รหัสผ่าน|كلمة المرور|סיסמה|mật khẩu/gi;

/** Small words that may stand between a noun and its secret. */
const SMALL =
  'is are was be to this value provided given set used now str string String text const char td th br code b strong span li dd dt p est ist es for prod staging pypi on';
/** Marks, small words, `(len=22)`, the end of a line: what may stand between. */
const BETWEEN = String.raw`(?:[ \t"'\x60*_|:=<>/()!,\\$~.：èé是为為は-]|\r?\n(?=[ \t]*\S)|\r\n\r\n|\b(?:${SMALL.replaceAll(' ', '|')}|len=\d+|5)\b)`;
const TAIL = new RegExp(
  String.raw`(${BETWEEN}{1,14}(?:[\w.-]{1,32}[:/])?)([A-Za-z0-9][A-Za-z0-9_+/=.~!@#%^&*-]{7,120})`,
  'y',
);

/**
 * Secrets that the words before them tell: `the password is X`, `| API key | X |`, `bindpw X`, `token: >-` and X on the
 * next line. What is told counts when it looks made by chance, so a sentence about passwords stays as it is.
 */
export function toldSecrets(text: string): readonly SecretRange[] {
  const found: SecretRange[] = [];
  toldBy(NOUN, text, found);
  if (BEYOND_ASCII.test(text)) toldBy(FOREIGN_NOUN, text, found);
  if (text.includes('PASSWORD') || text.includes('IDENTIFIED')) statementSecrets(text, found);
  return found;
}

const BEYOND_ASCII = /[^\0-\x7f]/;

function toldBy(nouns: RegExp, text: string, found: SecretRange[]): void {
  nouns.lastIndex = 0;
  while (nouns.test(text)) {
    const at = nouns.lastIndex;
    TAIL.lastIndex = at;
    const match = isBetween(text.charCodeAt(at)) ? TAIL.exec(text) : null;
    if (!match) continue;
    const [whole, between = '', word = ''] = match;
    const secret = word.replace(/[.,;:!?*_&]+$/, '');
    const start = at + whole.length - word.length;
    if (text.charCodeAt(start + word.length) !== OPEN && isTold(secret, between))
      found.push({ start, end: start + secret.length });
  }
}

/** `secret = toText(x)`: what is called is no secret. */
const OPEN = 40;

/** No letter, digit or bracket: the noun ends here. */
const isBetween = (code: number): boolean =>
  !((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57));

/** `PASSWORD 'x'`, `IDENTIFIED BY "x"` of a statement: whatever it looks like. */
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
