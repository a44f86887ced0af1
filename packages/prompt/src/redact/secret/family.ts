/** How sure a form is: the digits at its end say so themselves. */
export type CheckName = 'crc32-base62';

/** A stretch of a token: fixed characters, or so many of an alphabet. */
export type TokenPart =
  | { readonly kind: 'fixed'; readonly text: string }
  | { readonly kind: 'some'; readonly alphabet: string; readonly min: number; readonly max: number };

/** One kind of credential as its vendor writes it. */
export interface Family {
  readonly name: string;
  readonly parts: readonly TokenPart[];
  /** Nothing of the last alphabet may follow. */
  readonly exact: boolean;
  /** A form that other things have too counts only when one of these words stands before it. */
  readonly near: readonly string[];
  /** Such a word says enough where it stands right before it; else one that speaks of secrets must stand there too. */
  readonly alone: boolean;
  readonly check: CheckName | undefined;
  /** Letters alone are no token of this family: a digit must be among them. */
  readonly digit: boolean;
  /** Does not start after `_` or `-` either. */
  readonly strict: boolean;
  /** What follows the needle must look made by chance. */
  readonly chance: Chance | undefined;
}

/** `any`: digits and letters by turns; `mixed`: small ones and capitals too, which no digest in hex has. */
export type Chance = 'any' | 'mixed';

interface RowOptions {
  /** Words of which one must stand before the token, in lower case. */
  readonly near?: string;
  readonly alone?: true;
  readonly check?: CheckName;
  readonly digit?: true;
  readonly strict?: true;
  readonly chance?: Chance;
}

/**
 * A row of the table: a name and the form. In the form `<w36>` stands for 36 of an alphabet, `<w20-40>` for 20 to
 * 40; the last stretch may be longer, unless `!` ends the form.
 */
export type FamilyRow = readonly [name: string, form: string, options?: RowOptions];

/** Alphabets by their letter, as the inside of a character class. */
export const ALPHABETS: Readonly<Record<string, string>> = {
  d: '0-9',
  h: 'a-f0-9',
  H: 'A-Fa-f0-9',
  l: 'a-z0-9',
  u: 'A-Z0-9',
  a: 'A-Za-z',
  w: 'A-Za-z0-9',
  b: 'A-Za-z0-9_-',
  p: 'A-Za-z0-9._-',
  t: 'A-Za-z0-9._~-',
  B: 'A-Za-z0-9+/=',
};

const STRETCH = /<(\[[^\]]+\]|[A-Za-z])(\d+)(?:-(\d+))?>/g;

/** Reads a row. */
export function familyOf([name, form, options = {}]: FamilyRow): Family {
  const exact = form.endsWith('!');
  const body = exact ? form.slice(0, -1) : form;
  const parts: TokenPart[] = [];
  let at = 0;
  for (const match of body.matchAll(STRETCH)) {
    if (match.index > at) parts.push({ kind: 'fixed', text: body.slice(at, match.index) });
    const [whole, letter = '', min = '', max = min] = match;
    const alphabet = letter.startsWith('[') ? letter.slice(1, -1) : ALPHABETS[letter];
    if (alphabet === undefined) throw new Error(`No alphabet ${letter} in the form of ${name}`);
    parts.push({ kind: 'some', alphabet, min: Number(min), max: Number(max) });
    at = match.index + whole.length;
  }
  if (at < body.length) parts.push({ kind: 'fixed', text: body.slice(at) });
  return {
    name,
    parts,
    exact,
    near: options.near?.split(' ') ?? [],
    alone: options.alone ?? false,
    check: options.check,
    digit: options.digit ?? false,
    strict: options.strict ?? false,
    chance: options.chance,
  };
}

/** The longest last stretch that a pattern reads by itself; a token that goes on is followed to its end. */
export const STRETCH_MAX = 400;

/** What goes on with a token whose last stretch is longer than a pattern reads: sticky, may match nothing. */
export function tailOf({ parts, exact }: Family): RegExp {
  const last = parts[parts.length - 1];
  return new RegExp(last?.kind === 'some' && !exact ? `[${last.alphabet}]*` : '', 'y');
}

/** The form as a sticky pattern. Only the last stretch may grow. */
export function patternOf({ parts, exact }: Family): RegExp {
  const source = parts.map((part, index) => {
    if (part.kind === 'fixed') return part.text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const { alphabet, min, max } = part;
    if (index < parts.length - 1) return `[${alphabet}]{${min},${max}}`;
    return exact ? `[${alphabet}]{${min},${max}}(?![${alphabet}])` : `[${alphabet}]{${min},${STRETCH_MAX}}`;
  });
  return new RegExp(source.join(''), 'y');
}
