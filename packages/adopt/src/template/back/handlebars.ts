import type { GoExpression, GoNode } from './tree.js';
import { callOf, equalText, fieldsOf, isIndex, placeAsked, type TemplateStretch } from './written.js';

/** Nodes as Handlebars; undefined where it has no form. What comes out must be read again: only then it is the same. */
export function toHandlebars(nodes: readonly GoNode[]): string | undefined {
  const written = print(nodes, 0);
  return written === undefined ? undefined : join(written);
}

function print(nodes: readonly GoNode[], depth: number): readonly TemplateStretch[] | undefined {
  const all = nodes.map((node): readonly TemplateStretch[] | undefined => {
    if (node.kind === 'text') return [{ kind: 'text', text: node.text }];
    if (node.kind === 'print') {
      const path = pathOf(node.value, depth);
      return path === undefined ? undefined : [{ kind: 'tag', text: `{{${path}}}` }];
    }
    return node.kind === 'if' ? printIf(node, depth) : printRange(node, depth);
  });
  return all.every((each) => each !== undefined) ? all.flat() : undefined;
}

function printIf(
  node: GoNode & { readonly kind: 'if' },
  depth: number,
): readonly TemplateStretch[] | undefined {
  const head = conditionOf(node.condition, depth);
  const body = print(node.body, depth);
  const rest = otherwiseOf(node.otherwise, depth);
  if (head === undefined || body === undefined || rest === undefined) return undefined;
  const helper = head.split(' ')[0] ?? '';
  return [block(`#${head}`), ...body, ...rest, block(`/${helper}`)];
}

/** What follows `else`: another condition, or a body. */
function otherwiseOf(
  otherwise: readonly GoNode[] | undefined,
  depth: number,
): readonly TemplateStretch[] | undefined {
  if (otherwise === undefined) return [];
  const [only, ...more] = otherwise;
  const head = only?.kind === 'if' && more.length === 0 ? conditionOf(only.condition, depth) : undefined;
  if (only?.kind === 'if' && head !== undefined && /^(?:if|unless) /.test(head)) {
    const body = print(only.body, depth);
    const rest = otherwiseOf(only.otherwise, depth);
    return body === undefined || rest === undefined ? undefined : [block(`else ${head}`), ...body, ...rest];
  }
  const body = print(otherwise, depth);
  return body === undefined ? undefined : [block('else'), ...body];
}

function printRange(
  node: GoNode & { readonly kind: 'range' },
  depth: number,
): readonly TemplateStretch[] | undefined {
  const path = pathOf(callOf(node.of, 'items')?.[0], depth);
  const body = print(node.body, depth + 1);
  const rest = node.otherwise === undefined ? [] : print(node.otherwise, depth);
  if (path === undefined || body === undefined || rest === undefined) return undefined;
  const otherwise = node.otherwise === undefined ? [] : [block('else'), ...rest];
  return [block(`#each ${path}`), ...body, ...otherwise, block('/each')];
}

const block = (words: string): TemplateStretch => ({ kind: 'block', text: `{{${words}}}` });

function conditionOf(condition: GoExpression, depth: number): string | undefined {
  const negated = callOf(condition, 'not');
  const isNot = negated !== undefined;
  const inner = isNot ? negated[0] : condition;
  if (inner === undefined) return undefined;
  const equal = equalText(inner);
  const place = placeAsked(inner, depth);
  const path = place !== undefined ? `@${place}` : pathOf(equal?.of ?? callOf(inner, 'present')?.[0], depth);
  if (path === undefined) return undefined;
  const helper = isNot ? 'unless' : 'if';
  if (equal === undefined) return `${helper} ${path}`;
  return /["\\]/.test(equal.text) ? undefined : `${helper}Equals ${path} "${equal.text}"`;
}

function pathOf(value: GoExpression | undefined, depth: number): string | undefined {
  if (value === undefined || value.kind === 'literal') return undefined;
  if (value.kind === 'input') return depth === 0 ? value.name : `@root.${value.name}`;
  if (value.kind === 'item') return 'this';
  if (isIndex(value, depth)) return '@index';
  const place = placeAsked(value, depth);
  if (place !== undefined) return `@${place}`;
  const [holder, ...names] = callOf(value, 'field') ?? [];
  const path = pathOf(holder, depth);
  const fields = fieldsOf(names);
  return path === undefined || fields === undefined ? undefined : [path, ...fields].join('.');
}

/**
 * Puts texts and tags together. `{{` of a text is escaped; a tag that begins a line gets the line for itself, which the
 * library then removes.
 */
function join(written: readonly TemplateStretch[]): string | undefined {
  let out = '';
  for (const [index, { kind, text }] of written.entries()) {
    const next = written[index + 1];
    if (kind !== 'text') {
      const isFirst = kind === 'block' && out.endsWith('\n') && next !== undefined;
      out += `${text}${isFirst ? '\n' : ''}`;
      continue;
    }
    if (/\\\{\{/.test(text) || (next !== undefined && text.endsWith('{'))) return undefined;
    const escaped = text.replace(/\{\{/g, '\\{{');
    const isAfter = index > 0 && text.startsWith('}');
    out += `${isAfter ? '{{!}}' : ''}${escaped}${next !== undefined && text.endsWith('\\') ? '\\' : ''}`;
  }
  return out;
}
