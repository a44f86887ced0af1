import type {
  Expression,
  Node,
  ObjectExpression,
  ObjectMember,
  SpreadElement,
  Statement,
} from '@babel/types';
import type { Outline } from './outline-node.js';
import { childrenOf, loadParser } from './parse.js';
import { schemaEntries } from './schema-outline.js';

/**
 * The outline of the definition in a file: the object that is handed to a definer, or that is exported by
 * default. Undefined where it is not written as an object, or the text is no program. It reads what is written and
 * runs nothing; whatever is computed has only the place where that is done.
 */
export type OutlineOf = (file: string, text: string) => Outline | undefined;

export async function loadOutliner(): Promise<OutlineOf> {
  const parse = await loadParser();
  return (file, text) => {
    // Nesting past any program that a person writes ends in an error of the engine: then nothing has a place.
    try {
      const program = parse(file, text);
      return program === undefined ? undefined : outlineIn(program.program.body);
    } catch {
      return undefined;
    }
  };
}

/** What names of the module stand for: constants by what they are made of, and the definers. */
interface Names {
  readonly constants: ReadonlyMap<string, Expression>;
  readonly definers: ReadonlySet<string>;
}

const DEFINER = /^define(?:Prompt|Tool|Model|Agent|Hook)$/;

function outlineIn(body: readonly Statement[]): Outline | undefined {
  const names = namesIn(body);
  const exported = exportedIn(body);
  const found =
    (exported && definitionIn(exported, names, 'definer')) ??
    definerCall(body, names) ??
    (exported && definitionIn(exported, names, 'any'));
  return found && outlineOfObject(found, names, 0);
}

function namesIn(body: readonly Statement[]): Names {
  const constants = new Map<string, Expression>();
  const definers = new Set<string>();
  for (const each of body) {
    const statement = each.type === 'ExportNamedDeclaration' ? each.declaration : each;
    if (statement?.type === 'VariableDeclaration' && statement.kind === 'const') {
      for (const { id, init } of statement.declarations) {
        if (id.type === 'Identifier' && init) constants.set(id.name, init);
      }
    }
    if (each.type !== 'ImportDeclaration') continue;
    for (const specifier of each.specifiers) {
      const name = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : undefined;
      if (name !== undefined && DEFINER.test(name)) definers.add(specifier.local.name);
    }
  }
  return { constants, definers };
}

/** The default export. */
function exportedIn(body: readonly Statement[]): Expression | undefined {
  for (const each of body) {
    if (each.type === 'ExportDefaultDeclaration') return each.declaration as Expression;
    if (each.type !== 'ExportNamedDeclaration' || each.source) continue;
    for (const specifier of each.specifiers) {
      if (specifier.type === 'ExportSpecifier' && nameOf(specifier.exported) === 'default')
        return specifier.local;
    }
  }
  return undefined;
}

/** The object of a definition: itself, or what is handed to a definer, or to any function. */
function definitionIn(
  node: Expression,
  names: Names,
  calls: 'definer' | 'any',
  depth = 0,
): ObjectExpression | undefined {
  const value = writtenValue(node, names);
  if (value.type === 'ObjectExpression') return value;
  if (value.type !== 'CallExpression' || depth > MAX_DEPTH) return undefined;
  const isDefiner = isDefinerCall(value.callee, names);
  for (const argument of value.arguments) {
    if (argument.type === 'SpreadElement' || argument.type === 'ArgumentPlaceholder') continue;
    const found = definitionIn(argument, names, calls, depth + 1);
    // An object handed to somebody else is a definition only when a definer makes it.
    if (found !== undefined && (isDefiner || calls === 'any' || writtenValue(argument, names) !== found))
      return found;
  }
  return undefined;
}

function isDefinerCall(callee: Node, { definers }: Names): boolean {
  if (callee.type === 'Identifier') return definers.has(callee.name) || DEFINER.test(callee.name);
  return callee.type === 'MemberExpression' && DEFINER.test(nameOf(callee.property) ?? '');
}

