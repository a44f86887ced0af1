import type { Io } from '../io.js';

/** Where the second column begins at the latest, and where lines end. */
const WIDEST = 32;
const WIDTH = 80;
/** A second column that would be narrower begins below the first. */
const NARROWEST = 24;

/** Where lines end: at 80 characters, or before in a terminal that is narrower. */
export const lineWidth = ({ terminal }: Pick<Io, 'terminal'>): number =>
  terminal.out ? Math.max(NARROWEST, Math.min(WIDTH, process.stdout.columns || WIDTH)) : WIDTH;

/** Two columns of words; what is longer than the first column has a line of its own. Pure. */
export function columns(
  rows: readonly (readonly [left: string, right: string])[],
  lineEnd: number = WIDTH,
): string {
  const fits = rows.map(([left]) => left.length).filter((length) => length <= WIDEST);
  const widest = Math.max(0, ...fits);
  const width = lineEnd - widest - 4 < NARROWEST ? 0 : widest;
  const rest = ' '.repeat(width + 4);
  return rows
    .map(([left, right]) => {
      const lines = wrapped(right, lineEnd - rest.length);
      const first = left.length > width ? `  ${left}\n${rest}` : `  ${left.padEnd(width)}  `;
      return `${first}${lines.join(`\n${rest}`)}`;
    })
    .join('\n');
}

/** A text in lines that a narrow terminal does not break. */
export const paragraph = (text: string, lineEnd: number = WIDTH): string => wrapped(text, lineEnd).join('\n');

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
