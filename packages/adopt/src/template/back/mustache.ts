import type { GoExpression, GoNode } from './tree.js';
import { callOf, fieldsOf, type TemplateStretch } from './written.js';

/** Nodes as mustache; undefined where it has no form. What comes out must be read again: only then it is the same. */
export function toMustache(nodes: readonly GoNode[]): string | undefined {
  const written = print(nodes);
  if (written === undefined || written.some(({ kind, text }) => kind === 'text' && /\{\{/.test(text)))
    return undefined;
  return join(written);
}

function print(nodes: readonly GoNode[]): readonly TemplateStretch[] | undefined {
  const all = nodes.map((node): readonly TemplateStretch[] | undefined => {
    if (node.kind === 'text') return [{ kind: 'text', text: node.text }];
    if (node.kind === 'print') {
      const name = nameOf(node.value);
      return name === undefined ? undefined : [{ kind: 'tag', text: `{{${name}}}` }];
    }
    const head = headOf(node);
    const body = print(node.body);
    if (head === undefined || body === undefined || node.otherwise !== undefined) return undefined;
    return [
      { kind: 'block', text: `{{${head}}}` },
      ...body,
      { kind: 'block', text: `{{/${head.slice(1)}}}` },
    ];
  });
  return all.every((each) => each !== undefined) ? all.flat() : undefined;
}

function headOf(node: GoNode & { readonly kind: 'if' | 'range' }): string | undefined {
  if (node.kind === 'range') {
    const name = nameOf(callOf(node.of, 'each')?.[0]);
    return name === undefined ? undefined : `#${name}`;
  }
  const name = nameOf(callOf(callOf(node.condition, 'not')?.[0], 'present')?.[0]);
  return name === undefined ? undefined : `^${name}`;
}

/** The name that is looked up: in the items around it, and last among the inputs. */
function nameOf(value: GoExpression | undefined): string | undefined {
  if (value?.kind === 'input') return value.name;
  if (value?.kind === 'item') return '.';
  const looked = callOf(value, 'lookup');
  if (looked !== undefined) return fieldsOf(looked.slice(2))?.join('.');
  const [holder, ...names] = callOf(value, 'field') ?? [];
  const fields = fieldsOf(names);
  return holder?.kind === 'input' && fields !== undefined ? [holder.name, ...fields].join('.') : undefined;
}

/** Puts texts and tags together. A tag that begins a line gets the line for itself, which the library then removes. */
const join = (written: readonly TemplateStretch[]): string =>
  written.reduce((out, { kind, text }, index) => {
    const isFirst = kind === 'block' && (out === '' || out.endsWith('\n')) && index < written.length - 1;
    return `${out}${text}${isFirst ? '\n' : ''}`;
  }, '');
