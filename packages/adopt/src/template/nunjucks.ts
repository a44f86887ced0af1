import { readPlain } from './plain.js';
import type { ReadTemplate, TemplateRemark } from './tokens.js';

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

/** Nunjucks as promptfoo runs it: texts and `{{ name }}`; blocks, comments, filters and expressions are refused. */
export function readNunjucks(template: string): ReadTemplate {
  // The end of a comment without its beginning is an error of the library; that of a block is text.
  const mark = /\{%|\{#|#\}/.exec(template);
  if (mark !== null) {
    const remark: TemplateRemark = {
      code: 'W_IMPORT_SECTION',
      severity: 'warning',
      start: mark.index,
      message: `${JSON.stringify(mark[0])} belongs to a block or comment of the template language; the prompt was not imported`,
    };
    return { remarks: [remark] };
  }
  const read = readPlain(template);
  const strange = read.tokens?.find(
    (token) =>
      token.kind === 'variable' &&
      (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(token.name) || NUNJUCKS_WORDS.includes(token.name)),
  );
  if (strange === undefined || strange.kind === 'text') return read;
  const message = `${JSON.stringify(template.slice(strange.start, strange.end))} is an expression or a word of the template language; the prompt was not imported`;
  return { remarks: [{ code: 'W_IMPORT_HELPER', severity: 'warning', start: strange.start, message }] };
}
