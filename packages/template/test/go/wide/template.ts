import type { Random } from '../random.js';
import { format } from './format.js';
import { character, goodNumber, number, string } from './literal.js';
import { anyRune, anyText } from './value.js';

/** What can be named at a place of a template. */
export interface Names {
  /** Paths of the root that hold something; those in `lists` are safe to loop over. */
  readonly paths: readonly string[];
  readonly lists: readonly string[];
  readonly variables: readonly string[];
  readonly templates: readonly string[];
  readonly isRoot: boolean;
  readonly isInRange: boolean;
  /** False inside a definition: one that calls itself takes a hundred thousand rounds to fail. */
  readonly canCall: boolean;
}

/** Writes the actions of one template between these delimiters. */
export interface Pen {
  readonly random: Random;
  readonly left: string;
  readonly right: string;
  /** Whether constants, counts and names may be wrong. */
  readonly isWild: boolean;
}

/** A list of texts and actions. */
export function body(pen: Pen, names: Names, depth: number): string {
  const { random } = pen;
  let known = names;
  let text = '';
  for (let left = random.below(random.pick([2, 3, 5])); left >= 0; left--) {
    if (random.percent(35)) text += random.pick(PLAIN);
    if (random.percent(10)) {
      const name = random.pick(['$x', '$y', '$é1']);
      text += action(pen, `${name} ${random.percent(85) ? ':=' : '='} ${pipeline(pen, known, depth)}`);
      known = { ...known, variables: [...known.variables, name] };
    } else text += step(pen, known, depth);
  }
  return text;
}

function step(pen: Pen, names: Names, depth: number): string {
  const { random } = pen;
  const sort = depth <= 0 ? 0 : random.below(16);
  if (!names.canCall && (sort === 5 || sort === 6)) return action(pen, pipeline(pen, names, depth));
  const inner = (more: Partial<Names> = {}): string => body(pen, { ...names, ...more }, depth - 1);
  switch (sort) {
    case 1: {
      let text = action(pen, `if ${pipeline(pen, names, depth - 1)}`) + inner();
      while (random.percent(30)) text += action(pen, `else if ${pipeline(pen, names, depth - 1)}`) + inner();
      return text + otherwise(pen, names, depth) + action(pen, 'end');
    }
    case 2: {
      let text =
        action(pen, `with ${declared(pen)}${pipeline(pen, names, depth - 1)}`) + inner({ isRoot: false });
      while (random.percent(30))
        text += action(pen, `else with ${pipeline(pen, names, depth - 1)}`) + inner({ isRoot: false });
      return text + otherwise(pen, names, depth) + action(pen, 'end');
    }
    case 3:
    case 4: {
      const variables = random.pick(pen.isWild ? WILD_LOOPS : ['', '', '$x := ', '$i, $x := ', '$x = ']);
      const known = [...names.variables, ...(variables.match(/\$\w+/g) ?? [])];
      const inside = inner({ isRoot: false, isInRange: true, variables: known });
      const text = action(pen, `range ${variables}${loopable(pen, names)}`) + inside;
      return text + otherwise(pen, names, depth) + action(pen, 'end');
    }
    case 5: {
      const block = action(pen, `block ${templateName(pen, names)} ${pipeline(pen, names, depth - 1)}`);
      return block + inner({ isRoot: false, variables: ['$'], canCall: false }) + action(pen, 'end');
    }
    case 6:
      return action(
        pen,
        `template ${templateName(pen, names)}${random.percent(60) ? ` ${pipeline(pen, names, depth - 1)}` : ''}`,
      );
    case 7:
      return `${pen.left}${random.percent(20) ? '- ' : ''}/*${random.pick(['', ' c ', '*', '\n', ' {{ ', pen.right])}*/${random.percent(20) ? ' -' : ''}${pen.right}`;
    case 8:
      return action(
        pen,
        names.isInRange || random.percent(5)
          ? random.pick(['break', 'continue'])
          : pipeline(pen, names, depth),
      );
    case 9:
      return action(pen, formatted(pen, names, depth));
    default:
      return action(pen, pipeline(pen, names, depth));
  }
}

const declared = ({ random, isWild }: Pen): string =>
  random.percent(15) ? random.pick(isWild ? ['$y = ', '$x, $y := '] : ['$x := ']) : '';

const otherwise = (pen: Pen, names: Names, depth: number): string =>
  pen.random.percent(35) ? action(pen, 'else') + body(pen, names, depth - 1) : '';

