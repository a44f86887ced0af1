import type { Random } from './random.js';

/** What a generated expression yields, as far as the generator knows. */
export type Kind =
  | 'int'
  | 'float'
  | 'string'
  | 'bool'
  | 'nil'
  | 'list'
  | 'map'
  | 'struct'
  | 'complex'
  | 'any';

/** A value of a case's data: its JSON as written, because `1` and `1.0` differ, and what is inside. */
export interface Datum {
  readonly kind: Kind;
  readonly json: string;
  readonly items?: readonly Datum[];
  readonly fields?: Readonly<Record<string, Datum>>;
}

/** The data of a case: a map under `data`, the declared fields of an agent under `ctx`, or something else. */
export interface CaseData {
  readonly member: 'data' | 'ctx';
  readonly root: Datum;
}

/** Makes the data of one case. */
export function makeData(random: Random): CaseData {
  if (random.percent(30)) return { member: 'ctx', root: agent(random) };
  if (random.percent(90)) return { member: 'data', root: map(random, 2, ROOT_KEYS) };
  return { member: 'data', root: value(random, 2) };
}

/** Texts that are hard to escape, to cut or to count. */
export const TEXTS = [
  '',
  'a',
  'abc',
  'Hello, World',
  'héé',
  '日本語',
  '😀 ok',
  'a<b>&"c"\'d\'',
  'line1\nline2\n',
  ' \t padded ',
  '{{.x}}',
  '100%',
  'a=1&b=2/?',
  '\u0000\u0001\u007f',
  '\u2028\ufeff\u00a0',
  'e\u0301',
  '\\ ` $',
  'k8s-helper',
  '0',
  'true',
  '<script>alert(1)</script>',
] as const;

/** Most often one of the texts above, else one of random characters. */
export function anyText(random: Random): string {
  if (random.percent(75)) return random.pick(TEXTS);
  return Array.from({ length: 1 + random.below(6) }, () => String.fromCodePoint(anyCode(random))).join('');
}

/** A whole number of any size that fits 64 bits. */
export function anyInt(random: Random): string {
  const digits = Array.from({ length: 1 + random.below(18) }, () => random.below(10)).join('');
  return (random.percent(30) ? '-' : '') + (digits.replace(/^0+/, '') || '0');
}

/** A number with a fraction or an exponent. */
export function anyFloat(random: Random): string {
  const digits = () =>
    Array.from({ length: 1 + random.below(random.pick([2, 6, 17])) }, () => random.below(10)).join('');
  const whole = digits().replace(/^0+(?=.)/, '');
  const exponent = random.percent(40) ? `e${random.below(60) - 30}` : '';
  return `${random.percent(30) ? '-' : ''}${whole}.${digits()}${exponent}`;
}

/** A code point; never half of a pair, which no JSON text can hold. */
function anyCode(random: Random): number {
  const [from, to] = random.pick(CODES);
  return from + random.below(to - from + 1);
}

const CODES: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0x00, 0xff],
  [0x100, 0x24f],
  [0x300, 0x52f],
  [0x5d0, 0x1fff],
  [0x2000, 0x206f],
  [0x2070, 0x2fff],
  [0x3000, 0xd7ff],
  [0xe000, 0xffff],
  [0x10000, 0x1ffff],
  [0x20000, 0x10ffff],
];

const INTS = ['0', '1', '-1', '2', '3', '7', '42', '100', '65', '255', '-300', '1114111', '128512', '55296'];
const BIG_INTS = [
  '9007199254740993',
  '-9007199254740993',
  '2147483648',
  '9223372036854775807',
  '-9223372036854775808',
];
const BEYOND_INTS = ['9223372036854775808', '18446744073709551615', '123456789012345678901234567890'];
const FLOATS = [
  '0.0',
  '-0.0',
  '1.0',
  '1.5',
  '-2.25',
  '3.14159',
  '1e3',
  '1E-7',
  '1e20',
  '1e21',
  '0.1',
  '123456789.125',
  '1.7976931348623157e308',
  '5e-324',
  '2.5',
  '1e-5',
  '100000.0',
  '0.30000000000000004',
];

const ROOT_KEYS = ['n', 'f', 's', 't', 'b', 'z', 'xs', 'ss', 'm', 'mm', 'e', 'é', 'A', 'a_b', 'x1'] as const;
const INNER_KEYS = ['a', 'b', 'c', 'k', 'n', 's', 'B', 'key two', 'x-y', '', '10', '9'] as const;

