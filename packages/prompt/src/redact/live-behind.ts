/**
 * Where a text may end in a secret that only what follows would give away: what is put into a pipe before the program
 * that reads it, a value before its name. The text's length when it does not. Nothing is held for longer than its line,
 * its object or `NEAR` characters.
 */
export const openBehindAt = (text: string): number => Math.min(openPipeAt(text), openValueAt(text));

/** `echo SECRET | `: nothing but flags and one word stands between the writer and the pipe. */
const PIPE =
  /\b(?:echo|printf|print|Write-Output)(?:[ \t]+(?:-[neE]+[ \t]+|(["']?)%s(?:\\n)?\1[ \t]+)*(?:"[^"\n]{0,120}"?|'[^'\n]{0,120}'?|[^\s"'|;&<>()]{0,120})[ \t]*(?:\|[^\n]{0,160})?)?$/g;
const PIPE_MAX = 420;

function openPipeAt(text: string): number {
  const from = Math.max(0, text.length - PIPE_MAX, text.lastIndexOf('\n') + 1);
  const line = text.slice(from);
  if (!/echo|print|Write-Output/.test(line)) return text.length;
  PIPE.lastIndex = 0;
  const found = PIPE.exec(line);
  return found === null ? text.length : from + found.index;
}

/** How far behind a value its name may stand. */
const NEAR = 300;
const VALUE = /["'`<]?[\w.-]{0,24}value["'`]?\s{0,3}(?:=>|[:=>])\s{0,3}["'`]?([^\s"'`<>,{}[\]()]{6,200})/gi;
/** Where an object, an item of a list or an element ends. */
const END = /[{}[\]()]|<\/\w+>\s*<\/|\n[ \t]*-[ \t]|\n[ \t]*\r?\n/;

function openValueAt(text: string): number {
  const from = Math.max(0, text.length - NEAR - 240);
  const tail = text.slice(from);
  for (const match of tail.matchAll(VALUE)) {
    const rest = tail.slice(match.index + match[0].length);
    const isSecret = /\d/.test(match[1]!) && /[A-Za-z]/.test(match[1]!);
    if (isSecret && rest.length <= NEAR && !END.test(rest)) return from + match.index;
  }
  return text.length;
}
