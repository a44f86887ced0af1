import type { Kind } from './data.js';
import { type Desk, use } from './desk.js';

/** A printf format and the kinds of the arguments it wants. */
export interface Format {
  readonly text: string;
  readonly kinds: readonly Kind[];
}

/** Every verb, with the kinds it is made for. */
export const VERBS: Readonly<Record<string, readonly Kind[]>> = {
  v: ['int', 'float', 'string', 'bool', 'list', 'map', 'nil', 'complex'],
  d: ['int', 'list'],
  b: ['int', 'float'],
  o: ['int'],
  O: ['int'],
  x: ['int', 'string', 'float', 'list'],
  X: ['int', 'string', 'float'],
  c: ['int'],
  q: ['string', 'int', 'list'],
  U: ['int'],
  e: ['float', 'complex'],
  E: ['float'],
  f: ['float', 'complex'],
  F: ['float'],
  g: ['float', 'complex'],
  G: ['float'],
  s: ['string', 'list'],
  t: ['bool'],
  T: ['int', 'float', 'string', 'bool', 'list', 'map', 'nil', 'complex'],
  p: ['int', 'string'],
};

/** Flags and forms that are counted as verbs are. */
export const FORMS = [
  '+',
  '-',
  '#',
  'space',
  '0',
  'width',
  'precision',
  '*',
  '[n]',
  '%',
  'bad',
  'extra',
  'missing',
];

/** A format of one to three verbs; `wanted` is a verb or a form it is to have. */
export function makeFormat(desk: Desk, wanted?: string): Format {
  const { random } = desk;
  const kinds: Kind[] = [];
  const count = 1 + random.below(3);
  const at = random.below(count);
  let text = random.pick(['', '', 'é', 'a ', '<']);
  for (let index = 0; index < count; index++) {
    text += piece(desk, kinds, index === at ? wanted : undefined);
    text += random.pick(['', '|', ' ', '%%', 'x', 'é']);
    if (text.endsWith('%%')) use(desk, 'form %');
  }
  if (wanted === 'extra' || random.percent(4)) {
    use(desk, 'form extra');
    kinds.push(random.pick(SCALARS));
  }
  if ((wanted === 'missing' || random.percent(4)) && kinds.length > 0) {
    use(desk, 'form missing');
    kinds.pop();
  }
  // The address of a list or a map is another one each time.
  const hasAddress = /%[^%]*p/.test(text);
  return { text, kinds: hasAddress ? kinds.map((kind) => (isScalar(kind) ? kind : 'int')) : kinds };
}

const SCALARS: readonly Kind[] = ['int', 'float', 'string', 'bool'];
const isScalar = (kind: Kind) => SCALARS.includes(kind);

function piece(desk: Desk, kinds: Kind[], wanted?: string): string {
  const { random } = desk;
  const wants = (form: string, percent: number) => {
    const has = wanted === form || random.percent(percent);
    if (has) use(desk, `form ${form}`);
    return has;
  };
  if (wants('bad', 4)) return badPiece(desk, kinds);
  if (wants('%', 3)) return random.pick(['%%', '%%', '%-5%', '%05%', '%.2%']);
  let text = '%';
  for (const flag of ['+', '-', '#', 'space', '0'])
    if (wants(flag, 15)) text += flag === 'space' ? ' ' : flag;
  if (wants('[n]', 6)) text += `[${random.pick([1, 1, 1, 2, 2, 3])}]`;
  text += measure(desk, kinds, wants('width', 30), wants('*', 4));
  if (wants('precision', 25)) text += `.${measure(desk, kinds, random.percent(90), random.percent(5))}`;
  const verb = wanted && wanted in VERBS ? wanted : random.pick(Object.keys(VERBS));
  use(desk, `verb ${verb}`);
  kinds.push(random.percent(88) ? random.pick(VERBS[verb] ?? ['any']) : random.pick(SCALARS));
  return text + verb;
}

function measure(desk: Desk, kinds: Kind[], hasNumber: boolean, hasStar: boolean): string {
  if (hasStar) {
    kinds.push(desk.random.percent(92) ? 'int' : 'string');
    return '*';
  }
  return hasNumber ? String(desk.random.pick([0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 20, 40])) : '';
}

function badPiece(desk: Desk, kinds: Kind[]): string {
  kinds.push(desk.random.pick(SCALARS));
  return desk.random.pick(BAD);
}

const BAD = [
  '%',
  '%!',
  '%z',
  '%y',
  '%w',
  '%j',
  '%é',
  '%[3]d',
  '%[x]d',
  '%[]d',
  '%[0]d',
  '%[1',
  '%[-1]d',
  '%12345678901d',
  '%.12345678901d',
  '%-',
  '%5',
  '%.',
  '%[2]*d',
  '%[1]',
  '%.[2]d',
  '%.*d',
  '%.-3d',
  '%5.z',
  '%Z',
  '%\\n',
  '%[1]*.[2]*[3]f',
  '%日',
  '%[99999999]d',
  '%+-#0 20.5z',
];
