import {
  type CallExpression,
  type EitherExpression,
  type Expression,
  type FieldExpression,
  isInterfaceCall,
  type MethodArgument,
  type ProgramArgument,
} from '../exec/program.js';
import { isInherited } from '../value/entries.js';
import {
  type CodeWriter,
  constant,
  fresh,
  held,
  line,
  name,
  readFlag,
  readTarget,
  writeTarget,
} from './writer.js';

/**
 * Writes what computes an expression and answers with the source of its value: a name, a literal or a variable.
 * An interface that holds nothing stays null; `settled` makes no value of it.
 */
export function writeExpression(writer: CodeWriter, expression: Expression): string {
  switch (expression.op) {
    case 'constant':
      line(writer, `s.at=${expression.at};`);
      return constant(writer, expression.value);
    case 'dot':
      line(writer, `s.at=${expression.at};`);
      return writer.dot.name;
    case 'variable':
      line(writer, `s.at=${expression.at};`);
      // The variable may change before its value is used.
      return kept(writer, readTarget(expression.target));
    case 'field':
      return writeField(writer, expression);
    case 'call':
      return writeCall(writer, expression);
    case 'either':
      return writeEither(writer, expression);
    case 'pipe': {
      const value = settled(writer, writeExpression(writer, expression.stage));
      for (const target of expression.targets) writeTarget(writer, target, value, 'false');
      return value;
    }
    case 'fail':
      if (expression.first) writeExpression(writer, expression.first);
      if (expression.at >= 0) line(writer, `s.at=${expression.at};`);
      return kept(writer, `fail(s,${JSON.stringify(expression.message)})`);
  }
}

/** The value of an action that is printed or tested, where nil and no value are the same. */
export const writeLoose = (writer: CodeWriter, expression: Expression): string =>
  expression.op === 'pipe' && expression.targets.length === 0
    ? writeLoose(writer, expression.stage)
    : writeExpression(writer, expression);

