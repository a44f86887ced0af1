/** Where the second column begins at the latest, and where lines end. */
const WIDEST = 32;
const WIDTH = 80;

/** Two columns of words; what is longer than the first column has a line of its own. Pure. */
export function columns(rows: readonly (readonly [left: string, right: string])[]): string {
  const fits = rows.map(([left]) => left.length).filter((length) => length <= WIDEST);
  const width = Math.max(0, ...fits);
  const rest = ' '.repeat(width + 4);
  return rows
    .map(([left, right]) => {
      const lines = wrapped(right, WIDTH - rest.length);
      const first = left.length > width ? `  ${left}\n${rest}` : `  ${left.padEnd(width)}  `;
      return `${first}${lines.join(`\n${rest}`)}`;
    })
    .join('\n');
}

/** A text in lines that a narrow terminal does not break. */
export const paragraph = (text: string): string => wrapped(text, WIDTH).join('\n');

/** Lines of at most `width` characters; a longer word has a line of its own. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
