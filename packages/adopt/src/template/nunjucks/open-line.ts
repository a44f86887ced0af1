/** What ends a tag of each kind, by the character after its brace: promptfoo looks for one character of it. */
const ENDS: Readonly<Record<string, string>> = { '{': '}', '%': '%', '#': '#' };
const LINE_END = /[\n\r\u2028\u2029]/;

/**
 * Whether a tag is still open where a line ends. promptfoo takes such a prompt for one that is not written to the end, and
 * sends all of it as it stands. Read from the end, so that every character is looked at once.
 */
export function hasOpenLine(text: string): boolean {
  if (/\{%\s*raw\s*%\}/.test(text) && /\{%\s*endraw\s*%\}/.test(text)) return false;
  const next: Record<string, number> = {};
  let lineEnd = text.length;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const char = text[at] ?? '';
    const end = char === '{' ? ENDS[text[at + 1] ?? ''] : undefined;
    // The characters that open it do not end it.
    if (end !== undefined && lineEndAfter(at + 2) <= nextAfter(end, at + 2)) return true;
    if (LINE_END.test(char)) lineEnd = at;
    remember(char, at);
  }
  return false;

  function lineEndAfter(from: number): number {
    return lineEnd >= from ? lineEnd : text.length;
  }
  function nextAfter(end: string, from: number): number {
    const [nearest = text.length + 1, second = text.length + 1] = [next[end], next[`second ${end}`]];
    return nearest >= from ? nearest : second;
  }
  function remember(char: string, at: number): void {
    if (char !== '}' && char !== '%' && char !== '#') return;
    if (next[char] !== undefined) next[`second ${char}`] = next[char];
    next[char] = at;
  }
}
