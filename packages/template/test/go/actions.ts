import type { Datum, Kind } from './data.js';
import { type Desk, gap, type Scope, use, type Variable } from './desk.js';
import { callTo, type Expression, expression, FUNCTIONS, operand } from './expressions.js';
import { stringLiteral } from './literals.js';
import { action, comment, text } from './pieces.js';
import { pickDot, pickRange, pickSubject } from './subjects.js';

/** What is counted as an action. */
export const ACTIONS = [
  'text',
  'value',
  'if',
  'else',
  'else if',
  'range',
  'range else',
  'range with one variable',
  'range with two variables',
  'range over a number',
  'range over a map',
  'break',
  'continue',
  'with',
  'else with',
  'with variable',
  'define',
  'template',
  'block',
  'declare',
  'assign',
  'comment',
  'trim left',
  'trim right',
  'pipe',
  'parentheses',
] as const;

/** Some nodes in a row; variables declared by one are known to the next. */
export function body(desk: Desk, scope: Scope, depth: number, length: number): string {
  let inner = scope;
  let out = '';
  for (let count = 0; count < length; count++) {
    const made = node(desk, inner, depth);
    out += made.text;
    if (made.variable) inner = withVariable(inner, made.variable);
  }
  return out;
}

/** A template of its own, and its name among those that can be called. */
export function definition(desk: Desk, scope: Scope, depth: number): string {
  use(desk, 'action define');
  const name = `T${desk.defined.length}${desk.random.pick(['', ' x', 'é', '"'])}`;
  const inner = action(desk, `define ${stringLiteral(desk, name)}`);
  const dot = pickDot(desk, scope);
  const own: Scope = {
    dot,
    variables: [{ name: '$', kind: dot?.kind ?? 'any', datum: dot }],
    isInRange: false,
  };
  const out = `${inner}${body(desk, own, depth, 1 + desk.random.below(3))}${action(desk, 'end')}`;
  desk.defined.push(name);
  return out;
}

/** One action of a sort, by its name in `ACTIONS`. */
export function actionOf(desk: Desk, scope: Scope, name: string, depth: number): Made {
  switch (name) {
    case 'if':
    case 'else':
    case 'else if':
      return { text: ifAction(desk, scope, depth, name) };
    case 'with':
    case 'else with':
    case 'with variable':
      return { text: withAction(desk, scope, depth, name) };
    case 'range':
    case 'range else':
    case 'range with one variable':
    case 'range with two variables':
    case 'range over a number':
    case 'range over a map':
    case 'break':
    case 'continue':
      return { text: rangeAction(desk, scope, depth, name) };
    case 'template':
      return { text: templateAction(desk, scope) };
    case 'block':
      return { text: blockAction(desk, scope, depth) };
    case 'declare':
      return declareAction(desk, scope, depth);
    case 'assign':
      return { text: assignAction(desk, scope, depth) };
    case 'comment':
      return { text: comment(desk) };
    case 'trim left':
      use(desk, 'action trim left');
      return { text: `${text(desk)} \n {{- ${pipelineOf(desk, scope, depth)}}}` };
    case 'trim right':
      use(desk, 'action trim right');
      return { text: `{{${pipelineOf(desk, scope, depth)} -}} \t\n${text(desk)}` };
    case 'text':
      return { text: text(desk) };
    default:
      return { text: value(desk, scope, depth) };
  }
}

interface Made {
  readonly text: string;
  readonly variable?: Variable;
}

const NODES = [
  'text',
  'text',
  'value',
  'value',
  'value',
  'if',
  'else',
  'else if',
  'range',
  'range else',
  'with',
];
const MORE = ['else with', 'with variable', 'template', 'block', 'declare', 'declare', 'assign', 'comment'];

function node(desk: Desk, scope: Scope, depth: number): Made {
  const { random } = desk;
  if (scope.isInRange && random.percent(4)) {
    const word = random.pick(['break', 'continue']);
    use(desk, `action ${word}`);
    return { text: action(desk, word) };
  }
  if (depth <= 0) return actionOf(desk, scope, random.pick(['text', 'value', 'value']), 1);
  return actionOf(desk, scope, random.pick(random.percent(70) ? NODES : MORE), depth);
}