const templateName = ({ random }: Pen, { templates }: Names): string =>
  random.percent(80)
    ? JSON.stringify(random.pick(['T', 'V', 'W', ...templates]))
    : random.percent(60)
      ? '`é`'
      : random.pick(['T', '"none"', '1', '"a\\q"', '']);

/** `{{ words }}`, now and then trimming what stands beside it. */
export function action({ random, left, right, isWild }: Pen, words: string): string {
  const open = random.percent(7)
    ? random.pick(['- ', '-\n', '-\t', isWild ? '-' : '- '])
    : random.pick(['', '', ' ']);
  const close = random.percent(7)
    ? random.pick([' -', '\n-', '  -', isWild ? '-' : ' -'])
    : random.pick(['', '', ' ']);
  return `${left}${open}${words}${close}${right}`;
}

/** Commands one after the other. */
export function pipeline(pen: Pen, names: Names, depth: number): string {
  const { random } = pen;
  let text = command(pen, names, depth);
  while (random.percent(18)) {
    const bar = random.pick([' | ', ' | ', '|', '\n|', '| ']);
    text += `${bar}${random.percent(pen.isWild ? 85 : 100) ? call(pen, names, depth - 1, 1) : command(pen, names, depth - 1)}`;
  }
  return text;
}

function command(pen: Pen, names: Names, depth: number): string {
  const { random } = pen;
  if (depth > 0 && random.percent(55)) return call(pen, names, depth, 0);
  return random.percent(4)
    ? `${operand(pen, names, depth)} ${operand(pen, names, depth)}`
    : operand(pen, names, depth);
}

/** A function with arguments: mostly as many as it takes, of any kinds; `piped` comes from the stage before. */
function call(pen: Pen, names: Names, depth: number, piped: number): string {
  const { random } = pen;
  if (random.percent(30))
    return piped > 0
      ? `printf ${string(random, pen.isWild, format(random).text)}`
      : formatted(pen, names, depth);
  const [name, least, most] = random.pick(FUNCTIONS);
  const wanted = random.percent(pen.isWild ? 85 : 99)
    ? least + random.below(most - least + 1)
    : random.below(5);
  const args = Array.from({ length: Math.max(wanted - piped, 0) }, () => operand(pen, names, depth - 1));
  return [name, ...args].join(
    random.percent(pen.isWild ? 90 : 100) ? ' ' : random.pick(['  ', '\n', '\t', '', ',']),
  );
}

function formatted(pen: Pen, names: Names, depth: number): string {
  const { text, operands } = format(pen.random);
  const count = pen.random.percent(88) ? operands : pen.random.below(4);
  const args = Array.from({ length: count }, () => operand(pen, names, depth - 1));
  return ['printf', string(pen.random, pen.isWild, text), ...args].join(' ');
}

export function operand(pen: Pen, names: Names, depth: number): string {
  const { random } = pen;
  switch (random.below(depth > 0 ? 13 : 11)) {
    case 0:
    case 1:
      return pen.isWild && random.percent(50) ? number(random) : goodNumber(random);
    case 2:
      return string(random, pen.isWild);
    case 3:
      return random.percent(50) ? character(random, pen.isWild) : string(random, pen.isWild);
    case 4:
      return random.pick(
        random.percent(85)
          ? ['true', 'false', 'nil', '.', '$', 'none']
          : ['make', 'boom', 'none', 'id', 'len'],
      );
    case 5:
      return names.variables.length > 0 ? random.pick(names.variables) + fields(random, 20) : '$';
    case 6:
    case 7:
    case 8:
    case 9:
      return `${names.isRoot ? '' : random.pick(['$', '$', '$', ''])}${random.pick(names.paths)}${fields(random, 6)}`;
    case 10:
      return random.percent(50) ? `.${random.pick(['a', 'b', 'X', 'Name', 'é', 'nope'])}` : '.';
    default:
      return `(${pipeline(pen, names, depth - 1)})${fields(random, 12)}`;
  }
}

/** Never `Any`: that the type of a field is an interface cannot be said of our structs. */
const fields = (random: Random, percent: number): string =>
  random.percent(percent)
    ? `.${random.pick(['a', 'b', 'X', 'Y', 'Name', 'Tags', 'é'])}${fields(random, percent)}`
    : '';

