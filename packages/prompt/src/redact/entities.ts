/** The code point of an HTML entity body (`#47`, `#x2f`, `sol`), or -1. */
export function entityPoint(body: string): number {
  if (body.charCodeAt(0) !== 35) return NAMED.get(body) ?? -1;
  const hex = body.charCodeAt(1) === 120 || body.charCodeAt(1) === 88;
  const digits = body.slice(hex ? 2 : 1);
  if (!(hex ? /^[0-9a-fA-F]{1,8}$/ : /^[0-9]{1,8}$/).test(digits)) return -1;
  const point = Number.parseInt(digits, hex ? 16 : 10);
  return point > 0 && point <= 0x10ffff ? point : -1;
}

/** The longest entity the shadow decodes, `&` and `;` included. */
export const ENTITY_MAX = 12;

const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig ' +
  'Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash ' +
  'Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ' +
  'ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc ' +
  'uuml yacute thorn yuml';

const ASCII: Readonly<Record<string, string>> = {
  Tab: '\t',
  NewLine: '\n',
  excl: '!',
  quot: '"',
  num: '#',
  dollar: '$',
  percnt: '%',
  amp: '&',
  AMP: '&',
  apos: "'",
  lpar: '(',
  rpar: ')',
  ast: '*',
  plus: '+',
  comma: ',',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  lt: '<',
  equals: '=',
  gt: '>',
  quest: '?',
  commat: '@',
  lsqb: '[',
  lbrack: '[',
  bsol: '\\',
  rsqb: ']',
  rbrack: ']',
  lowbar: '_',
  grave: '`',
  lcub: '{',
  lbrace: '{',
  verbar: '|',
  vert: '|',
  rcub: '}',
  rbrace: '}',
  hyphen: '-',
  dash: '-',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
};

const NAMED: ReadonlyMap<string, number> = new Map([
  ...Object.entries(ASCII).map(([name, char]) => [name, char.charCodeAt(0)] as const),
  ...LATIN.split(' ').map((name, index) => [name, 0xa0 + index] as const),
]);