/** A stage before another one: an interface that holds nothing is no value. */
function settled(writer: CodeWriter, value: string): string {
  return /^["\d]|^true$|^false$|^undefined$/.test(value) ? value : kept(writer, `${value}??undefined`);
}

function kept(writer: CodeWriter, source: string): string {
  const own = fresh(writer, 't');
  line(writer, `const ${own}=${source};`);
  return own;
}

const writeFirst = (writer: CodeWriter, first: Expression | undefined): string | undefined =>
  first && settled(writer, writeExpression(writer, first));

function writeField(writer: CodeWriter, field: FieldExpression): string {
  const { at, names, args, first } = field;
  const piped = writeFirst(writer, first);
  line(writer, `s.at=${at};`);
  let { receiver, flag } = writeBase(writer, field);
  const hasArguments = args.length > 0 || piped !== undefined;
  names.forEach((key, index) => {
    receiver = name(writer, receiver);
    const isLast = index === names.length - 1;
    const call = hasArguments && isLast ? writeFieldCall(writer, args, piped) : undefined;
    const value = writeEntry(writer, { receiver, flag, key, at, call });
    flag = `yieldsInterface(${receiver},${JSON.stringify(key)})`;
    receiver = value;
  });
  return receiver;
}

/** What a method is called with: functions of the types that its parameters have. */
function writeFieldCall(
  writer: CodeWriter,
  args: readonly MethodArgument[],
  piped: string | undefined,
): string {
  const written = args.map((arg) => {
    const own = fresh(writer, 'm');
    if (arg.literal) {
      line(writer, `const ${own}=(T)=>methodLiteral(s,${held(writer, arg.literal)},${arg.at},T);`);
      return own;
    }
    line(writer, `const ${own}=(T)=>{`);
    const value = writeExpression(writer, arg.value);
    line(writer, `return asParam(s,${value},T);};`);
    return own;
  });
  return `{args:[${written.join(',')}],hasFirst:${piped !== undefined},first:${piped}}`;
}

/** What the fields are followed from, and what says whether that is inside an interface. */
function writeBase(writer: CodeWriter, { base }: FieldExpression): { receiver: string; flag: string } {
  if (base === 'dot') return { receiver: writer.dot.name, flag: writer.dot.isInterface };
  if ('op' in base) return { receiver: writeExpression(writer, base), flag: String(isInterfaceCall(base)) };
  return { receiver: readTarget(base), flag: readFlag(writer, base) };
}

interface Entry {
  readonly receiver: string;
  readonly flag: string;
  readonly key: string;
  readonly at: number;
  readonly call: string | undefined;
}

/** One field, as `followFields` reads it: of an object literal in place, of all else by `fieldOf`. */
function writeEntry(writer: CodeWriter, { receiver, flag, key, at, call }: Entry): string {
  const quoted = JSON.stringify(key);
  const own = fresh(writer, 't');
  const slow = `fieldOf(s,${receiver},${flag},${quoted},${at}${call === undefined ? '' : `,${call}`})`;
  if (call !== undefined || isInherited(key)) {
    line(writer, `const ${own}=${slow};`);
    return own;
  }
  const isPlain = receiver === writer.dot.name ? writer.dot.isPlain : `isPlain(${receiver})`;
  line(writer, `let ${own};if(${isPlain}){if((${own}=${receiver}[${quoted}])===undefined)`);
  line(writer, `${own}=missingEntry(s,${quoted});}else ${own}=${slow};`);
  return own;
}

function writeCall(writer: CodeWriter, call: CallExpression): string {
  const first = writeFirst(writer, call.first);
  line(writer, `s.at=${call.at};`);
  const args = call.args.map((arg) => writeArgument(writer, arg));
  if (first !== undefined) args.push(`asParam(s,${first},${JSON.stringify(call.firstType)})`);
  const invoke = `invoke(s,${held(writer, call)},[${args.join(',')}])`;
  const [left = '', right = ''] = args;
  if (call.entry.builtin && call.entry.name === 'not') return kept(writer, `!isTrue(${left})`);
  if (call.entry.builtin && call.entry.name === 'eq' && args.length === 2) {
    const [one, other] = [name(writer, left), name(writer, right)];
    const areTexts = `typeof ${one}==="string"&&typeof ${other}==="string"`;
    return kept(writer, `${areTexts}?${one}===${other}:invoke(s,${held(writer, call)},[${one},${other}])`);
  }
  return kept(writer, invoke);
}

function writeArgument(writer: CodeWriter, { value, type }: ProgramArgument): string {
  if (type === 'index' && value.op === 'field') return writeFieldIndex(writer, value);
  const source = writeExpression(writer, value);
  if (value.op === 'constant') return source;
  if (type === 'any') return kept(writer, `typeof ${source}==="object"?plainValue(${source}):${source}`);
  if (type === 'data') return kept(writer, `typeof ${source}==="string"?${source}:asData(${source})`);
  if (type !== 'index') return kept(writer, `asParam(s,${source},${JSON.stringify(type)})`);
  const flag = indexFlag(writer, value);
  return kept(writer, `asIndex(${source},${flag})`);
}

/** Whether an index that was just computed is inside an interface. */
function indexFlag(writer: CodeWriter, value: Expression): string {
  switch (value.op) {
    case 'dot':
      return writer.dot.isInterface;
    case 'variable':
      return readFlag(writer, value.target);
    default:
      return String(isInterfaceCall(value));
  }
}

/** A field as an index: only `followFields` knows whether it is inside an interface. */
function writeFieldIndex(writer: CodeWriter, field: FieldExpression): string {
  line(writer, `s.at=${field.at};`);
  const { receiver, flag } = writeBase(writer, field);
  const known = field.base === 'dot' ? `,undefined,${writer.dot.isPlain}` : '';
  const names = held(writer, field.names);
  const value = kept(writer, `followFields(s,${receiver},${flag},${names},${field.at}${known})`);
  const last = JSON.stringify(field.names.at(-1));
  return kept(writer, `asIndex(${value},yieldsInterface(s.fieldHolder,${last}))`);
}

function writeEither(writer: CodeWriter, { at, isOr, args, first, resets }: EitherExpression): string {
  const piped = writeFirst(writer, first);
  line(writer, `s.at=${at};`);
  const own = fresh(writer, 't');
  const label = fresh(writer, 'E');
  for (const slot of resets) line(writer, `v${slot}=UNSET;`);
  line(writer, `let ${own};${label}:{`);
  for (const arg of args) {
    line(writer, `${own}=${writeExpression(writer, arg)};`);
    line(writer, `if(${isOr ? '' : '!'}isTrue(${own}))break ${label};`);
  }
  if (piped !== undefined) line(writer, `${own}=${piped};`);
  line(writer, '}');
  return own;
}
