import { inputName } from '../../names.js';
import { type GoPieces, goArgument, goCall, goPath, goString, isFieldName, sameText } from '../go.js';
import { isForeignField, isInherited } from '../tokens.js';

/** Names that are no variables in Nunjucks. */
export const NUNJUCKS_WORDS: readonly string[] = [
  'true',
  'false',
  'none',
  'null',
  'not',
  'and',
  'or',
  'in',
  'is',
  'if',
  'else',
  'env',
  'range',
  'cycler',
  'joiner',
  'loop',
  'caller',
  'super',
  'self',
];

/** Where an expression stands. */
export interface NunjucksScope {
  /** How many loops are around, and how many blocks. */
  readonly depth: number;
  readonly nesting: number;
  /** The variables of those loops. */
  readonly variables: ReadonlySet<string>;
  /** What the body of the innermost loop asks about its place. */
  readonly asked: { index: boolean; last: boolean };
}

export const ROOT_SCOPE: NunjucksScope = {
  depth: 0,
  nesting: 0,
  variables: new Set(),
  asked: { index: false, last: false },
};

export interface NunjucksValue {
  readonly pieces: GoPieces;
  /** The input, where the value is all of it. */
  readonly input?: string;
  /** The expression is true or false. */
  readonly isFlag?: boolean;
}

/** Whether words are the name of one variable. */
export const isPlainVariable = (words: string): boolean =>
  /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(words) && !NUNJUCKS_WORDS.includes(words) && !isInherited(words);

/** The value of a name with fields; undefined where it is anything else. */
export function readValue(
  words: string,
  scope: NunjucksScope,
  isPrinted: boolean,
): NunjucksValue | undefined {
  const [first = '', ...fields] = words.split('.');
  const { depth, asked, variables } = scope;
  if (first === 'loop' && depth > 0 && !variables.has('loop')) return placeOf(fields.join('.'), depth, asked);
  if (!isPlainVariable(first) || !fields.every((field) => /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(field)))
    return undefined;
  if (fields.some(isForeignField)) return undefined;
  const dot = depth === 0 ? '.' : '$.';
  if (variables.has(first)) return { pieces: goPath(fields, { dot, isPrinted, holder: [`$${first}`] }) };
  if (!isFieldName(inputName(first))) return undefined;
  const pieces = goPath([first, ...fields], { dot, isPrinted });
  return fields.length === 0 ? { pieces, input: first } : { pieces };
}

function placeOf(field: string, depth: number, asked: NunjucksScope['asked']): NunjucksValue | undefined {
  if (!['index', 'index0', 'first', 'last'].includes(field)) return undefined;
  asked.index = true;
  if (field === 'index0') return { pieces: [`$index${depth}`] };
  if (field === 'index') return { pieces: [`add $index${depth} 1`] };
  if (field === 'first') return { pieces: [`eq $index${depth} 0`], isFlag: true };
  asked.last = true;
  return { pieces: [`eq (len (slice $items${depth} $index${depth})) 1`], isFlag: true };
}

/** Conditions that are longer are refused: nobody reads them. */
const MAX_LENGTH = 500;
const TOKEN = /\s*(===|!==|==|!=|[()]|"[^"\\]*"|'[^'\\]*'|[\p{L}_$][\p{L}\p{N}_$.]*)/uy;

/** A condition as an expression that is true or false: values, `not`, `and`, `or`, and texts that they equal. */
export function readCondition(words: string, scope: NunjucksScope): GoPieces | undefined {
  if (words.length > MAX_LENGTH) return undefined;
  const tokens: string[] = [];
  let at = 0;
  while (at < words.length) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(words);
    if (found === null) return undefined;
    tokens.push(found[1] ?? '');
    at = TOKEN.lastIndex;
  }
  const parser = new Condition(tokens, scope);
  const read = parser.either();
  return parser.isDone ? read : undefined;
}

/** `or` binds least, then `and`, `not`, and comparisons. */
class Condition {
  readonly #tokens: readonly string[];
  readonly #scope: NunjucksScope;
  #at = 0;

  constructor(tokens: readonly string[], scope: NunjucksScope) {
    this.#tokens = tokens;
    this.#scope = scope;
  }

  get isDone(): boolean {
    return this.#at === this.#tokens.length;
  }

  either(): GoPieces | undefined {
    return this.#joined('or', () => this.#joined('and', () => this.#negated()));
  }

  #joined(word: 'or' | 'and', next: () => GoPieces | undefined): GoPieces | undefined {
    const all = [next()];
    while (this.#take(word)) all.push(next());
    if (!all.every((each) => each !== undefined)) return undefined;
    return all.length === 1 ? all[0] : goCall(word, all);
  }

  #negated(): GoPieces | undefined {
    if (!this.#take('not')) return this.#compared();
    const inner = this.#negated();
    return inner === undefined ? undefined : goCall('not', [inner]);
  }

  #compared(): GoPieces | undefined {
    if (this.#take('(')) {
      const inner = this.either();
      // What a group is compared with is no text.
      return this.#take(')') && !isOperator(this.#tokens[this.#at]) ? inner : undefined;
    }
    const value = readValue(this.#tokens[this.#at] ?? '', this.#scope, false);
    this.#at += 1;
    if (value === undefined) return undefined;
    const operator = this.#tokens[this.#at];
    if (!isOperator(operator)) return value.isFlag === true ? value.pieces : goCall('truthy', [value.pieces]);
    const text = /^["'](.*)["']$/s.exec(this.#tokens[this.#at + 1] ?? '')?.[1];
    this.#at += 2;
    if (text === undefined || value.isFlag === true || isOperator(this.#tokens[this.#at])) return undefined;
    const equal = operator.length === 3 ? sameText(value.pieces, text) : looseText(value.pieces, text);
    return operator.startsWith('!') && equal !== undefined ? goCall('not', [equal]) : equal;
  }

  #take(word: string): boolean {
    if (this.#tokens[this.#at] !== word) return false;
    this.#at += 1;
    return true;
  }
}

const isOperator = (token: string | undefined): token is string => /^[=!]==?$/.test(token ?? '');

/** JavaScript's `==`: a list or map equals the text that it prints; a number or truth value may equal one that reads as it. */
function looseText(value: GoPieces, text: string): GoPieces | undefined {
  if (!Number.isNaN(Number(text)) || text === 'true' || text === 'false') return undefined;
  return ['eq ', ...goArgument(goCall('text', [value])), ` ${goString(text)}`];
}
