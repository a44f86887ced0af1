import type { GoExpression, GoNode } from './tree.js';
import { callOf, equalText, fieldsOf, isIndex, placeAsked } from './written.js';

/** Nodes as Nunjucks; undefined where it has no form. What comes out must be read again: only then it is the same. */
export function toNunjucks(nodes: readonly GoNode[]): string | undefined {
  return print(nodes, 0);
}

function print(nodes: readonly GoNode[], depth: number): string | undefined {
  const all = nodes.map((node): string | undefined => {
    if (node.kind === 'text') return /\{[{%#]|#\}/.test(node.text) ? undefined : node.text;
    if (node.kind === 'print') {
      const value = wordsOf(node.value, depth) ?? placeOf(node.value, depth);
      return value === undefined ? undefined : `{{ ${value} }}`;
    }
    return node.kind === 'if' ? printIf(node, depth, 'if') : printRange(node, depth);
  });
  return all.every((each) => each !== undefined) ? all.join('') : undefined;
}

function printIf(
  node: GoNode & { readonly kind: 'if' },
  depth: number,
  word: 'if' | 'elif',
): string | undefined {
  const condition = conditionOf(node.condition, depth);
  const body = print(node.body, depth);
  const [only, ...more] = node.otherwise ?? [];
  const rest =
    only?.kind === 'if' && more.length === 0
      ? printIf(only, depth, 'elif')
      : node.otherwise === undefined
        ? '{% endif %}'
        : wrapped('{% else %}', print(node.otherwise, depth), '{% endif %}');
  if (condition === undefined || body === undefined || rest === undefined) return undefined;
  return `{% ${word} ${condition} %}${body}${rest}`;
}

const wrapped = (before: string, inner: string | undefined, after: string): string | undefined =>
  inner === undefined ? undefined : `${before}${inner}${after}`;

function printRange(node: GoNode & { readonly kind: 'range' }, depth: number): string | undefined {
  const list = wordsOf(callOf(node.of, 'list')?.[0], depth);
  const body = print(node.body, depth + 1);
  const rest = node.otherwise === undefined ? '' : wrapped('{% else %}', print(node.otherwise, depth), '');
  if (list === undefined || body === undefined || rest === undefined || node.item === undefined)
    return undefined;
  return `{% for ${node.item} in ${list} %}${body}${rest}{% endfor %}`;
}

function conditionOf(value: GoExpression | undefined, depth: number): string | undefined {
  if (value?.kind !== 'call') return undefined;
  const { name, args } = value;
  if (name === 'truthy') return wordsOf(args[0], depth);
  if (name === 'not') return wrapped('not (', conditionOf(args[0], depth), ')');
  if (name === 'and' || name === 'or') {
    const all = args.map((arg) => wrapped('(', conditionOf(arg, depth), ')'));
    return all.every((each) => each !== undefined) ? all.join(` ${name} `) : undefined;
  }
  const equal = equalText(value);
  if (equal !== undefined) return compared(wordsOf(equal.of, depth), '===', equal.text);
  const [left, right] = args;
  if (name === 'eq' && right?.kind === 'literal' && typeof right.value === 'string')
    return compared(wordsOf(callOf(left, 'text')?.[0], depth), '==', right.value);
  return placeOf(value, depth);
}

const compared = (value: string | undefined, operator: string, text: string): string | undefined =>
  value === undefined || /["\\]/.test(text) ? undefined : `${value} ${operator} "${text}"`;

function placeOf(value: GoExpression, depth: number): string | undefined {
  const place = placeAsked(value, depth);
  return place === undefined ? undefined : `loop.${place}`;
}

function wordsOf(value: GoExpression | undefined, depth: number): string | undefined {
  if (value === undefined) return undefined;
  if (value.kind === 'input') return value.name;
  if (isIndex(value, depth)) return 'loop.index0';
  if (value.kind === 'variable') return value.name.slice(1);
  if (isIndex(callOf(value, 'add')?.[0], depth)) return 'loop.index';
  const [holder, ...names] = callOf(value, 'field') ?? [];
  const path = wordsOf(holder, depth);
  const fields = fieldsOf(names);
  return path === undefined || fields === undefined ? undefined : [path, ...fields].join('.');
}