/** The first call of a definer with an object, wherever it stands. */
function definerCall(body: readonly Node[], names: Names): ObjectExpression | undefined {
  const open: Node[] = [...body].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'CallExpression' && isDefinerCall(node.callee, names)) {
      const [first] = node.arguments;
      const value = first === undefined ? undefined : writtenValue(first as Expression, names);
      if (value?.type === 'ObjectExpression') return value;
    }
    open.push(...childrenOf(node).reverse());
  }
  return undefined;
}

/** Deeper nesting than this has the place of what it stands in. */
const MAX_DEPTH = 40;

/** An expression without the types around it; a constant of the module is what it is made of. */
function writtenValue(node: Expression, names: Names): Expression {
  let value = node;
  for (let steps = 0; steps < MAX_DEPTH; steps += 1) {
    const inner = unwrapped(value);
    const constant = inner.type === 'Identifier' ? names.constants.get(inner.name) : undefined;
    if (constant === undefined) return inner;
    value = constant;
  }
  return value;
}

function unwrapped(node: Expression): Expression {
  let value = node;
  for (;;) {
    switch (value.type) {
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSNonNullExpression':
      case 'TSTypeAssertion':
      case 'TSInstantiationExpression':
      case 'ParenthesizedExpression':
        value = value.expression;
        break;
      case 'AwaitExpression':
        value = value.argument;
        break;
      default:
        return value;
    }
  }
}

function outlineOfValue(node: Expression, names: Names, depth: number): Outline {
  const own = unwrapped(node);
  const start = own.start ?? 0;
  if (depth > MAX_DEPTH) return { start };
  const value = writtenValue(own, names);
  if (value.type === 'ObjectExpression') return outlineOfObject(value, names, depth);
  if (value.type === 'ArrayExpression')
    return outlineOfArray(value.elements, value.start ?? start, names, depth);
  if (value.type === 'CallExpression') {
    const entries = schemaEntries(value, (each) => outlineOfValue(each, names, depth + 1));
    return { start, ...(entries.size > 0 && { entries }) };
  }
  const isText =
    value.type === 'StringLiteral' || (value.type === 'TemplateLiteral' && value.expressions.length === 0);
  return isText ? { start: value.start ?? start, literalEnd: value.end ?? start } : { start };
}

function outlineOfObject(object: ObjectExpression, names: Names, depth: number): Outline {
  const entries = new Map<string, Outline>();
  for (const property of object.properties) {
    if (property.type === 'SpreadElement') {
      const spread = writtenValue(property.argument, names);
      if (spread.type !== 'ObjectExpression' || depth > MAX_DEPTH) continue;
      for (const [name, entry] of outlineOfObject(spread, names, depth + 1).entries ?? [])
        entries.set(name, entry);
      continue;
    }
    const name = keyOf(property);
    if (name === undefined) continue;
    const key = property.start ?? 0;
    if (property.type === 'ObjectMethod') entries.set(name, { start: key, key });
    else entries.set(name, { ...outlineOfValue(property.value as Expression, names, depth + 1), key });
  }
  return { start: object.start ?? 0, entries };
}

function outlineOfArray(
  elements: readonly (Expression | SpreadElement | null)[],
  start: number,
  names: Names,
  depth: number,
): Outline {
  const items: Outline[] = [];
  for (const element of elements) {
    if (element?.type !== 'SpreadElement') {
      items.push(element === null ? { start } : outlineOfValue(element as Expression, names, depth + 1));
      continue;
    }
    const spread = writtenValue(element.argument, names);
    // Behind a spread of who knows what, the positions are not the indexes any more.
    if (spread.type !== 'ArrayExpression' || depth > MAX_DEPTH) break;
    const inner = outlineOfArray(spread.elements, spread.start ?? start, names, depth + 1);
    items.push(...(inner.items ?? []));
    if (inner.items?.length !== spread.elements.length) break;
  }
  return { start, items };
}

function keyOf(property: ObjectMember): string | undefined {
  const { key, computed } = property;
  if (computed && key.type !== 'StringLiteral' && key.type !== 'NumericLiteral') return undefined;
  return nameOf(key);
}

function nameOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'StringLiteral' || node.type === 'NumericLiteral' ? String(node.value) : undefined;
}
