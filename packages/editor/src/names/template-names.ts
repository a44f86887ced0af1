import type { TextRange } from '../text/lines.js';

/** A name in a Go template: a field of what the template is given, or a text that it includes. */
export interface TemplateName {
  readonly kind: 'field' | 'include';
  readonly name: string;
  readonly range: TextRange;
}

/**
 * The names in a template, in every branch. Half-written templates are read as far as they go. Inside `range`, `with`
 * and `define` the dot is something else: there only `$.name` is a field of what the template is given.
 */
export function templateNames(text: string): readonly TemplateName[] {
  const found: TemplateName[] = [];
  const open: { readonly word: string; isRebound: boolean }[] = [];
  for (const { index, 0: whole, 1: action = '' } of text.matchAll(ACTION)) {
    const at = index + whole.indexOf(action);
    const [, word = ''] = /^\s*(if|with|range|define|block|else|end)\b/.exec(action) ?? [];
    const isRebound = open.some((each) => each.isRebound);
    if (word === 'end') open.pop();
    if (word === 'else') {
      const last = open.at(-1);
      if (last !== undefined && last.word !== 'define' && last.word !== 'block') last.isRebound = false;
      if (/^\s*else\s+with\b/.test(action) && last !== undefined) last.isRebound = true;
    }
    const isRoot = word === 'else' ? !open.slice(0, -1).some((each) => each.isRebound) : !isRebound;
    for (const name of namesIn(action, at)) {
      if (name.kind === 'include' || name.isRoot || isRoot) found.push(plain(name));
    }
    if (/^(?:if|with|range|define|block)$/.test(word)) open.push({ word, isRebound: word !== 'if' });
  }
  return found;
}

const ACTION = /\{\{-?((?:"(?:[^"\\\n]|\\.)*"|`[^`]*`|[^"`{}]|\}(?!\}))*)/g;

interface FoundName extends TemplateName {
  readonly isRoot: boolean;
}

const plain = ({ kind, name, range }: FoundName): TemplateName => ({ kind, name, range });

function* namesIn(action: string, at: number): Generator<FoundName> {
  if (/^\s*\/\*/.test(action)) return;
  for (const { index, groups = {} } of action.matchAll(NAMES)) {
    const { include, quoted = '', root, field = '' } = groups;
    if (include !== undefined) {
      const start = at + index + include.length;
      yield { kind: 'include', name: quoted, range: { start, end: start + quoted.length }, isRoot: true };
    } else if (field !== '') {
      const start = at + index + (root ?? '').length + 1;
      yield { kind: 'field', name: field, range: { start, end: start + field.length }, isRoot: root !== '' };
    }
  }
}

const NAMES =
  /(?<include>\binclude\s+["`])(?<quoted>[^"`\n]*)|"(?:[^"\\\n]|\\.)*"|`[^`]*`|(?<![\w)\].$])(?<root>\$?)\.(?<field>[A-Za-z_]\w*)/g;

/** The functions of Go templates, with what they do. */
export const TEMPLATE_FUNCTIONS: Readonly<Record<string, string>> = {
  and: 'the first argument that is empty, else the last',
  or: 'the first argument that is not empty, else the last',
  not: 'whether the argument is empty',
  eq: 'whether the first argument equals one of the others',
  ne: 'whether two arguments differ',
  lt: 'whether the first is less than the second',
  le: 'whether the first is at most the second',
  gt: 'whether the first is more than the second',
  ge: 'whether the first is at least the second',
  index: 'an item of a list or a map',
  slice: 'a part of a text or a list',
  len: 'how many items or bytes',
  print: 'the arguments as text',
  printf: 'the arguments by a format',
  println: 'the arguments as a line',
  html: 'escaped for HTML',
  js: 'escaped for JavaScript',
  urlquery: 'escaped for a query of a URL',
  call: 'the result of a function value',
  include: 'a text, put in as it is',
  if: 'a branch: {{if .x}}…{{else}}…{{end}}',
  range: 'a loop: {{range .list}}…{{end}}',
  with: 'a branch with another dot: {{with .x}}…{{end}}',
  else: 'the other branch',
  end: 'ends if, range, with, block or define',
};