function value(desk: Desk, scope: Scope, depth: number): string {
  return action(desk, pipelineOf(desk, scope, depth));
}

function pipelineOf(desk: Desk, scope: Scope, depth: number): string {
  use(desk, 'action value');
  const found = desk.random.percent(30)
    ? callTo(desk, scope, desk.random.pick(PRINTING), depth)
    : expression(desk, scope, desk.random.pick(PRINTABLE), Math.min(depth, 2));
  return found.text === 'nil' ? '"nil"' : found.text;
}

const PRINTING = FUNCTIONS.filter((name) => name !== 'call');
const PRINTABLE: readonly Kind[] = ['int', 'float', 'string', 'string', 'bool', 'list', 'map', 'complex'];

const condition = (desk: Desk, scope: Scope): string => {
  const found = expression(
    desk,
    scope,
    desk.random.pick(['bool', 'bool', 'string', 'list', 'int', 'map', 'float']),
    2,
  );
  return found.text === 'nil' ? 'false' : found.text;
};

function ifAction(desk: Desk, scope: Scope, depth: number, wanted: string): string {
  const { random } = desk;
  use(desk, 'action if');
  let out =
    action(desk, `if${gap(desk)}${condition(desk, scope)}`) +
    body(desk, scope, depth - 1, 1 + random.below(2));
  if (wanted === 'else if' || random.percent(15)) {
    use(desk, 'action else if');
    out += action(desk, `else if${gap(desk)}${condition(desk, scope)}`) + body(desk, scope, depth - 1, 1);
  }
  if (wanted === 'else' || random.percent(25)) {
    use(desk, 'action else');
    out += action(desk, 'else') + body(desk, scope, depth - 1, 1);
  }
  return out + action(desk, 'end');
}

function withAction(desk: Desk, scope: Scope, depth: number, wanted: string): string {
  const { random } = desk;
  const subject = pickSubject(desk, scope);
  use(desk, 'action with');
  const hasVariable = wanted === 'with variable' || random.percent(15);
  const name = hasVariable ? `$w${random.below(3)}` : '';
  if (hasVariable) use(desk, 'action with variable', 'action declare');
  const inside: Scope = { ...scope, dot: subject.datum };
  const own = hasVariable ? withVariable(inside, { name, kind: subject.kind, datum: subject.datum }) : inside;
  let out = action(desk, `with${gap(desk)}${hasVariable ? `${name} := ` : ''}${subject.text}`);
  out += body(desk, own, depth - 1, 1 + random.below(2));
  if (wanted === 'else with' || random.percent(15)) {
    use(desk, 'action else with');
    const other = pickSubject(desk, scope);
    out += action(desk, `else with ${other.text}`);
    out += body(desk, { ...scope, dot: other.datum }, depth - 1, 1);
  }
  if (random.percent(25)) {
    use(desk, 'action else');
    out += action(desk, 'else') + body(desk, scope, depth - 1, 1);
  }
  return out + action(desk, 'end');
}

function rangeAction(desk: Desk, scope: Scope, depth: number, wanted: string): string {
  const { random } = desk;
  const subject = pickRange(desk, scope, wanted);
  use(desk, 'action range');
  if (subject.kind === 'int') use(desk, 'action range over a number');
  if (subject.kind === 'map') use(desk, 'action range over a map');
  const item = subject.datum?.items?.[0] ?? Object.values(subject.datum?.fields ?? {})[0];
  const one: Datum | undefined = subject.kind === 'int' ? { kind: 'int', json: '1' } : item;
  const variables = rangeVariables(desk, subject, one, wanted);
  const words = variables.map(({ name }) => name).join(random.pick([', ', ',', ' , ']));
  let inside: Scope = { ...scope, dot: one, isInRange: true };
  for (const variable of variables) inside = withVariable(inside, variable);
  let out = action(desk, `range${gap(desk)}${words === '' ? '' : `${words} := `}${subject.text}`);
  out += body(desk, inside, depth - 1, 1 + random.below(2));
  if (wanted === 'break' || wanted === 'continue' || random.percent(15)) {
    const word = wanted === 'break' || wanted === 'continue' ? wanted : random.pick(['break', 'continue']);
    use(desk, `action ${word}`, 'action if');
    const jump = action(desk, word);
    out += random.percent(80)
      ? action(desk, `if ${condition(desk, inside)}`) + jump + action(desk, 'end')
      : jump;
    out += body(desk, inside, depth - 1, 1);
  }
  if (wanted === 'range else' || random.percent(25)) {
    use(desk, 'action range else', 'action else');
    out += action(desk, 'else') + body(desk, scope, depth - 1, 1);
  }
  return out + action(desk, 'end');
}

