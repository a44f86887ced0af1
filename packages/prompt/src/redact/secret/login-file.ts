import { isSpace } from '../chars.js';
import { isPlaceholder, isSecretValue, SAMPLES, type SecretRange } from './secret-value.js';

/**
 * `machine h login u password SECRET` of a netrc file, on one line or over several; `at` is the `w` of the word.
 * The words before must be the format's, or the sentence around it is only a sentence.
 */
export function matchNetrc(text: string, at: number): SecretRange | undefined {
  if (!text.startsWith('password', at - 4) && !text.startsWith('passwd', at - 4)) return undefined;
  const start = at - 4;
  const end = text.startsWith('password', start) ? start + 8 : start + 6;
  if (!isSpace(text.charCodeAt(end)) || (start > 0 && !isSpace(text.charCodeAt(start - 1)))) return undefined;
  if (!BEFORE.test(text.slice(Math.max(0, start - 200), start))) return undefined;
  WORD.lastIndex = end;
  const match = WORD.exec(text);
  const secret = match?.[1];
  if (!match || secret === undefined || !isSecretValue(secret, 'password', 'command')) return undefined;
  return { start: end + match[0].length - secret.length, end: end + match[0].length };
}

const BEFORE =
  /(?:^|\s)(?:machine\s+[\w.:[\]-]+|default)(?:\s+(?:login|account)\s+[^\s,;]+){1,2}\s+$|(?:^|\n)\s*(?:machine\s+[\w.:[\]-]+|default)\s+$/;
const WORD = /\s+"?([^\s"]+)/y;

/** `host:5432:database:user:SECRET`, a line of a pgpass file; `at` is the colon behind the port. */
export function matchPgpass(text: string, at: number): SecretRange | undefined {
  const before = text.slice(Math.max(0, at - LINE_MAX), at + 1);
  if (!HEAD.test(before.slice(before.lastIndexOf('\n') + 1))) return undefined;
  TAIL.lastIndex = at + 1;
  const match = TAIL.exec(text);
  const secret = match?.[3];
  if (!match || secret === undefined || isPlaceholder(secret) || SAMPLES.has(secret.toLowerCase()))
    return undefined;
  if ([match[1], match[2]].every((field) => /^\d*$/.test(field ?? ''))) return undefined;
  return { start: at + 1 + match[0].length - secret.length, end: at + 1 + match[0].length };
}

/** The longest host and port. */
const LINE_MAX = 220;

const HEAD = /^(?:[\w.*-]{1,200}|\/[\w./-]{1,100}):(?:\d{4,5}|\*):$/;
const TAIL = /([\w.*$-]{1,64}):([\w.@*-]{1,64}):([^\s:][^\s]{2,100})(?=\r?\n|$)/y;

/** True when a colon could be the one behind the port. */
export const isAfterPort = (before: number): boolean => (before >= 48 && before <= 57) || before === 42;

/** One of these is in nearly every such file, and long words are looked for fastest. */
const SIGNS = ['"github-oauth"', '"gitlab-token"'] as const;
const TABLE =
  /"(?:github-oauth|gitlab-oauth|gitlab-token|bearer|bitbucket-oauth|forgejo-token)"\s{0,40}:\s{0,40}\{([^{}]{1,4000}(?:\{[^{}]{1,1000}\}[^{}]{0,1000}){0,20})\}/g;
const HELD =
  /"(?:[\w-]+\.[\w.:-]+|token|consumer-key|consumer-secret|access-token)"\s{0,40}:\s{0,40}"([^"\\\s]{8,400})"/g;

/** The tokens in `{"github-oauth": {"github.com": "SECRET"}}`, a file of Composer, by host. */
export function composerSecrets(text: string): readonly SecretRange[] {
  if (!text.includes(SIGNS[0]) && !text.includes(SIGNS[1])) return NONE;
  return tablesOf(text);
}

/** The same for a whole document, by any of the tables. */
export function tablesOf(text: string): readonly SecretRange[] {
  return [...text.matchAll(TABLE)].flatMap(({ 0: table, index }) =>
    [...table.matchAll(HELD)].flatMap(({ 0: held, 1: secret = '', index: at }) => {
      if (isPlaceholder(secret) || SAMPLES.has(secret.toLowerCase())) return [];
      const end = index + at + held.length - 1;
      return [{ start: end - secret.length, end }];
    }),
  );
}

const NONE: readonly SecretRange[] = [];
