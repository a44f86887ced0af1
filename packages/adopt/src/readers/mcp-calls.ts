/** An argument as a server lists it. */
export interface McpArgument {
  readonly name: string;
  readonly required?: boolean;
}

/** Up to so many arguments that may be left out, every choice of them is left out once. */
const MAX_EVERY_CHOICE = 3;

/**
 * The calls that show where the arguments of a prompt stand, and whether it is a program: short markers, long ones, and
 * ones of characters that a program may trim, escape or read; then without arguments that may be left out. Where there
 * are many of these, each is left out alone, and each is given alone.
 */
export function markerCalls(list: readonly McpArgument[]): readonly Readonly<Record<string, string>>[] {
  const names = [...new Set(list.map(({ name }) => name))];
  const all = (mark: (name: string) => string, among = names): Readonly<Record<string, string>> =>
    Object.fromEntries(among.map((name) => [name, mark(name)]));
  const short = (name: string): string => `⟦${name}⟧`;
  if (names.length === 0) return [{}];
  const needed = new Set(list.filter(({ required }) => required === true).map(({ name }) => name));
  const free = names.filter((name) => !needed.has(name));
  const without = leftOut(free).map((left) =>
    all(
      short,
      names.filter((name) => !left.includes(name)),
    ),
  );
  return [all(short), all((name) => `⟦${name}·another·marker⟧`), all(hard), ...without];
}

/** A call in which every argument is given and empty: a server may refuse it. */
export const emptyCall = (list: readonly McpArgument[]): Readonly<Record<string, string>> =>
  Object.fromEntries(list.map(({ name }) => [name, '']));

/** Line ends, blanks at both ends, quotes, brackets and marks of other languages, in small letters and capitals. */
const hard = (name: string): string =>
  `\n\t ⟦${name}·aA1é😀⟧ <b>&amp; "q" 'p' \\n {{x}} {y} \${z} $& $1 %20%s #_*\`~|@/;,\r\n- \n `;

function leftOut(free: readonly string[]): readonly (readonly string[])[] {
  if (free.length <= MAX_EVERY_CHOICE)
    return Array.from({ length: 2 ** free.length - 1 }, (_, at) =>
      free.filter((_name, index) => (((at + 1) >> index) & 1) === 1),
    );
  return [...free.map((name) => [name]), ...free.map((kept) => free.filter((name) => name !== kept)), free];
}