function rangeVariables(
  desk: Desk,
  subject: Expression,
  item: Datum | undefined,
  wanted: string,
): Variable[] {
  const { random } = desk;
  const fits = (count: number) => subject.kind !== 'int' || count < 2 || random.percent(10);
  const second: Variable = { name: `$v${random.below(2)}`, kind: item?.kind ?? 'any', datum: item };
  if (wanted === 'range with one variable' || random.percent(20)) {
    use(desk, 'action range with one variable');
    return [second];
  }
  if ((wanted === 'range with two variables' || random.percent(25)) && fits(2)) {
    use(desk, 'action range with two variables');
    const kind: Kind = subject.kind === 'map' ? 'string' : 'int';
    return [{ name: `$i${random.below(2)}`, kind, datum: { kind, json: '0' } }, second];
  }
  return [];
}

function templateAction(desk: Desk, scope: Scope): string {
  if (desk.defined.length === 0) return value(desk, scope, 1);
  use(desk, 'action template');
  const name = stringLiteral(desk, desk.random.pick(desk.defined));
  const given = desk.random.percent(85) ? ` ${pickSubject(desk, scope).text}` : '';
  return action(desk, `template ${name}${given}`);
}

function blockAction(desk: Desk, scope: Scope, depth: number): string {
  use(desk, 'action block');
  const name = `B${desk.defined.length}.${desk.random.below(1000)}`;
  const subject = pickSubject(desk, scope);
  const dot = subject.datum;
  const own: Scope = { dot, variables: [{ name: '$', kind: subject.kind, datum: dot }], isInRange: false };
  // A template that calls itself would go on for ever: the name is known only after its end.
  desk.defined.push(`${name}-taken`);
  const inner = body(
    { ...desk, defined: desk.defined.slice(0, -1) },
    own,
    depth - 1,
    1 + desk.random.below(2),
  );
  desk.defined[desk.defined.length - 1] = name;
  return `${action(desk, `block "${name}" ${subject.text}`)}${inner}${action(desk, 'end')}`;
}

function declareAction(desk: Desk, scope: Scope, depth: number): Made {
  use(desk, 'action declare');
  const found = expression(desk, scope, 'any', Math.min(depth, 2));
  const name = `$${desk.random.pick(['x', 'y', 'long_name', 'é', 'X1'])}`;
  const words = `${name}${desk.random.pick([' := ', ':=', ' :=\n'])}${found.text === 'nil' ? '1' : found.text}`;
  const { kind, datum } = found.text === 'nil' ? { kind: 'int' as const, datum: undefined } : found;
  return { text: action(desk, words), variable: { name, kind, datum } };
}

function assignAction(desk: Desk, scope: Scope, depth: number): string {
  const known = scope.variables.filter(({ name, datum }) => name !== '$' && datum === undefined);
  const made = known.length > 0 ? undefined : declareAction(desk, scope, 0);
  const target = made?.variable ?? desk.random.pick(known);
  use(desk, 'action assign');
  const found = expression(desk, scope, target.kind, Math.min(depth, 1));
  const shown = action(desk, target.name);
  return `${made?.text ?? ''}${action(desk, `${target.name} = ${operandOr(found)}`)}${shown}`;
}

const operandOr = (found: Expression): string => (found.text === 'nil' ? '2' : operand(found));

const withVariable = (scope: Scope, variable: Variable): Scope => ({
  ...scope,
  variables: [...scope.variables.filter(({ name }) => name !== variable.name), variable],
});
