/** How much of a file is looked at. */
export const HEAD_BYTES = 64 * 1024;

/** Whether a file is a private key, whatever it is called: it begins with one. */
export const isPrivateKey = (head: string): boolean => PRIVATE_KEY.test(head);

const PRIVATE_KEY =
  /^[\s\uFEFF]*(?:-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d|AGE-SECRET-KEY-1)/;

/**
 * Whether the words of a file mark it as a secret: a line gives a value to something that is called a secret, or a
 * private key stands in it. It counts for files that git ignores.
 */
export const isMarkedContent = (head: string): boolean => ASSIGNED.test(head) || ANY_PRIVATE_KEY.test(head);

const ASSIGNED =
  /^[ \t]*(?:export[ \t]+)?["']?[\w.-]{0,60}?(?:secret|token|password|passwd|passphrase|api[_-]?key|private[_-]?key|access[_-]?key|credential)s?[\w.-]{0,40}["']?[ \t]*[=:][ \t]*["']?[^\s"'#;,{[(<$]{6}/im;

const ANY_PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/;
