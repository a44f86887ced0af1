import type { Diagnostic } from '@cuebook/prompt';
import { told } from '../hint/typed.js';
import type { Io } from '../io.js';
import { count, type Style, styleFor } from './style.js';

/** A diagnostic, or a line of import and export about what was kept in another form. */
export type ShownDiagnostic = Omit<Diagnostic, 'severity'> & {
  readonly severity: Diagnostic['severity'] | 'info';
};

/** `file:line:col severity CODE message`, the form that editors and agents read. */
export function diagnosticLine(diagnostic: ShownDiagnostic, style: Style): string {
  const { code, severity, message } = diagnostic;
  const place = placeOf(diagnostic);
  const mark = { error: style.red, warning: style.yellow, info: style.dim }[severity];
  const marked = mark(severity);
  return `${place === '' ? '' : `${style.bold(place)} `}${marked} ${code} ${oneLine(message)}\n`;
}

/** The same for one of the streams, with command lines that can be typed as they stand. */
export const problemLine = (io: Io, stream: 'out' | 'err', diagnostic: ShownDiagnostic): string =>
  told(io, diagnosticLine(diagnostic, styleFor(io, stream)));

/** `2 errors, 1 warning`. */
export function diagnosticCounts(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  return `${count(errors, 'error')}, ${count(diagnostics.length - errors, 'warning')}`;
}

/** By file, line, column and code; those without a file first. */
export const sortDiagnostics = <Shown extends ShownDiagnostic>(
  diagnostics: readonly Shown[],
): readonly Shown[] =>
  [...diagnostics].sort(
    (a, b) =>
      compare(a.file ?? '', b.file ?? '') ||
      (a.line ?? 0) - (b.line ?? 0) ||
      (a.column ?? 0) - (b.column ?? 0) ||
      compare(a.code, b.code),
  );

/** Each problem once: two targets that share a text report it twice. */
export function uniqueDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Map(diagnostics.map((each) => [JSON.stringify(each), each]));
  return [...seen.values()];
}

/** A message never forges a line of its own: control characters are spelled out. */
const oneLine = (text: string): string =>
  text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (c) =>
    c === '\n' ? ' ' : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function placeOf({ file, line, column }: ShownDiagnostic): string {
  if (file === undefined) return '';
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
