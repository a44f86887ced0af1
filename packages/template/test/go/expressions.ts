import type { Datum, Kind } from './data.js';
import { type Desk, gap, type Scope, use } from './desk.js';
import { type Format, makeFormat } from './formats.js';
import { cutLiteral, literal, stringLiteral } from './literals.js';

/** A piece of a pipeline. */
export interface Expression {
  readonly text: string;
  /** False when it stands in parentheses as an argument. */
  readonly isOperand: boolean;
  readonly kind: Kind;
  readonly datum?: Datum | undefined;
}

/** The functions every template has, and `include`. */
export const FUNCTIONS = [
  'and',
  'or',
  'not',
  'len',
  'index',
  'slice',
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'print',
  'printf',
  'println',
  'html',
  'js',
  'urlquery',
  'call',
  'include',
] as const;

/** Any of the names in `FUNCTIONS`. */
export type FunctionName = (typeof FUNCTIONS)[number];

/** An expression of a kind, mostly one that succeeds; 'any' is any kind. */
export function expression(desk: Desk, scope: Scope, wanted: Kind, depth: number): Expression {
  const { random } = desk;
  const kind = wanted === 'any' || random.percent(desk.wildness) ? random.pick(KINDS) : wanted;
  const known = reachable(scope).filter((found) => found.kind === kind);
  const isSimple = depth <= 0 || random.percent(45);
  if (known.length > 0 && (isSimple || random.percent(25))) return random.pick(known);
  if (isSimple && kind !== 'list' && kind !== 'map' && kind !== 'struct') return constant(desk, kind);
  const makers = FUNCTIONS_OF[kind];
  if (depth > 0 && makers) return callTo(desk, scope, random.pick(makers), depth, kind);
  if (known.length > 0) return random.pick(known);
  return kind === 'nil' || kind === 'map' || kind === 'struct'
    ? { text: '.', isOperand: true, kind: scope.dot?.kind ?? 'any', datum: scope.dot }
    : constant(desk, 'string');
}

/** A call of a function with arguments that fit it. */
export function callTo(
  desk: Desk,
  scope: Scope,
  name: FunctionName,
  depth: number,
  kind: Kind = 'any',
): Expression {
  const arg = (wanted: Kind) => expression(desk, scope, wanted, depth - 1);
  const { random } = desk;
  switch (name) {
    case 'and':
    case 'or':
      return call(
        desk,
        name,
        list(1 + random.below(3), () => arg(random.percent(70) ? kind : 'any')),
        kind,
      );
    case 'not':
      return call(desk, name, [arg('any')], 'bool');
    case 'len':
      return call(desk, name, [arg(random.pick(['string', 'list', 'map']))], 'int');
    case 'index':
      return indexCall(desk, scope, depth);
    case 'slice':
      return sliceCall(desk, scope, depth, kind);
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      return comparison(desk, scope, name, depth);
    case 'printf': {
      const { text, kinds } = makeFormat(desk);
      return printfCall(desk, scope, { text, kinds }, depth);
    }
    case 'include':
      return call(desk, name, [{ ...constant(desk, 'string'), text: path(desk) }], 'string');
    case 'call':
      return call(
        desk,
        name,
        list(1 + random.below(3), () => arg('any')),
        'any',
      );
    default:
      return call(
        desk,
        name,
        list(random.below(4), () => arg('any')),
        'string',
      );
  }
}

/** A call of printf with arguments for the format. */
export function printfCall(desk: Desk, scope: Scope, format: Format, depth: number): Expression {
  const { random } = desk;
  const text = stringLiteral(desk, format.text.replaceAll('\\n', '\n'));
  // What an unknown expression yields may be a list, whose address %p would print.
  const hasAddress = /%[^%]*p/.test(format.text);
  const args = format.kinds.map((kind) => {
    if (hasAddress) return constant(desk, kind);
    return kind === 'string' && random.percent(15)
      ? { ...constant(desk, kind), text: cutLiteral(desk) }
      : expression(desk, scope, kind, depth - 1);
  });
  const formatted = { text, isOperand: true, kind: 'string' as const };
  return call(desk, 'printf', [formatted, ...args], 'string');
}

/** The expression as an argument. */
export const operand = ({ text, isOperand }: Expression): string => (isOperand ? text : `(${text})`);

/** What fields and variables can be named at a place. */
export function reachable(scope: Scope): readonly Expression[] {
  const found: Expression[] = [
    { text: '.', isOperand: true, kind: scope.dot?.kind ?? 'any', datum: scope.dot },
  ];
  const below = (prefix: string, datum: Datum | undefined, depth: number) => {
    for (const [key, inner] of Object.entries(datum?.fields ?? {})) {
      if (!/^[\p{L}_][\p{L}\p{Nd}_]*$/u.test(key)) continue;
      found.push({ text: `${prefix}.${key}`, isOperand: true, kind: inner.kind, datum: inner });
      if (depth > 0) below(`${prefix}.${key}`, inner, depth - 1);
    }
  };
  below('', scope.dot, 2);
  for (const { name, kind, datum } of scope.variables) {
    found.push({ text: name, isOperand: true, kind, datum });
    below(name, datum, 1);
  }
  return found;
}

/** A constant as an expression. */
export function constant(desk: Desk, kind: Kind): Expression {
  const isText =
    kind === 'string' || kind === 'any' || kind === 'list' || kind === 'map' || kind === 'struct';
  const text = isText && desk.random.percent(8) ? cutLiteral(desk) : literal(desk, kind);
  return { text, isOperand: true, kind: isText ? 'string' : kind };
}

