import { anyFloat, anyInt, anyText, type Kind } from './data.js';
import type { Desk } from './desk.js';

/** A constant as a template writes it. */
export function literal(desk: Desk, kind: Kind): string {
  const { random } = desk;
  switch (kind) {
    case 'int':
      if (random.percent(8)) return anyInt(random);
      return random.pick(random.percent(75) ? SMALL : ODD_INTS);
    case 'float':
      return random.percent(70) ? random.pick(FLOATS) : anyFloat(random);
    case 'complex':
      return random.pick(COMPLEX);
    case 'bool':
      return random.pick(['true', 'false']);
    case 'nil':
      return 'nil';
    default:
      return stringLiteral(desk);
  }
}

/** A quoted or raw string, with every escape and now and then with bytes that are not UTF-8. */
export function stringLiteral(desk: Desk, text: string = anyText(desk.random)): string {
  const { random } = desk;
  if (!/[`\r\0]/.test(text) && random.percent(20)) return `\`${text}\``;
  let out = '';
  for (const char of text) out += random.percent(85) ? plainChar(char) : escapedChar(desk, char);
  if (random.percent(12)) out += random.pick(ESCAPES);
  return `"${out}"`;
}

/** A string of bytes that cut or break UTF-8. */
export function cutLiteral(desk: Desk): string {
  return `"${desk.random.pick(['a', 'h', 'é', ''])}${desk.random.pick(CUTS)}${desk.random.pick(['z', '', 'é'])}"`;
}

const SMALL = ['0', '1', '2', '3', '5', '10', '42', '-1', '-7', '+4', '65', '255'];
const ODD_INTS = [
  '0x10',
  '0XfF',
  '0b101',
  '0o17',
  '017',
  '1_000',
  '0x_1F',
  "'a'",
  "'\\n'",
  "'é'",
  "'\\''",
  "'\\x41'",
  "'\\u00e9'",
  "'😀'",
  '1e3',
  '9223372036854775807',
  '-9223372036854775808',
  '9007199254740993',
  '0x1F600',
  '-0',
  '1114112',
  '0xD800',
];
const FLOATS = [
  '1.0',
  '1.5',
  '-2.25',
  '.5',
  '5.',
  '1e20',
  '1e21',
  '1e-7',
  '0.000001',
  '0.0000001',
  '3.14159',
  '1_0.5',
  '0x1p-2',
  '0x1.8p3',
  '1e308',
  '5e-324',
  '123456.789',
  '1e100',
  '-0.0',
  '1E5',
  '2.5e+3',
  '1e19',
  '0.1',
  '100000000000000000000.5',
];
const COMPLEX = [
  '1i',
  '2.5i',
  '1+2i',
  '-1-1i',
  '0i',
  '1.5+0i',
  '1e3i',
  '0x1p1i',
  '1e+1i',
  '08+1i',
  '1_0+2i',
  '0x1p2-1i',
];

const ESCAPES = [
  '\\a',
  '\\b',
  '\\f',
  '\\n',
  '\\r',
  '\\t',
  '\\v',
  '\\\\',
  '\\"',
  '\\x41',
  '\\x00',
  '\\101',
  '\\377',
  '\\u00e9',
  '\\u2028',
  '\\U0001F600',
  '\\xff',
  '\\ufffd',
  '\\u200b',
  '\\U0010ffff',
  '\\u0301',
];
const CUTS = [
  '\\xc3',
  '\\xe2\\x82',
  '\\xf0\\x9f\\x98',
  '\\x80',
  '\\xff\\xfe',
  '\\xed\\xa0\\x80',
  '\\xc0\\x80',
  '\\303',
];

function plainChar(char: string): string {
  switch (char) {
    case '"':
    case '\\':
      return `\\${char}`;
    case '\n':
      return '\\n';
    default:
      return char;
  }
}

function escapedChar(desk: Desk, char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = (width: number) => code.toString(16).padStart(width, '0');
  const forms = [`\\U${hex(8)}`];
  if (code < 0x10000) forms.push(`\\u${hex(4)}`);
  if (code < 0x80) forms.push(`\\x${hex(2)}`, `\\${code.toString(8).padStart(3, '0')}`);
  return desk.random.pick(forms);
}
