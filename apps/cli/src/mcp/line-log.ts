/** Characters of one line that are kept; the rest of it is dropped. */
const MAX_LINE = 8_192;

/**
 * Takes text in pieces and hands it on line by line: what must not be said is looked for in whole lines, because a
 * piece can end in the middle of it. For the same reason a last line without an end is not handed on.
 */
export function createLineLog(write: (line: string) => void): (text: string) => void {
  let line = '';
  return (text) => {
    const [first = '', ...rest] = text.split('\n');
    line = (line + first).slice(0, MAX_LINE);
    for (const next of rest) {
      write(`${line}\n`);
      line = next.slice(0, MAX_LINE);
    }
  };
}