const KINDS: readonly Kind[] = [
  'int',
  'int',
  'float',
  'string',
  'string',
  'bool',
  'list',
  'map',
  'nil',
  'complex',
];

const TEXT_FUNCTIONS: readonly FunctionName[] = [
  'print',
  'printf',
  'println',
  'html',
  'js',
  'urlquery',
  'include',
];
const FUNCTIONS_OF: Partial<Readonly<Record<Kind, readonly FunctionName[]>>> = {
  int: ['len', 'len', 'index', 'and', 'or'],
  float: ['and', 'or', 'index'],
  string: [...TEXT_FUNCTIONS, 'slice', 'index', 'and', 'or'],
  bool: ['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'not', 'and', 'or'],
  list: ['slice', 'index', 'or'],
  map: ['index', 'or', 'and'],
};

function call(desk: Desk, name: FunctionName, args: readonly Expression[], kind: Kind): Expression {
  use(desk, `function ${name}`);
  const { random } = desk;
  const last = args.at(-1);
  // `nil` alone is no command, so it cannot lead a pipeline.
  if (last && last.kind !== 'nil' && random.percent(25)) {
    use(desk, 'action pipe');
    const rest = args.slice(0, -1).map((arg) => gap(desk) + operand(arg));
    const bar = random.pick([' | ', ' | ', '|', '\n| ', ' |']);
    return { text: `${last.text}${bar}${name}${rest.join('')}`, isOperand: false, kind };
  }
  if (args.some((arg) => !arg.isOperand)) use(desk, 'action parentheses');
  const text = [name, ...args.map((arg) => gap(desk) + operand(arg))].join('');
  return random.percent(8) ? { text: `(${text})`, isOperand: true, kind } : { text, isOperand: false, kind };
}

function comparison(desk: Desk, scope: Scope, name: FunctionName, depth: number): Expression {
  const kind = desk.random.pick<Kind>(['int', 'int', 'string', 'string', 'float', 'bool', 'complex']);
  const orders = name !== 'eq' && name !== 'ne';
  const fitting = orders && (kind === 'bool' || kind === 'complex') ? 'int' : kind;
  const count = name === 'eq' && desk.random.percent(25) ? 3 : 2;
  return call(
    desk,
    name,
    list(count, () => expression(desk, scope, fitting, depth - 1)),
    'bool',
  );
}

function indexCall(desk: Desk, scope: Scope, depth: number): Expression {
  const { random } = desk;
  const held = reachable(scope).filter(({ datum }) => holds(datum));
  if (held.length === 0 || random.percent(15)) {
    const text = expression(desk, scope, 'string', depth - 1);
    return call(desk, 'index', [text, constant(desk, 'int')], 'int');
  }
  const from = random.pick(held);
  const { items, fields } = from.datum ?? {};
  if (items) {
    const at = random.below(items.length + (random.percent(5) ? 2 : 0));
    const found = items[at];
    const args = [from, integer(desk, scope, at)];
    return { ...call(desk, 'index', args, found?.kind ?? 'any'), datum: found };
  }
  const key = random.percent(90) ? random.pick(Object.keys(fields ?? {})) : 'nokey';
  const found = fields?.[key];
  const args = random.percent(85)
    ? [from, { text: stringLiteral(desk, key), isOperand: true, kind: 'string' as const }]
    : [from, expression(desk, scope, 'string', depth - 1)];
  return { ...call(desk, 'index', args, found?.kind ?? 'nil'), datum: found };
}

function sliceCall(desk: Desk, scope: Scope, depth: number, kind: Kind): Expression {
  const { random } = desk;
  const lists = reachable(scope).filter((found) => found.kind === 'list');
  const isList = kind !== 'string' && lists.length > 0;
  const from = isList ? random.pick(lists) : expression(desk, scope, 'string', depth - 1);
  const length = from.datum?.items?.length ?? random.below(3);
  const low = random.below(length + 1);
  const high = low + random.below(length - low + 1);
  const bounds = [low, high, high + random.below(length - high + 1)].slice(0, random.below(isList ? 4 : 3));
  const args = bounds.map((bound) => integer(desk, scope, bound));
  return call(desk, 'slice', [from, ...args], isList ? 'list' : 'string');
}

/** A place in a list, as a number or as something that may be one: where it comes from makes a difference. */
function integer(desk: Desk, scope: Scope, wanted: number): Expression {
  const { random } = desk;
  if (random.percent(85)) return { text: String(wanted), isOperand: true, kind: 'int' };
  const known = reachable(scope).filter(
    ({ kind, datum }) => kind === 'int' && datum && Number(datum.json) < 4,
  );
  if (known.length === 0) return { text: `(and ${wanted})`, isOperand: true, kind: 'int' };
  const found = random.pick(known);
  return random.percent(30) ? { ...found, text: `(${found.text})` } : found;
}

const holds = (datum: Datum | undefined): boolean =>
  (datum?.items?.length ?? 0) > 0 || (datum?.kind === 'map' && Object.keys(datum.fields ?? {}).length > 0);

const path = (desk: Desk): string => stringLiteral(desk, desk.random.pick(desk.paths));

const list = <Item>(length: number, make: () => Item): Item[] => Array.from({ length }, make);
