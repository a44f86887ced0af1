/** How much of a file is looked at. */
export const HEAD_BYTES = 64 * 1024;

/**
 * Whether a file is a private key, whatever it is called: it begins with one, comments aside, or it is the key file of
 * a service account or the configuration of a cluster with its keys.
 */
export const isPrivateKey = (head: string): boolean =>
  PRIVATE_KEY.test(head) ||
  SERVICE_ACCOUNT.test(head) ||
  (/^(?:kind|"kind"|clusters|users)\b/m.test(head) && CLUSTER_KEY.test(head));

const SERVICE_ACCOUNT = /^\s*\{[^}]*"private_key"\s*:\s*"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/;
const CLUSTER_KEY = /^[ \t-]*"?client-key-data"?[ \t]*:[ \t]*"?[A-Za-z0-9+/=]{40}/m;
const PRIVATE_KEY =
  /^(?:[\s\uFEFF]*#.*\n)*[\s\uFEFF]*(?:-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d|AGE-SECRET-KEY-1)/;

/**
 * Whether the words of a file mark it as a secret: a line gives a value to something that is called a secret, or a
 * private key stands in it. It counts for files that git ignores.
 */
export const isMarkedContent = (head: string): boolean => ASSIGNED.test(head) || ANY_PRIVATE_KEY.test(head);

/**
 * The same for files that git keeps: a value of one word with a digit in it, as no label, sentence or placeholder is.
 */
export const holdsCredential = (head: string): boolean =>
  ANY_PRIVATE_KEY.test(head) || ASSIGNED_WORD.test(head);

const ASSIGNED_WORD =
  /^[ \t]*(?:export[ \t]+)?["']?[\w.-]{0,60}?(?:secret|token|password|passwd|passphrase|api[_-]?key|private[_-]?key|access[_-]?key|credential)s?[\w.-]{0,40}["']?[ \t]*[=:][ \t]*["']?(?=[^\s"']*\d)[^\s"'#;,{[(<$]{8,}["',]*[ \t]*$/im;

const ASSIGNED =
  /^[ \t]*(?:export[ \t]+)?["']?[\w.-]{0,60}?(?:secret|token|password|passwd|passphrase|api[_-]?key|private[_-]?key|access[_-]?key|credential)s?[\w.-]{0,40}["']?[ \t]*[=:][ \t]*["']?[^\s"'#;,{[(<$]{6}/im;

const ANY_PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/;