function value(random: Random, depth: number): Datum {
  const kinds: readonly Kind[] =
    depth > 0
      ? ['int', 'int', 'float', 'string', 'string', 'bool', 'nil', 'list', 'list', 'map', 'map']
      : ['int', 'int', 'float', 'string', 'string', 'bool', 'nil'];
  return valueOfKind(random, random.pick(kinds), depth);
}

function valueOfKind(random: Random, kind: Kind, depth: number): Datum {
  switch (kind) {
    case 'int':
      return integer(random);
    case 'float':
      return { kind, json: random.percent(70) ? random.pick(FLOATS) : anyFloat(random) };
    case 'string':
      return { kind, json: JSON.stringify(anyText(random)) };
    case 'bool':
      return { kind, json: random.pick(['true', 'false']) };
    case 'list':
      return list(random, depth);
    case 'map':
      return map(random, depth - 1, INNER_KEYS);
    default:
      return { kind: 'nil', json: 'null' };
  }
}

function integer(random: Random): Datum {
  if (random.percent(75)) return { kind: 'int', json: random.pick(INTS) };
  if (random.percent(40)) return { kind: 'int', json: anyInt(random) };
  if (random.percent(80)) return { kind: 'int', json: random.pick(BIG_INTS) };
  return { kind: 'float', json: random.pick(BEYOND_INTS) };
}

function list(random: Random, depth: number): Datum {
  const length = random.below(5);
  const one = random.pick<Kind>(['int', 'string', 'float', 'map', 'bool', 'any', 'list']);
  const item = () =>
    one === 'any' || depth <= 0 ? value(random, depth - 1) : valueOfKind(random, one, depth - 1);
  const items = Array.from({ length }, item);
  return { kind: 'list', json: `[${items.map(({ json }) => json).join(',')}]`, items };
}

/** Key by key the kinds that its name stands for, so that most templates find what they look for. */
const KIND_OF: Readonly<Record<string, Kind>> = {
  n: 'int',
  f: 'float',
  s: 'string',
  t: 'string',
  b: 'bool',
  z: 'nil',
  xs: 'list',
  ss: 'list',
  m: 'map',
  mm: 'map',
  A: 'string',
};

function map(random: Random, depth: number, keys: readonly string[]): Datum {
  const chosen = random.some(keys, keys === INNER_KEYS ? random.below(4) : 3 + random.below(6));
  const isTyped = keys !== INNER_KEYS;
  const entries = chosen.map((key) => {
    const kind = KIND_OF[key];
    const made =
      isTyped && kind && random.percent(95) ? valueOfKind(random, kind, depth) : value(random, depth);
    return [key, made] as const;
  });
  // In any order: sorting is the template's business.
  if (random.percent(50)) entries.reverse();
  const json = `{${entries.map(([key, made]) => `${JSON.stringify(key)}:${made.json}`).join(',')}}`;
  return { kind: 'map', json, fields: Object.fromEntries(entries) };
}

function agent(random: Random): Datum {
  const strings = (words: readonly string[]): Datum => ({
    kind: 'list',
    json: JSON.stringify(words),
    items: words.map((word) => ({ kind: 'string', json: JSON.stringify(word) })),
  });
  const names = ['get-pods', 'describe-pod', 'get-logs', 'apply', 'héé', ''];
  const skills = random.percent(40)
    ? { kind: 'list' as const, json: 'null', items: [] }
    : strings(random.some(['k8s', 'git', 'a b'], random.below(4)));
  const fields: Readonly<Record<string, Datum>> = {
    AgentName: { kind: 'string', json: JSON.stringify(random.pick(['k8s-helper', 'a', ...TEXTS])) },
    AgentNamespace: { kind: 'string', json: JSON.stringify(random.pick(['default', 'kube-system', ''])) },
    Description: { kind: 'string', json: JSON.stringify(random.pick(TEXTS)) },
    ToolNames: strings(random.some(names, random.below(5))),
    SkillNames: skills,
  };
  const json = `{${Object.entries(fields)
    .map(([key, { json }]) => `"${key}":${json}`)
    .join(',')}}`;
  return { kind: 'struct', json, fields };
}
