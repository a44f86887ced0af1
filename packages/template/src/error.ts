import type { TEMPLATE_CODES } from './codes.js';
import { printSite, type Sites, templateAt } from './exec/program.js';
import type { ExecFailure } from './exec/state.js';
import { byteLength, normal } from './fmt/bytes.js';
import { quoteString } from './fmt/quote.js';
import { lineAt, locate } from './parse/positions.js';
import { ParseFailure } from './parse/tree.js';

/** Why there is no output. */
export interface TemplateError {
  readonly code: keyof typeof TEMPLATE_CODES;
  /** Go's text, position included. */
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** Bytes from the start of the line, from 0, as Go counts. */
  readonly column: number;
  /** Bytes from the start of the text. */
  readonly offset: number;
}

/** The text of a template, as errors need it. */
interface Text {
  readonly name: string;
  readonly text: string;
}

/** What parsing threw, as an error; what is no fault of the text is thrown again. */
export function parseProblem(text: Text, thrown: unknown): TemplateError {
  if (thrown instanceof ParseFailure) return parseError(text, thrown);
  if (!(thrown instanceof RangeError)) throw thrown;
  return parseError(text, new ParseFailure('the template nests deeper than the stack', 0, true));
}

/** An error that has no place in any text. */
export const placeless = (code: TemplateError['code'], message: string): TemplateError => ({
  code,
  message: normal(message).toWellFormed(),
  line: 1,
  column: 0,
  offset: 0,
});

function parseError({ name, text }: Text, failure: ParseFailure): TemplateError {
  const { message, index, isLimit, uncounted } = failure;
  const line = lineAt(text, index);
  const offset = byteLength(text.slice(0, index));
  return {
    code: isLimit ? 'E_TEMPLATE_LIMIT' : 'E_TEMPLATE_PARSE',
    message: normal(`template: ${name}:${line - uncounted}: ${message}`).toWellFormed(),
    line,
    column: locate(text, offset).column,
    offset,
  };
}

/** A failure of the template called `name`; without sites nothing of it was begun. */
export function execError(name: string, sites: Sites | undefined, failure: ExecFailure): TemplateError {
  const code = failure.isLimit ? 'E_TEMPLATE_LIMIT' : 'E_TEMPLATE_EXEC';
  const node = sites?.nodes[failure.site];
  if (!sites || !node) return placeless(code, `template: ${name}: ${failure.message}`);
  const { name: executing, source } = templateAt(sites, failure.site);
  const { line, column } = locate(source.text, node.pos);
  const where = `${source.name}:${line}:${column}: executing ${quoteString(executing)} at <${printSite(sites, failure.site)}>`;
  const message = normal(`template: ${where}: ${failure.message}`).toWellFormed();
  return { code, message, line, column, offset: node.pos };
}
