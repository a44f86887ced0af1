/**
 * Whether a reader of a file would see anything: not where it holds nothing but blanks, controls and characters that
 * no font shows, in UTF-8 or, with its mark, in UTF-16. Bytes of other kinds of files show something.
 */
export const showsSomething = (bytes: Buffer): boolean => !UNSEEN.test(textOf(bytes));

/** Blanks of every kind, also those that count as letters or signs. */
const UNSEEN = /^[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

function textOf(bytes: Buffer): string {
  const mark = bytes.toString('latin1', 0, 2);
  const even = bytes.subarray(2, bytes.length - (bytes.length % 2));
  if (mark === '\u00ff\u00fe') return even.toString('utf16le');
  if (mark === '\u00fe\u00ff') return Buffer.from(even).swap16().toString('utf16le');
  return bytes.toString('utf8');
}
