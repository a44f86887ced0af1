/**
 * A piece of a `template` part: text of the template language, or the place of an input. `show` prints an input, `look`
 * is its value inside an expression; then it is handed in as JSON. `isPrinted`: what it holds may reach the prompt.
 */
export type GoPiece =
  | string
  | { readonly show: string; readonly dot: GoRoot }
  | { readonly look: string; readonly dot: GoRoot; readonly isPrinted: boolean };

/** How inputs are reached: from the top of a template, or from inside of a loop. */
export type GoRoot = '.' | '$.';

/** A template, or an expression of one. */
export type GoPieces = readonly GoPiece[];

/** Text as a template prints it. */
export const goText = (text: string): string => text.replace(/\{\{|\{$/g, (braces) => `{{"${braces}"}}`);

/** A text inside of an expression. */
export const goString = (text: string): string => JSON.stringify(text);

/** An expression as an argument of another. */
export const goArgument = (expression: GoPieces): GoPieces =>
  expression.length === 1 && (typeof expression[0] !== 'string' || /^\S+$/.test(expression[0]))
    ? expression
    : ['(', ...expression, ')'];

/** A function called with expressions and names of fields. */
export const goCall = (name: string, args: readonly GoPieces[], fields: readonly string[] = []): GoPieces =>
  joined([
    name,
    ...args.flatMap((arg) => [' ', ...goArgument(arg)]),
    ...fields.map((field) => ` ${goString(field)}`),
  ]);

/** Texts that touch as one: a call in a call in a call has no more pieces than inputs. */
export function joined(pieces: GoPieces): GoPieces {
  const all: GoPiece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') all[all.length - 1] = last + piece;
    else all.push(piece);
  }
  return all;
}

/** The value at a path: of an input, or of the item of a loop when `holder` is given. */
export function goPath(
  path: readonly string[],
  {
    dot,
    isPrinted,
    holder,
  }: { readonly dot: GoRoot; readonly isPrinted: boolean; readonly holder?: GoPieces },
): GoPieces {
  const [first = '', ...rest] = path;
  const start: GoPieces = holder ?? [{ look: first, dot, isPrinted }];
  const fields = holder === undefined ? rest : path;
  return fields.length === 0 ? start : goCall('field', [start], fields);
}

/** An action that prints the text of a value. */
export const goPrint = (expression: GoPieces): GoPieces =>
  joined(['{{', ...goCall('text', [expression]), '}}']);

/** Whether a value is this text, and nothing that prints as it does. */
export const sameText = (value: GoPieces, text: string): GoPieces => [
  'eq ',
  ...goArgument(goCall('printf "%q"', [value])),
  ` (printf "%q" ${goString(text)})`,
];

/** The names of the inputs that a template names: those that it needs as JSON, and those that it may print. */
export function goInputs(pieces: GoPieces): {
  readonly all: ReadonlySet<string>;
  readonly json: ReadonlySet<string>;
  readonly printed: ReadonlySet<string>;
} {
  const all = new Set<string>();
  const json = new Set<string>();
  const printed = new Set<string>();
  for (const piece of pieces) {
    if (typeof piece === 'string') continue;
    const name = 'show' in piece ? piece.show : piece.look;
    all.add(name);
    if ('look' in piece) json.add(name);
    if ('show' in piece || piece.isPrinted) printed.add(name);
  }
  return { all, json, printed };
}

/** A template with other names of inputs. */
export const renamed = (pieces: GoPieces, name: (source: string) => string): GoPieces =>
  pieces.map((piece) => {
    if (typeof piece === 'string') return piece;
    return 'show' in piece ? { ...piece, show: name(piece.show) } : { ...piece, look: name(piece.look) };
  });

/** A template as a sheet has it. An input that is JSON is printed as the library prints it. */
export const printGo = (pieces: GoPieces, isJson: (name: string) => boolean): string =>
  pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece;
      if ('look' in piece) return `${piece.dot}${piece.look}`;
      return isJson(piece.show) ? `{{text ${piece.dot}${piece.show}}}` : `{{${piece.dot}${piece.show}}}`;
    })
    .join('');

/** Whether a template can name an input of this name: others hold a dot or a dash. */
export const isFieldName = (name: string): boolean => /^[A-Za-z]\w*$/.test(name);
