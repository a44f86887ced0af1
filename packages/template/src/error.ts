import type { TEMPLATE_CODES } from './codes.js';
import { type Sites, templateAt } from './exec/program.js';
import type { ExecFailure } from './exec/state.js';
import { byteLength, normal } from './fmt/bytes.js';
import { quoteString } from './fmt/quote.js';
import { lineAt, locate } from './parse/positions.js';
import { type Delimiters, printBetween } from './parse/print-node.js';
import type { ParseFailure } from './parse/tree.js';

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
export interface Text {
  readonly name: string;
  readonly text: string;
}

/** A template that ran. */
export interface Executed extends Text {
  readonly delimiters: Delimiters;
}

export function parseError({ name, text }: Text, failure: ParseFailure): TemplateError {
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

export function execError(
  { name, text, delimiters }: Executed,
  sites: Sites | undefined,
  failure: ExecFailure,
): TemplateError {
  const node = sites?.nodes[failure.site];
  const offset = node?.pos ?? 0;
  const { line, column } = locate(text, offset);
  const where =
    sites && node
      ? `${name}:${line}:${column}: executing ${quoteString(templateAt(sites, failure.site))} at <${printBetween(delimiters, node)}>`
      : name;
  return {
    code: failure.isLimit ? 'E_TEMPLATE_LIMIT' : 'E_TEMPLATE_EXEC',
    message: normal(`template: ${where}: ${failure.message}`).toWellFormed(),
    line,
    column,
    offset,
  };
}