/** What a loop goes over: never a number that would keep it going. */
function loopable({ random }: Pen, names: Names): string {
  const path = `${names.isRoot ? '' : '$'}${random.pick(names.lists)}`;
  switch (random.below(9)) {
    case 0:
      return random.pick(['0', '1', '3', '-1', "'\\x02'", '0x2', '+2', '(len "ab")', '(index "\\x03" 0)']);
    case 1:
      return random.pick(['"abc"', 'true', '1.5', '2i', 'nil', '1e1', 'none', '(id nil)', '0x1p1']);
    case 2:
      return `slice ${path} ${random.below(3)}`;
    case 3:
      return `(${path})`;
    default:
      return path;
  }
}

/** The template with something broken. */
export function broken({ random, left, right }: Pen, text: string): string {
  const units = [...text];
  const at = random.below(units.length + 1);
  const length = random.pick([1, 1, 2, 5, 12]);
  const intruder = random.percent(15)
    ? anyRune(random)
    : random.percent(20)
      ? left
      : random.percent(20)
        ? right
        : random.pick(INTRUDERS);
  const kinds = [
    [...units.slice(0, at)],
    [...units.slice(0, at), ...units.slice(at + length)],
    [...units.slice(0, at), intruder, ...units.slice(at)],
    [...units.slice(0, at + length), ...units.slice(at)],
    [...units.slice(0, at), intruder, ...units.slice(at + length)],
  ];
  return random.pick(kinds).join('');
}

/** A definition of a template. */
export const definition = (pen: Pen, names: Names, name: string): string =>
  action(pen, `define ${JSON.stringify(name)}`) +
  body(
    pen,
    {
      ...names,
      variables: ['$'],
      templates: [],
      isRoot: false,
      isInRange: false,
      canCall: false,
      paths: ['.a', '.b', '.X', '.Name', '.é'],
      lists: ['.Tags'],
    },
    1,
  ) +
  action(pen, 'end');

/** Any text outside actions. */
export const plainText = (random: Random): string =>
  random.percent(70) ? random.pick(PLAIN) : anyText(random);

const FUNCTIONS: readonly (readonly [name: string, least: number, most: number])[] = [
  ['and', 1, 3], ['or', 1, 3], ['not', 1, 1], ['len', 1, 1], ['len', 1, 1], ['index', 1, 3], ['index', 2, 2], ['slice', 1, 4],
  ['slice', 2, 3], ['call', 1, 3], ['eq', 2, 3], ['eq', 2, 2], ['ne', 2, 2], ['lt', 2, 2], ['le', 2, 2], ['gt', 2, 2], ['ge', 2, 2],
  ['print', 0, 3], ['println', 0, 3], ['printf', 1, 3], ['html', 1, 2], ['js', 1, 2], ['urlquery', 1, 2], ['up', 1, 1], ['add', 0, 3],
  ['half', 1, 1], ['flip', 1, 1], ['pair', 2, 2], ['id', 1, 1], ['call make', 1, 3], ['call .fn', 0, 2], ['u8', 1, 1], ['u64', 1, 1],
  ['f32', 1, 1], ['i16', 0, 3], ['call made8', 1, 3], ['.g.Hi', 0, 1], ['.g.Greet', 0, 2], ['$.g.Sum', 0, 3], ['.g.Boom', 1, 1],
  ['(id .g).Self.Greet', 0, 1], ['.g.Small', 2, 2], ['.g.Self.Name', 0, 1], ['.g.Hi.x', 0, 0],
  ['print', 1, 3], ['print', 1, 3], ['println', 1, 2], ['html', 1, 2], ['js', 1, 2], ['urlquery', 1, 2], ['and', 2, 3], ['or', 2, 3],
  ['not', 1, 1], ['id', 1, 1], ['pair', 2, 2],
]; // biome-ignore format: a table
const WILD_LOOPS = ['$x := ', '$i, $x := ', '$x = ', '$i, $x = ', '$x, := ', '$x, $y, $i := ', '$, $x := '];
const PLAIN = [
  ' ',
  '\n',
  'a',
  ' b ',
  '\n\n  ',
  'é日😀',
  '{ { ',
  '} }',
  '\t',
  '"q"',
  'x\r\ny',
  '.',
  '\u00a0',
  '%d',
  '/* no */',
  '-',
  '\udcff',
];
const INTRUDERS = [
  '(', ')', '"', '`', "'", '|', '.', '$', ',', ':=', '=', ' ', '\n', '-', ' -', '- ', '0', 'x', 'é', '@', '\\', '*/', '/*', 'nil', ' 1 ',
  '\u00a0', '%', '.a', '$x', '_', 'end', 'else', 'if ', '1i', '\udc80', '\0', 'define "Z"', ':', '..', '٣', 'ⅷ', '𞥐', '+', '0x',
]; // biome-ignore format: a table
