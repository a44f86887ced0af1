import type { Value } from '../value/value.js';
import { normal } from './bytes.js';
import { type Directive, type FormatCursor, readDirective, startFormat } from './directive.js';
import { printAny } from './print-any.js';
import { PLAIN } from './spec.js';
import { PRINT_LIMIT } from './sprint.js';
import { typeName } from './type-name.js';

/**
 * Go's `fmt.Sprintf`. Nothing in a format is an error: what is wrong shows in the text, `%!d(string=a)`. Past
 * `limit` units the rest is left out and the text is longer than the limit.
 */
export function sprintf(format: string, args: readonly Value[], limit: number = PRINT_LIMIT): string {
  const cursor = startFormat(format, args);
  let text = '';
  while (cursor.at < format.length && text.length <= limit) {
    const percent = format.indexOf('%', cursor.at);
    const end = percent < 0 ? format.length : percent;
    text += format.slice(cursor.at, end);
    cursor.at = end + 1;
    if (percent >= 0) text += printDirective(readDirective(cursor), cursor, limit);
  }
  return normal(text.length > limit ? text : text + extraOperands(cursor, limit));
}

function printDirective(directive: Directive, cursor: FormatCursor, limit: number): string {
  const { verb, spec, problems } = directive;
  if (verb === undefined) return `${problems}%!(NOVERB)`;
  if (verb === '%') return `${problems}%`;
  if (!directive.hasGoodIndex) return `${problems}%!${verb}(BADINDEX)`;
  if (cursor.next >= cursor.args.length) return `${problems}%!${verb}(MISSING)`;
  return problems + printAny(cursor.args[cursor.next++], verb, spec, limit);
}

/** `%!(EXTRA int=2)`: operands that no verb took, unless the format picks its operands by index. */
function extraOperands({ args, next, isReordered }: FormatCursor, limit: number): string {
  if (isReordered || next >= args.length) return '';
  let text = '%!(EXTRA ';
  for (let index = next; index < args.length && text.length <= limit; index++) {
    const value = args[index];
    if (index > next) text += ', ';
    if (value !== undefined && value !== null) text += `${typeName(value)}=`;
    text += printAny(value, 'v', PLAIN, limit);
  }
  return `${text})`;
}
